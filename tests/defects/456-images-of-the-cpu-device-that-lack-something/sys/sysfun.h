#ifndef SYSFUN_H
#define SYSFUN_H
#ifdef __cplusplus
extern "C"
#endif
int sysfun(int);
#endif
