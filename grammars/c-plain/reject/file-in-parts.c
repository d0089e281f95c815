int x
#define A
;
