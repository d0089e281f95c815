
# a
if a:
    b


c = (1,
2)
    # end