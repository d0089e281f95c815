#ifdef __cplusplus
extern "C" {
#endif
int __stdcall f(void);
extern int x;
MODULE_MAGIC;
#ifdef __cplusplus
}
#endif
extern "C" int g(void);
