/* The XOMP scheduler of a fictitious device. */
#ifndef FX_XOMP_H
#define FX_XOMP_H

#include "xomp_cuda_lib_inlined.cu"

#define fx_count() getCUDABlockThreadCount(1)
#define fx_number() getLoopIndexFromCUDAVariables(1)

#endif
