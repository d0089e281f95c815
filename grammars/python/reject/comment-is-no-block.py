if a:
    # comment
b
