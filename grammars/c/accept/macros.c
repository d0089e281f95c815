BEGIN_DECLS
MEM_STATIC U32 weight(U32 stat) { return stat >= 64 KB ? 1 : 0; }
FORCE_INLINE
static INLINE __m256i load(const uint8_t source[32]);
static DWORD WINAPI thread(LPVOID parameter);
typedef void (CALLBACK *callback_t)(int, STACK_OF(X509) *chain);
const char *API_CALL name(void *unused UNUSED, ...) FORMAT(printf, 1, 2) __THROW;
EXPORT(int) answer(const struct part *part) { return 42; }
STACK_OF(X509) *certificates(void);
static DEVICE_ATTRIBUTE(name, 0644, show, store);
static PRINTF_LIKE(1, 2) void say(const char *format, ...);
unsigned ALIGNED(32) table[4] = { 1, };
extern int wrapped(int) __asm__(PREFIX PACKAGE ".wrapped");
double complex z, *w;
struct PACKED head { LIST_ENTRY(head) entry; DECLARE_BITMAP(map, 8); HEADER };
TAILQ_HEAD(, head) heads;
enum { FIRST_OF(kinds) KINDS(AS_ENUM) LAST, };
TEST(group, name) { CHECK(1); }
SCANNER {
    list_for_each_entry(a, b, c) { use(a); }
    every(100) if (a) work();
    BEGIN_THREADS
    while (n) n--;
    printf("%" PRIu64 " of " STRING(LIMIT) "\n", STRING(A) "b", (const struct head PRIVATE *)a);
    do step(n) while (n);
    if (a) first(n) else second();
    switch (n) { CASE(A): { } case 1: RULE { } BREAK default: ; }
    __attribute__((fallthrough));
    LAST
}
END_DECLS

const char *names[] = {
#define X(name) #name,
    COLORS(X)
    SHAPES(X)
#undef X
    "end", LAST(1) LAST(2),
};
