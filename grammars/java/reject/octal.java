class A { int x = 08; }
