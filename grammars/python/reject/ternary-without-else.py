a = b if c
