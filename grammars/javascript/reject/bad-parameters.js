(a + b) => c
