#if A B
#endif
