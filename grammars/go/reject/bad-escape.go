package a

var x = "\q"
