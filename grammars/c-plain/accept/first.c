#ifndef A
#define A
int x;
#endif