let x = a b;
