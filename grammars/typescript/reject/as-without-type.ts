let a = x as;
