if a: while b: c
