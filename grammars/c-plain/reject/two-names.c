static API T f(void);
