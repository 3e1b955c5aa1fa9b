// SPDX-License-Identifier: Apache-2.0
//
// The threads of a block that execute an instruction together, a warp: how many they are. That is NVIDIA's number; files
// for another target define theirs before they include anything.
#ifndef REX_WARP_H
#define REX_WARP_H

#ifndef REX_WARP
#define REX_WARP 32
#endif

#endif
