#ifdef __cplusplus
extern "C"
#endif
void scale(double *x, int n);
#define FACTOR 2
