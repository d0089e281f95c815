int f(void) { BEGIN a = 1; END }
