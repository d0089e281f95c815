int f(void) { else ; }
