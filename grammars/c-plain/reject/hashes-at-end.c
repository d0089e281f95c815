#define A a ##
