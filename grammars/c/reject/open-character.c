char c = 'a;
