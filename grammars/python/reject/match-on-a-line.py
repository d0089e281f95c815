match a: case b: c
