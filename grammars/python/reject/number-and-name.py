a = 1b
