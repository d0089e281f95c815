int float x;
