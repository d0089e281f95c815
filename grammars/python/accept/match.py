match = 1
match (a, b)
match * a
match - b, c
match(x)[0].y = z
match x:
    case 1 | -2.5 | 3 - 4j | "a" "b" | None | True:
        pass
    case [a, *b] | (c, *_) if d > 1: pass
    case {"k": v, A.B: {}, **rest}:
        pass
    case Point(x=0, y=z) | Point(1, z, x=2) | a.b.C():
        pass
    case (A() | B()) as c, *d:
        pass

    case ():
        pass
    case _: pass
match a, *b:
    case []: pass
match (
    a):
    case (b
          | c): pass
match -a:
    case x: match = case
match [a]:
    case _:
        match not in a
case = match
