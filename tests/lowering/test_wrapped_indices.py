"""Remainders of neighbours' indices: which are a comparison and a subtraction."""

from __future__ import annotations

import re

import pytest

from support import compiled, translate_text

NEST = "for (int y = 1; y < h - 1; y++) for (int x = 0; x < w; x++)"


def text_of(value: str, loops: str = NEST) -> str:
    collapse = loops.count("for")
    found = compiled(
        "void f(const float *a, float *b, int h, int w) {\n"
        f"#pragma omp target teams distribute parallel for collapse({collapse}) "
        "map(to : a[0:h*w]) map(from : b[0:h*w])\n"
        f"{loops} b[x] = a[{value}];\n}}\n"
    )
    return re.sub(r"\s+", " ", found.kernels[0].body)


@pytest.mark.parametrize(
    "value",
    ["(x + 1) % w", "(x + w - 1) % w", "(x - 1 + w) % w", "(w + x) % w", "x % w", "(y + 2) % h", "(y - 1) % h",
     "(y + h - 2) % h", "(y + 4) % h", "((x) + (1)) % (w)"],
)  # fmt: skip
def test_sums_of_less_than_two_extents_are_wrapped(value: str) -> None:
    text = text_of(value)
    assert "rex_wrapped(" in text and "rex_remainder(" not in text


@pytest.mark.parametrize(
    "value",
    ["(x + 2) % w", "(x + w + 1) % w", "(x + w - 2) % w", "(x - 1) % w", "(x + w + w - 1) % w", "(x + y) % w",
     "(2 * x) % w", "(y + 1) % w", "(y - 2) % h", "(y + 5) % h", "(y + h - 5) % h", "(x + (int)a[0]) % w",
     "(x + x) % w", "(1 - x + w) % w", "(x + 1u) % w"],
)  # fmt: skip
def test_others_are_not(value: str) -> None:
    assert "rex_wrapped(" not in text_of(value)


@pytest.mark.parametrize(
    "loops",
    [
        "for (int x = 0; x <= w; x++)", "for (int x = -1; x < w; x++)", "for (int x = w - 1; x >= 0; x--)",
        "for (int x = 0; x < w + 1; x++)", "for (int x = 0; x < h; x++)", "for (int x = 0; x < w * 1; x++)",
        "for (int x = h; x < w; x++)", "for (long x = 0; x < w; x++)",
    ],
)  # fmt: skip
def test_bounds_have_to_say_so(loops: str) -> None:
    assert "rex_wrapped(" not in text_of("(x + 1) % w", loops)


def test_sums_that_wrap_may_be_negative() -> None:
    source = (
        "void f(int *b, int w) {\n#pragma omp target teams distribute parallel for map(from : b[0:w])\n"
        "for (int x = 0; x < w; x++) b[x] = (x + w - 1) % w;\n}\n"
    )
    for wraps in (False, True):
        found = translate_text(source, wraps=wraps)
        assert found.device is not None
        assert ("rex_wrapped(" in found.device.text) != wraps
