#define (a)
