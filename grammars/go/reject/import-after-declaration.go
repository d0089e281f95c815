package a

var x = 1

import "b"
