// What all files have in common.
#ifdef __cplusplus
extern "C" {
#endif
#pragma omp declare target
extern int table[4];
extern int offset;
static inline int of_table(int i) { return table[i] + offset; }
int first(int x);
int second(int x);
int third(int x);
int fourth(int x);
#pragma omp end declare target
extern int mapped[4];
#pragma omp declare target link(mapped)
void use_first(void);
void use_second(void);
void use_third(void);
void use_fourth(void);
#ifdef __cplusplus
}
#endif
