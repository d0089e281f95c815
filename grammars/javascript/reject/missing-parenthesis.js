f(a, b
c()
