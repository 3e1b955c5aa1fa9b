"""NVIDIA's GPUs: CUDA C++, compiled by NVIDIA's tools.

What they cannot execute are functions of the host's libraries, types, parts of C++. The functions of the C library are
known by name: each was compiled for a GPU and refused. Of the C++ library's, nvcc compiles for devices what is
``constexpr``, and those of the headers that CUDA's or ours declare again.
"""

from __future__ import annotations

from rexcc.target.model import Capabilities, Limits, Target, Traits, Words
from rexcc.target.nvptx_image import SM
from rexcc.target.nvptx_multiprocessors import MULTIPROCESSORS
from rexcc.target.nvptx_names import NAMES
from rexcc.target.nvptx_standard import CONSTEXPR_LATER
from rexcc.target.nvptx_tools import NvidiaTools

_HOST_FUNCTIONS = (
    "aligned_alloc asctime asprintf at_quick_exit atexit atof atoi atol atoll bsearch calloc clearerr clock_getres "
    "clock_gettime clock_settime close ctime difftime dprintf drand48 erand48 execl execlp execv execve execvp "
    "_Exit exit fclose fcntl fdopen feof ferror fflush fgetc fgetpos fgets fileno fopen fork fprintf fputc fputs "
    "fputwc fread freopen fscanf fseek fseeko fsetpos fstat ftell ftello ftruncate fwrite getc getchar getcwd "
    "getdelim getenv gethostname getline getpid getppid gets gettimeofday getuid gmtime gmtime_r initstate ioctl "
    "isalnum isalpha isatty isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit "
    "jrand48 kill localeconv localtime localtime_r longjmp lrand48 lseek mblen mbstowcs mbtowc memccpy memmem mkdir "
    "mkstemp mktime mmap mrand48 munmap nanosleep nrand48 open pause pclose perror pipe popen posix_memalign pread "
    "pthread_create pthread_exit pthread_join pthread_mutex_lock pthread_mutex_unlock pthread_self putc putchar "
    "putenv puts pwrite qsort qsort_r quick_exit raise rand rand_r random read realloc reallocarray remove rename "
    "rewind rmdir scanf sched_yield setbuf setenv setitimer _setjmp setjmp setlocale setvbuf sigaction signal sleep "
    "snprintf sprintf srand srand48 srandom sscanf stat strcasecmp strcasestr strcoll strdup strerror strerror_r "
    "strftime strncasecmp strndup strnlen strptime strsep strsignal strstr strtod strtof strtok strtok_r strtol "
    "strtold strtoll strtoul strtoull strxfrm system time timespec_get tmpfile tmpnam tolower toupper ungetc unlink "
    "unsetenv usleep valloc vasprintf vdprintf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf wait "
    "waitpid wcstombs wctomb wprintf write"
)
_OMPX = {
    f"ompx_{what}_{of}{end}": f"CUDA's '{what}_{of}' is '{routine}()' in OpenMP"
    for (what, of), routine in {
        ("thread", "id"): "omp_get_thread_num", ("block", "dim"): "omp_get_num_threads",
        ("block", "id"): "omp_get_team_num", ("grid", "dim"): "omp_get_num_teams",
    }.items()
    for end in ("", "_x", "_y", "_z")
} | {f"ompx_sync_block{end}": "write '#pragma omp barrier'" for end in ("", "_acq_rel", "_divergent")}  # fmt: skip
"""Functions of LLVM's ``ompx.h``, which only its own device compiler has, and what OpenMP has for them."""
_INSTEAD = _OMPX | {
    **dict.fromkeys(("fprintf", "fputc", "fputs", "fwrite", "putc", "putchar", "puts"), "'printf' prints there"),
    **dict.fromkeys(("exit", "_Exit", "quick_exit", "raise"), "'abort' or a trap ends the program there"),
    **dict.fromkeys(("calloc", "realloc", "aligned_alloc", "posix_memalign"), "'malloc' and 'free' are there"),
}

OVERLOADED = frozenset(
    {
        "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG", "LONGLONG",
        "ULONGLONG", "FLOAT", "DOUBLE",
    }
)  # fmt: skip
"""Scalar types with an overload of ``__ldg`` in CUDA's sm_32_intrinsics.h."""

_SHARED_HEADERS = "atomic atomic_base.h cmath complex cstdlib cstring math.h new std_abs.h stdlib.h"

CAPABILITIES = Capabilities(
    host_functions=frozenset(_HOST_FUNCTIONS.split()) | _OMPX.keys(),
    instead=_INSTEAD,
    constexpr_standard=17,
    shared_headers=frozenset(_SHARED_HEADERS.split()),
    waiting_functions=frozenset({"wait", "notify_one", "notify_all"}),
    constexpr_later=CONSTEXPR_LATER,
    seems_constant=True,
    exceptions=False,
    runtime_types=False,
    streams=False,
    lacking_types=frozenset({"ATOMIC", "VECTOR", "EXTVECTOR", "COMPLEX"}),
    lacking_features=frozenset({"thread_local", "static initialisation", "addresses of labels", "results that stay"}),
    long_double=False,
    compares_arrays=False,
    places_members=False,
    read_only_types=OVERLOADED,
    links_units=True,
)


_READ_BY = (
    *("-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-host-only", "-Wno-unknown-cuda-version"),
    *("-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=0", "-D__CUDA_ARCH__=900"),
    *("-D__CUDACC_RELAXED_CONSTEXPR__=1", "-D__CUDACC_EXTENDED_LAMBDA__=1", "-D__forceinline__=inline"),
    *(f"-D__{word}__=__attribute__(({word}))" for word in ("host", "device", "global", "constant", "shared")),
    *("-D__managed__=__attribute__((device))", "-D__noinline__=__attribute__((noinline))"),
)
"""How clang reads texts for nvcc: without CUDA's headers, and with the macros of the compilation of device code."""

NVPTX = Target(
    name="nvptx",
    title="the GPU",
    vendor="NVIDIA",
    triples=("nvptx64", "nvptx"),
    language="CUDA",
    source="cu",
    words=Words(
        thread="threadIdx.x",
        threads="blockDim.x",
        block="blockIdx.x",
        blocks="gridDim.x",
        team_memory="__shared__",
        barrier="__syncthreads();",
        fence="__threadfence();",
        read_only_load="__ldg",
        kernel="__global__",
        device="__device__",
        both="__host__ __device__",
        bounds="__launch_bounds__({})",
        variables=("gridDim", "blockDim", "blockIdx", "threadIdx", "warpSize"),
        xomp_thread="getLoopIndexFromCUDAVariables(1)",
        xomp_threads="getCUDABlockThreadCount(1)",
        asked=("__CUDACC__", "__CUDA_ARCH__"),
        read_by=_READ_BY,
        marked="CUDADEVICE_ATTR",
    ),
    # Static shared memory: CUDA programming guide, compute capabilities; eight blocks of 18 KiB find room on a
    # multiprocessor. For blocks of one warp ptxas does without
    # uniform registers, which makes slower code, so it hears of a thread more
    # (docs/decisions/024-one-iteration-for-each-thread.md).
    limits=Limits(
        warp=32, threads=1024, team_bytes=48 * 1024, own_bytes=8 * 1024, resident_bytes=18 * 1024, least_bound=33
    ),
    capabilities=CAPABILITIES,
    architectures=SM,
    traits=Traits(kinds=frozenset({"nohost", "gpu", "any"}), arch=frozenset({"nvptx", "nvptx64"})),
    header="rex_nvidia.h",
    names=NAMES,
    xomp="xomp_cuda_lib_inlined.cu",
    image="cubin",
    tools=NvidiaTools(),
    multiprocessors=MULTIPROCESSORS,
)
