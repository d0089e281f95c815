const function = 1;
