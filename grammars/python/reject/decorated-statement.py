@a
b = 1
