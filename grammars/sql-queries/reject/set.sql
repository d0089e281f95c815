set x to 1
