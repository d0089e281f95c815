if a: b
    c
