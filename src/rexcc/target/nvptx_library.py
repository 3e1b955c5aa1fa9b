"""What NVIDIA's GPUs cannot execute: functions of the host's libraries, types, parts of C++.

The functions of the C library are known by name: each was compiled for a GPU and refused. Of the C++ library's, nvcc
compiles for devices what is ``constexpr``, and those of the headers that CUDA's or ours declare again.
"""

from __future__ import annotations

from rexcc.target.model import Capabilities

_HOST_FUNCTIONS = (
    "_Exit _setjmp aligned_alloc at_quick_exit atexit atof atoi atol atoll bsearch calloc clock_gettime close div "
    "drand48 exit fclose fflush fgets fopen fprintf fputc fputs fread fscanf fseek fwrite getchar getenv getpid "
    "gettimeofday isdigit ldiv lldiv longjmp nanosleep open perror posix_memalign putc putchar puts qsort quick_exit "
    "raise rand rand_r random read realloc remove scanf setjmp setlocale signal sleep snprintf sprintf srand sscanf "
    "strcmp strdup strerror strstr strtod strtok strtol strtoul system time toupper usleep vprintf write"
)
_INSTEAD = {
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

CAPABILITIES = Capabilities(
    host_functions=frozenset(_HOST_FUNCTIONS.split()),
    instead=_INSTEAD,
    constexpr_standard=17,
    shared_headers=frozenset({"cmath", "complex", "cstdlib", "cstring", "math.h", "new", "std_abs.h", "stdlib.h"}),
    exceptions=False,
    runtime_types=False,
    streams=False,
    lacking_types=frozenset({"ATOMIC", "VECTOR", "EXTVECTOR", "COMPLEX"}),
    lacking_features=frozenset({"thread_local", "static initialisation", "addresses of labels"}),
    long_double=False,
    read_only_types=OVERLOADED,
    links_units=True,
)
