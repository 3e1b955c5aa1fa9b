// SPDX-License-Identifier: Apache-2.0
//
// What every unit of the runtime begins with: the host API with LLVM's own names for LLVM's calls, and what says where
// the units' names and variables live.
//
// The units are in the namespace __rex, each block of it hidden: nothing but LLVM's and OpenMP's names crosses the border
// of a link unit, also where the compiler's default is another.
#ifndef REX_INTERNAL_H
#define REX_INTERNAL_H

#define REX_KMP_INTERNAL
#include "rex_kmp.h"
#include "rex_warp.h"

#include <cstddef>
#include <cstdint>

// A variable of each thread, without a constructor. In a program it costs one instruction. Shared libraries, of which
// each has these variables, ask where they are: the model without a question leaves room for two of them in a process
// that opens them when it runs.
#define REX_OF_THREAD __attribute__((__tls_model__("local-dynamic"))) __thread

#endif
