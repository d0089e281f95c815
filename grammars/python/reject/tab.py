if a:
    b
	c
