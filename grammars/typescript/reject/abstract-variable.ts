abstract let x = 1;
