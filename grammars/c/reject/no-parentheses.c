void f(int x) {
    if x return;
}
