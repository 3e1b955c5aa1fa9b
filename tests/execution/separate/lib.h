#ifdef __cplusplus
extern "C" {
#endif
#pragma omp declare target
int scale(int x);
int thread_of(void);
void add_locked(int *sum, int v);
void share(int *a, int n);
int depth(int n);
extern int table[4];
int from_table(int i);
#pragma omp end declare target
#ifdef __cplusplus
}
#endif
