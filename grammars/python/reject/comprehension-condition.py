[a for a in b if c else d]
