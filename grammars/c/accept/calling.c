#define likely(x) (__builtin_expect(!!(x), 1))

typedef HANDLE (__stdcall *open_device)(const char *name, int flags);
typedef void (GL_APIENTRYP PFN_DRAW)(GLenum mode, int count);
typedef const char *(EGLAPIENTRYP PFN_QUERY) (Display display);
PyAPI_DATA(int) (*input_hook)(void);

enum level {
    low,
    middle DEPRECATED = 1,
    high DEPRECATED_SINCE(4, 2) = 2,
};

void each(void(__cdecl *visit)(int), int n) {
    if likely(n > 0) {
        visit(n);
    } else if unlikely(n == -1) return;
    while has_more(n) n--;
    PUSH_WARNINGS
    IGNORE_DEPRECATED
    if (n) return;
}
