int x __attribute__((aligned(8))) = 3, y __asm__("other") __attribute__((used));
static int f(void *a __attribute__((unused)), const T *(*get)(int), int (*)[3], T [static 2]) __attribute__((cold));
static T __attribute__((noinline)) *g(long unsigned int const n, char *const argv[restrict]);
struct s { int a : 3, : 0; const unsigned b : 1; struct { T; }; T (*call)(void), *next; } __attribute__((packed)) s;
typedef struct s *pointer, list[2], (*handler)(pointer);
int (*(*table[2])(void))(int), *const *p;
main(argc, argv) int argc; char **argv; { return _Generic(argc, int: 1, T *: 2, default: 0); }
_Alignas(16) static _Thread_local char c; typeof(c) d; _Atomic(int) e;
__asm__(".globl x");
