"""The loops that ``tile``, ``interchange`` and ``reverse`` make, in the kernel and in the host version alike."""

from __future__ import annotations

import re

import pytest

import support

MADE = {
    "reverse of constants": (
        "reverse\n  for (int i = 0; i < 8; ++i) p[i] = i;",
        "for (int i = 8 - 1; i >= 0; i--) p[i] = i;",
    ),
    "reverse with a step": (
        "reverse\n  for (int i = 20; i > 3; i -= 5) p[i] = i;",
        "for (int i = 5; i <= 20; i += 5) p[i] = i;",
    ),
    "reverse of unsigned constants": (  # 0 - 1 is none of an unsigned index's values below 0
        "reverse\n  for (unsigned i = 0; i < 8; i++) p[i] = i;",
        "for (long long __rex_reverse_i = (long long)8 - 1; __rex_reverse_i >= 0; __rex_reverse_i--) {\n"
        "    unsigned int i = (unsigned int)__rex_reverse_i;\n    p[i] = i;\n  }",
    ),
    "reverse of a run": (
        "reverse\n  for (int i = 1; i <= n; i++) {\n    p[i] = i;\n  }",
        "for (long long __rex_reverse_i = (long long)n; __rex_reverse_i >= 1; __rex_reverse_i--) {\n"
        "    int i = (int)__rex_reverse_i;\n    p[i] = i;\n  }",
    ),
    "reverse of 64 bits": (
        "reverse\n  for (long i = 0; i < w; i++) p[i] = i;",
        "for (long long __rex_number_i = (long long)w - 1; __rex_number_i >= 0; __rex_number_i--) {\n"
        "    long i = (long)__rex_number_i;\n    p[i] = i;\n  }",
    ),
    "interchange": (
        "interchange\n  for (int i = 0; i < n; i++) {\n    for (int j = n; j > 0; j--) p[i] = j;\n  }",
        "for (int j = n; j > 0; j--) {\n    for (int i = 0; i < n; i++) p[i] = j;\n  }",
    ),
    "tile": (
        "tile sizes(4, n)\n  for (int i = 0; i < n; i++)\n    for (int j = n; j >= 0; j -= 2) p[i] = j;",
        "for (long long __rex_tile_of_i = 0; __rex_tile_of_i < n; __rex_tile_of_i += 4)\n"
        "  for (long long __rex_tile_of_j = n; __rex_tile_of_j >= 0; __rex_tile_of_j -= (long long)2 * n)\n"
        "  for (int i = (int)__rex_tile_of_i; i < (__rex_tile_of_i + 4 < n ? __rex_tile_of_i + 4 : n); i++)\n"
        "    for (int j = (int)__rex_tile_of_j; j >= (__rex_tile_of_j - (long long)2 * n + 2 > 0 ? "
        "__rex_tile_of_j - (long long)2 * n + 2 : 0); j -= 2) p[i] = j;",
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_loops_are_edits_of_the_users_text(name: str) -> None:
    statement, expected = MADE[name]
    head = "void f(int n, long w, int *p) {\n  #pragma omp target map(tofrom: p[0:n])\n  {\n"
    made = support.compiled(f"{head}  #pragma omp {statement}\n}}\n}}\n")
    directive = statement.partition("\n")[0]
    for text in (made.device, made.host):
        lines = re.sub(r"#line .*\n", "", text)
        assert f"/* #pragma omp {directive} */\n  {expected}" in lines


def test_an_index_from_outside_is_private_in_a_shared_loop() -> None:
    made = support.compiled(
        "void f(int n, int *p) {\n  int i;\n#pragma omp target map(tofrom: p[0:n])\n  {\n"
        "#pragma omp parallel for\n#pragma omp tile sizes(4)\n  for (i = 0; i < n; i++) p[i] = i;\n"
        "#pragma omp tile sizes(4)\n  for (i = 0; i < n; i++) p[i] = i;\n  }\n}\n"
    )
    assert (
        made.host.count("for (int i = (int)__rex_tile_of_i;") == made.host.count("for (i = (int)__rex_tile_of_i;") == 1
    )
