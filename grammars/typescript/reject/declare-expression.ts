declare x + 1;
