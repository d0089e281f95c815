int f(void) { while (1) { case 1: ; } }
