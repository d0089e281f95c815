int x = 1
#endif
2;
