a
else:
    b
