var class = 1
