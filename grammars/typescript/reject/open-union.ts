type A = string |;
