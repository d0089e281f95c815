int f(void) { for_each(a, b) { } }
