typedef unsigned long long int size;
static const char *const names[] = { "a", [2] = "b" "c", [3 ... 5] = 0, };
extern int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Thread_local static long double unsigned_name;
long unsigned static_name, int_name;
double _Complex z;
struct point { int x, y : 3, : 0; union { size s; char c[8]; }; struct point *next; };
enum color { RED, GREEN = 1 << 2, BLUE, };
int (*table[3])(int, char *), *(*f(int))(void), (getchar)(void);
typedef struct point T;
T a, *b = &a, c[2];
T *g(T, T *, T[], int x[static 3], int (*)(T), register T t);
static inline T *h(const T *restrict p, int n, ...) { return p ? (T *)p : 0; }
_Noreturn void k(void);
int old(a, b) int a; char *b; { return a; }
_Static_assert(sizeof(int) == 4, "int");
__typeof__(int *) pointer;
