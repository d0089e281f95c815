int f(void) { return g(a,); }
