package a

var x = 08
