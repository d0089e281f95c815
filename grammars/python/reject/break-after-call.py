f(a)
(b
