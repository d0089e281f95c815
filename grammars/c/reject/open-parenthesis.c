int f(int a { }
