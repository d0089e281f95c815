a; if b: c
