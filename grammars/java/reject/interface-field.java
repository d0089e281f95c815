interface A { int b; }
