#include "base.h"
static double store[100];
unsigned long base::aligned() const { return sizeof store[0]; }
void base::record() { ++seen; }
void *get(unsigned long, unsigned long) { return store; }
