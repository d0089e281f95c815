int x = f(int);
