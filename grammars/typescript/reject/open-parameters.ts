let f = (x: number => x;
