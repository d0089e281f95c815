char *s = "\u0041";
