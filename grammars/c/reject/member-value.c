struct a { int x = 1; };
