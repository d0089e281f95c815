int x = 08x;
