let f = <T>(x: T) x;
