char *s = "\x";
