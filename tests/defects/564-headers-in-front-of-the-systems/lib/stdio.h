#ifndef OWN_STDIO_H
#include_next <stdio.h>
#define OWN_STDIO_H
#undef printf
#define printf own_printf
extern int own_printf(const char *, ...);
#endif
