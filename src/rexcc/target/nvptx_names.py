"""Names that CUDA's headers declare at global scope, which a program may have for something of its own.

Out: ``NAMES``. Device code that has one of these stands in a namespace of its own
(:mod:`rexcc.codegen.device.device_file`). Names that the headers of C and C++ declare, too, are left out but for a few:
what they name is not the program's.
"""

from __future__ import annotations

_BASES = (
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double",
)  # fmt: skip
_VECTORS = [f"{base}{n}" for base in _BASES for n in (1, 2, 3, 4)]
_COMMON = (
    "dim3 max min rsqrt rsqrtf saturate umin umax atomicAdd half clock __ldg norm rnorm sinpi cospi erfcx y0 y1 yn "
    "j0 j1 jn signbit clamp lerp llmin llmax ullmin ullmax float2half surface texture cudaError normf fdividef "
    "fdivide exp10 exp10f sincos sincosf "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t size_t "
    "ptrdiff_t ssize_t time_t clock_t uint ulong ushort "
    "fpclassify isfinite isinf isnan isnormal isgreater isgreaterequal isless islessequal islessgreater isunordered"
)
_ROUNDED = (
    "__dadd __ddiv __dmul __double2float __double2int __double2ll __double2uint __double2ull __drcp __dsqrt "
    "__dsub __fadd __fdiv __float2int __float2ll __float2uint __float2ull __fma __fmaf __fmaf_ieee __fmul __frcp "
    "__fsqrt __fsub __int2float __ll2double __ll2float __uint2float __ull2double __ull2float"
)
_IN_PARTS = (
    "abs absdiffs absdiffu absss add addss addus avgs avgu cmpeq cmpges cmpgeu cmpgts cmpgtu cmples cmpleu cmplts "
    "cmpltu cmpne haddu maxs maxu mins minu neg negss sads sadu seteq setges setgeu setgts setgtu setles setleu "
    "setlts setltu setne sub subss subus"
)
_FUNCTIONS = (
    "__activemask __all __all_sync __any __any_sync __ballot __ballot_sync __barrier_sync __barrier_sync_count "
    "__brev __brevll __brkpt __byte_perm __clz __clzll __cosf __double2hiint __double2loint __double_as_longlong "
    "__dp2a_hi __dp2a_lo __dp4a __exp10f __expf __fdividef __ffs __ffsll __float_as_int __float_as_uint __fns "
    "__frsqrt_rn __funnelshift_l __funnelshift_lc __funnelshift_r __funnelshift_rc __hadd __hiloint2double "
    "__int2double_rn __int_as_float __isClusterShared __isConstant __isCtaShared __isGlobal __isGridConstant "
    "__isLocal __isShared __ldca __ldcg __ldcs __ldcv __ldlu __log10f __log2f __logf __longlong_as_double "
    "__match_all_sync __match_any_sync __mul24 __mul64hi __mulhi __nanosleep __pm0 __pm1 __pm2 __pm3 __popc "
    "__popcll __powf __prof_trigger __reduce_add_sync __reduce_and_sync __reduce_max_sync __reduce_min_sync "
    "__reduce_or_sync __reduce_xor_sync __rhadd __sad __saturatef __shfl_down_sync __shfl_sync __shfl_up_sync "
    "__shfl_xor_sync __sincosf __sinf __stcg __stcs __stwb __stwt __syncthreads __syncthreads_and "
    "__syncthreads_count __syncthreads_or __syncwarp __tanf __threadfence __threadfence_block "
    "__threadfence_cluster __threadfence_system __trap __uhadd __uint2double_rn __uint_as_float __umul24 "
    "__umul64hi __umulhi __uni_sync __urhadd __usad any atomicAnd atomicCAS atomicDec atomicExch atomicInc "
    "atomicMax atomicMin atomicOr atomicSub atomicXor ballot clock64 cospif cyl_bessel_i0 cyl_bessel_i0f "
    "cyl_bessel_i1 cyl_bessel_i1f dadd dmul double2int double2ll double2uint double2ull double4_16a double4_32a "
    "dsub erfcinv erfcinvf erfcxf erfinv erfinvf float2double int2double libraryPropertyType "
    "libraryPropertyType_t ll2double long4_16a long4_32a longlong4_16a longlong4_32a make_cudaExtent "
    "make_cudaPitchedPtr make_cudaPos make_double4_16a make_double4_32a make_long4_16a make_long4_32a "
    "make_longlong4_16a make_longlong4_32a make_ulong4_16a make_ulong4_32a make_ulonglong4_16a "
    "make_ulonglong4_32a norm3d norm3df norm4d norm4df normcdf normcdff normcdfinv normcdfinvf rcbrt rcbrtf "
    "rhypot rhypotf rnorm3d rnorm3df rnorm4d rnorm4df rnormf sincospi sincospif sinpif surf1DLayeredread "
    "surf1DLayeredwrite surf1Dread surf1Dwrite surf2DLayeredread surf2DLayeredwrite surf2Dread surf2Dwrite "
    "surf3Dread surf3Dwrite surfCubemapLayeredread surfCubemapLayeredwrite surfCubemapread surfCubemapwrite "
    "syncthreads_and syncthreads_count syncthreads_or tex1D tex1DGrad tex1DLayered tex1DLayeredGrad "
    "tex1DLayeredLod tex1DLod tex1Dfetch tex2D tex2DGrad tex2DLayered tex2DLayeredGrad tex2DLayeredLod tex2DLod "
    "tex2Dgather tex3D tex3DGrad tex3DLod texCubemap texCubemapGrad texCubemapLayered texCubemapLayeredGrad "
    "texCubemapLayeredLod texCubemapLod uint2double ull2double ulong4_16a ulong4_32a ulonglong4_16a "
    "ulonglong4_32a"
)

NAMES = frozenset([
    *_VECTORS, *(f"make_{vector}" for vector in _VECTORS), *_COMMON.split(), *_FUNCTIONS.split(),
    *(f"{name}_{way}" for name in _ROUNDED.split() for way in ("rd", "rn", "ru", "rz")),
    *(f"__v{name}{parts}" for name in _IN_PARTS.split() for parts in (2, 4)),
])  # fmt: skip
