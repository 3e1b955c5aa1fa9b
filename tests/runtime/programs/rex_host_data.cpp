// SPDX-License-Identifier: Apache-2.0
/* CPU device entry points of rex_lib_data.cu: none. */
#include "rex_host_device.h"
#include "rex_lib_data.cu"
