f(void) { }
