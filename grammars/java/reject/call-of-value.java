class A { int x = (a)(b)(c) d; int y = (a + b) c; }
