class A { void a() { final final int b = 1; } }
