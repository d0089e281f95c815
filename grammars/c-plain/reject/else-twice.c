#if A
#else
#else
#endif
