type A = T extends U ? X;
