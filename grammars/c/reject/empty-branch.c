int f(void) { if (a) else b; }
