package a

var x = y++
