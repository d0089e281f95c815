package numbers

var a = 1p+2
