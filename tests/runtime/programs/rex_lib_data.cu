/* Generated from data.c, which has no kernels. */
#include "rex_nvidia.h"
