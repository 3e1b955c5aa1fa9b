// SPDX-License-Identifier: Apache-2.0
//
// For how much of each kernel a multiprocessor has room at once, by what its image says (rex_kernel in rex_module.h): grids
// of kernels whose blocks join their results are no larger (rex_geometry.h, rule 6). The driver is not asked, for not all
// launches come by it, and the same ones shall have the same grid.
#ifndef REX_ROOM_H
#define REX_ROOM_H

#include "rex_cubin.h"
#include "rex_gpu.h"
#include "rex_internal.h"
#include "rex_modules.h"

#include <string>
#include <vector>

namespace __rex REX_HIDDEN {

// What finds room of a kernel on a multiprocessor of the GPU; zeros where the GPU does not say what it has.
rex_kernel room_of(const Gpu &gpu, const Cubin::Needs &needs);

// How many threads a block of a kernel gets where so many are asked for: no more than find room, for no larger block can be
// launched. As many where nothing is known of the kernel.
int threads_with_room(const rex_kernel &kernel, int asked);

// Tells the kernels of modules that have these images, or that of REX_CUBIN's file, if it names one.
void tell_room(const Gpu &gpu, const Modules &modules, const std::vector<rex_offload_image> &images,
               const std::string &cubin);

} // namespace __rex

#endif
