// SPDX-License-Identifier: Apache-2.0
//
// How many threads of a block execute an instruction together, a warp, and how many a block has at most. These are
// NVIDIA's numbers; generated files for another target, host and device files, define theirs before they include anything.
#ifndef REX_WARP_H
#define REX_WARP_H

#ifndef REX_WARP
#define REX_WARP 32
#endif
#ifndef REX_MOST_THREADS
#define REX_MOST_THREADS 1024
#endif

#endif
