try:
    a
b
