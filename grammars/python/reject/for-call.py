for f() in a: b
