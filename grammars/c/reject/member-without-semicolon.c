struct { int x } y;
