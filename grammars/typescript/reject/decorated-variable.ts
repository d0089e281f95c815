@dec let x = 1;
