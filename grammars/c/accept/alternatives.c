#ifdef WIDE
int wmain(int argc, wchar_t **argv)
#else
int main(int argc, char **argv)
#endif
{
    int x =
#if ONE
        1
#elif TWO
        2
#else
        -3
#endif
        ;
    if (x > 0
#ifdef MORE
        && argc
#else
        || argv
#endif
        ) f(x,
#ifdef MORE
            "a"
#else
            b()
#endif
            );
#ifdef MORE
    else
#endif
    g();
#ifdef MORE
    MACRO(x)
#else
    OTHER(x)
#endif
}
// no line break
