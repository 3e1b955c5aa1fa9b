// SPDX-License-Identifier: Apache-2.0
/* Generated from data.c, which has no kernels. */
#include "rex_nvidia.h"
