"""Preprocessed text gets ``#include`` lines again for the system's headers, and keeps all else."""

from __future__ import annotations

import pytest

from rexcc.frontend.line_markers import with_includes

FOLDERS = ("/usr/include/c++/12", "/usr/lib/clang/19/include", "/usr/include/x86_64-linux-gnu", "/usr/include")
CLANG = b"""# 1 "dir/t.c"
# 1 "<built-in>" 1
# 1 "<built-in>" 3
# 370 "<built-in>" 3
# 1 "<command line>" 1
# 1 "<built-in>" 2
# 1 "dir/t.c" 2
# 1 "/usr/include/stdio.h" 1 3 4
# 27 "/usr/include/stdio.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/libc-header-start.h" 1 3 4
# 28 "/usr/include/stdio.h" 2 3 4
extern int printf(const char *, ...);
# 2 "dir/t.c" 2
# 1 "dir/own.h" 1
#pragma once
# 1 "/usr/include/x86_64-linux-gnu/sys/types.h" 1 3 4
typedef int pid_t;
# 3 "dir/own.h" 2
int own;
# 3 "dir/t.c" 2
#pragma omp target
{ own = 1; }
"""
PLAIN = """# 1 "dir/t.c"
# 1 "dir/t.c"
#include <stdio.h>
# 2 "dir/t.c"
# 1 "dir/own.h"
#pragma once
#include <sys/types.h>
# 3 "dir/own.h"
int own;
# 3 "dir/t.c"
#pragma omp target
{ own = 1; }
"""
HEADERS = {
    "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/vector": "<vector>",
    "/usr/include/x86_64-linux-gnu/sys/types.h": "<sys/types.h>",
    "/usr/lib/clang/19/include/omp.h": "<omp.h>",
    "/usr/lib/gcc/x86_64-linux-gnu/11/include/stddef.h": "<stddef.h>",
    "/opt/lib/clang/17/include/immintrin.h": "<immintrin.h>",
    "/opt/mpi/include/mpi.h": '"/opt/mpi/include/mpi.h"',
}


def test_what_is_the_users_stays_in_place() -> None:
    assert with_includes(CLANG, FOLDERS).decode() == PLAIN


@pytest.mark.parametrize("path", HEADERS)
def test_a_header_has_the_name_by_which_each_compiler_finds_its_own(path: str) -> None:
    text = f'# 0 "t.c"\n# 1 "/usr/include/stdc-predef.h" 1 3 4\n# 1 "{path}" 1 3\nint x;\n# 2 "t.c" 2\nint y;\n'
    wanted = f'# 0 "t.c"\n#include {HEADERS[path]}\n# 2 "t.c"\nint y;\n'
    text = text.replace("4\n# 1", '4\n# 0 "<command-line>" 2\n# 1', 1)
    assert with_includes(text.encode(), FOLDERS).decode() == wanted


def test_a_header_at_the_end_and_text_without_markers() -> None:
    assert with_includes(b'# 1 "/usr/include/math.h" 1 3\nint x;', FOLDERS) == b"#include <math.h>\n"
    plain = b'int a;\r\n#pragma omp target\n#if 0\n#endif\nchar *s = "# 1";'
    assert with_includes(plain, FOLDERS) == plain
