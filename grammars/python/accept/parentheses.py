(name): int
(a.b): str = "c"
((a[0])): float = 1.0
(
    count
): int = 1
(a) += 1
((a.b)) *= 2
(a)
(a) = (b) = 1
(a).b += 1
(a, b) = c
if (a): (b)
d[(a):b]
