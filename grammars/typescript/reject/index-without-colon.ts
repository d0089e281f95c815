type A = { [key string]: T };
