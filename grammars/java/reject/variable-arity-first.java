class A { void a(int... b, int c) { } }
