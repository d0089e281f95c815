int x =
#if A
1
#else
2
#endif
;
