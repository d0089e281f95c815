#include <stdio.h>
#include "a.h" // comment
  # define MAX(a, b) ((a) > (b) ? (a) : (b)) /* two
lines */
#define NAME(x, ...) #x ## _name, \
    "text" 'c' __VA_ARGS__
#define EMPTY
#undef EMPTY
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#if defined(A) && !defined B || (C + 1) * 2 >= 0x10L && __has_include("a.h")
int x;
#elif A
#error no x
#else
#if 1
#endif
#endif
struct s {
#ifdef A
    int a;
#endif
    int b;
#define FLAG 1
};
enum e {
    E0,
#ifndef A
    E1
#endif
};
int v[] = {
#if A
    1, 2,
#else
    3,
#endif
    4
};
int f(void) {
#ifdef A
    int y = 1;
#else
    g();
#endif
    return 1;
}
#ifdef __cplusplus
}
#endif
#line 12 "b.c"
