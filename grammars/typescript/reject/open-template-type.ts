type A = `a${string`;
