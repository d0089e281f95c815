int x; #define A
