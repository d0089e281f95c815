int f(int a, b + 1) { }
