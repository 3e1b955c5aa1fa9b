#define MORE(x) ((x) + 1)
