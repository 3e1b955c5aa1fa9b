/* CPU device entry points of rex_lib_ops.cu in the shape that rexcc generates. */
#include "rex_host_device.h"
#include "ops.h"

// Generated files have one #define for each kernel; these are too many to write down.
#define REDUCTION_BODY(op, type) body_reduce_##op##_##type
#define reduce_triple__kernel__ reduce_triple__body__
#define team_sums__kernel__ team_sums__body__
namespace body {
#include "rex_lib_ops.cu"
}
#undef reduce_triple__kernel__
#undef team_sums__kernel__
