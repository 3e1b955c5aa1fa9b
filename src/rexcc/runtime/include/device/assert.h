// SPDX-License-Identifier: Apache-2.0
//
// For rex_cuda_words.h: the system's <assert.h>, which may be included again with another NDEBUG; what a failed assertion
// calls is the device's own.
#include <stdlib.h>
#include_next <assert.h>
