#include <stdio.h>
#define LONG_LINE(a, b) \
    do { (a)++; /* not
                   the end */ } while (b)
#define QUOTE '"' // "
typedef unsigned long size_type;
static const size_type limit = 0x10UL, *where;
enum colour { RED, GREEN = 2, };
struct node { struct node *next; unsigned flag : 1, : 0; union { int i; float f; }; int (*call)(struct node *, ...); };
int (*table[3])(const char *restrict, size_type) = { [0] = first, [2] = 0, };
extern _Noreturn void stop(void) __attribute__((noreturn, format(printf, 1, 2)));
static _Atomic size_type counter;
_Static_assert(sizeof(int) == 4, "int " "has 32 bits");
void (*signal(int number, void (*handler)(int)))(int);
MODULE_LICENSE("GPL");
int old(a, b) int a; char *b; { return a; }
