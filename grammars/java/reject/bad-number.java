class A { int x = 12ab; }
