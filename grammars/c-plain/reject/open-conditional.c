
#if A
int x;
