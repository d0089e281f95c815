int x = (a)++(int){1};
