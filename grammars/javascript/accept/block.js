if (a) { b }
