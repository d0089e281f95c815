let x number = 1;
