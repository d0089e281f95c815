if (a) let b = 1
