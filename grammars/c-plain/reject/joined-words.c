int\
x;
