int main(int argc, char **argv) {
    T x, *y = (T *)z, w[2] = {1, .5e3f};
    T (*pointer)(int) = 0;
    a * b;
    a (b);
    for (size_t i = 0; i < n; i++) if (i) continue; else break;
    for (;;) { }
    do x--; while (x > 0);
    switch (argc) { case 1: { } case 2 ... 5: return (int)-1; default: ; }
    while (argc) switch (argc) { case 1: if (a) break; else continue; case 2: do { case 3: x++; } while (0); }
    if (a) if (b) c(); else d(); else e();
again:
    p->q[1].r = (struct point){ .x = 1, .y = { 2 } }.x, *p++ = ~(V)x;
    n = sizeof(int) * sizeof n + sizeof(T *) + _Alignof(long) + offsetof(struct point, y.z[1]);
    s = "a" PRIu64 u8"c" "d";
    c = a ? b : c ? '\'' : L'\x41';
    va_arg(list, char *), f((T)x, (T){0}, &g, !h);
    x = a ?: _Generic(a, int: 1, T *: 2, default: 3);
    __asm__ volatile ("mov %1, %0" : "=r" (x) : "r" (y) : "memory");
    goto again;
}
