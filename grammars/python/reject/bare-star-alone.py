def f(a, *): pass
