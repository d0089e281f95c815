class A { #x; has(a) { return 1 + #x in a; } }
