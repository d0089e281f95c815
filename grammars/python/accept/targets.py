(a, [b, *c.d]) = [e[0]] = f
for (a), [b, (c, d)] in e: pass
(a) = b
() = [] = c
[x for [y, z] in w if (1, *v) or [2, u]]
with (a, f() as b): pass
del (a, [b])
