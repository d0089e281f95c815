match a:
    b
