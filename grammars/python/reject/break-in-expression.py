a = b +
c
