int f(void) {
#if A
    if (a) {
#endif
    }
}
