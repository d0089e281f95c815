int x[] = { a b };
