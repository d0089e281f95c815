package a

var x = 1x
