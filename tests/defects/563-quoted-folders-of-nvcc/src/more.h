static inline int more(int x) { return x + 5; }
