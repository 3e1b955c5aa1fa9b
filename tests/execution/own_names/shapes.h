#include "shared.h"
struct Shape { virtual int area() const = 0; };
#pragma omp declare target
inline int common = 5;
template <class T> T merge_of(T x) { static T kept; kept += x; return kept; }
#pragma omp end declare target
