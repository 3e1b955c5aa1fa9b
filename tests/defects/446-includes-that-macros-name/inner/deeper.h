#define LOWEST "lowest.h"
#include LOWEST
