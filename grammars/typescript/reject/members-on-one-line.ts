type A = { a: string b: number };
