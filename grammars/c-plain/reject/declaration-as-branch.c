int f(void) { if (a) int x; }
