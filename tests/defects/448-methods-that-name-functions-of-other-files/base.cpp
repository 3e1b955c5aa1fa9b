#include "base.h"
static double store[100];
unsigned long base::aligned() const { return sizeof store[0]; }
void base::record() { ++seen; }
void *get(unsigned long, unsigned long) { return store; }
void detail::fill(int &value) { value = 1; }
void detail::fill(double &value) { value = 1; }
