match a:
    case f(x=1, y): c
