package a

var x = func() int { return
1 + }
