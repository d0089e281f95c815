f = lambda a: int: a
