int f(void) { break; }
