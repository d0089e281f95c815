type A = { [K in T] K };
