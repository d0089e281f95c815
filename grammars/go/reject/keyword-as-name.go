package a

var func = 1
