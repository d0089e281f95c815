DECLARE(x)
int y;
