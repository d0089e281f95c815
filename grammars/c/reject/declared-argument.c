int f(void) { return g(int x); }
