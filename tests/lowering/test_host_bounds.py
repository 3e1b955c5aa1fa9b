"""Bounds and steps that the host evaluates: which ones, and that nothing of them is left to the device.

What they compute is compared in ``execution/programs/host_bounds``.
"""

from __future__ import annotations

import re

import pytest

from rexcc.source.own_names import related
from support import compiled, on_one_line

HEAD = """
struct part { int n, step; };
struct object { float *data; int n; struct part in, *at; };
int ask(void);
int counted(int);
#pragma omp declare target
int there(int);
#pragma omp end declare target
void f(struct object *o, struct object s, int n, const int *at, float *y) {
"""
COMBINED = "target teams distribute parallel for"


def source(loop: str, directive: str = COMBINED) -> str:
    return f"{HEAD}#pragma omp {directive}\n{loop} y[i] = 1;\n}}\n"


BOUNDS = {
    "a member of a copy": ("for (int i = 0; i < s.n; i++)", ["const int __rex_bound_of_i = s.n;"]),
    "a function of the host": ("for (int i = 0; i < ask(); i++)", ["const int __rex_bound_of_i = ask();"]),
    "a sum": ("for (int i = s.in.n + 1; i < s.n - n; i++)",
              ["const int __rex_lower_of_i = s.in.n + 1;", "const int __rex_bound_of_i = s.n - n;"]),
}  # fmt: skip
"""What nothing but the host can have another value of: nobody else gets the parameter's address."""

LOOKED_UP = {
    "a member of what a pointer points to": (
        "for (int i = 0; i < o->n; i++)",
        ["const int __rex_bound_of_i = o->n;"],
    ),
    "an element": ("for (long i = at[1]; i < n; i++)", ["const int __rex_lower_of_i = at[1];"]),
    "a dereferenced pointer": ("for (int i = *at; i > n; i--)", ["const int __rex_lower_of_i = *at;"]),
    "a step": (
        "for (int i = n; i >= 0; i -= o->at->step)",
        ["const int __rex_step_of_i = o->at->step;"],
    ),
    "each part": (
        "for (int i = o->n - 1; o->in.n <= i; i = i - o->in.step)",
        ["const int __rex_lower_of_i = o->n;", "const int __rex_bound_of_i = o->in.n;",
         "const int __rex_step_of_i = o->in.step;"],
    ),
    "a product": (
        "for (int i = 0; i < o->n * n * at[2]; i++)",
        ["const int __rex_bound_of_i_1 = o->n;", "const int __rex_bound_of_i_2 = at[2];"],
    ),
}  # fmt: skip


def declared(host: str) -> list[str]:
    """Return the lines with which the host evaluates bounds."""
    return [line.strip() for line in host.splitlines() if line.strip().startswith("const int __rex_")]


@pytest.mark.parametrize("name", BOUNDS)
def test_the_host_evaluates(name: str) -> None:
    loop, lines = BOUNDS[name]
    found = compiled(source(loop))
    (kernel,) = found.kernels
    assert declared(found.host) == lines
    for line in lines:
        left, _, value = line.removesuffix(";").partition(" = ")
        assert f"{left} = rex_unpack<int>({related('packed', left.split()[-1])});" in kernel.body
        assert value not in kernel.body
    assert not re.search(r"\b(?:struct|at|s|o)\b", " ".join((kernel.body, *kernel.parameters)))
    assert "REX_MAP_LOOKED_UP" not in found.host


@pytest.mark.parametrize("name", LOOKED_UP)
def test_the_device_is_asked(name: str) -> None:
    """Each object has a row that maps nothing, and its value in the place of its name."""
    loop, lines = LOOKED_UP[name]
    found = compiled(source(loop))
    (kernel,) = found.kernels
    assert declared(found.host) == lines
    for line in lines:
        left, _, value = line.removesuffix(";").partition(" = ")
        variable = left.split()[-1]
        address, packed = related("address", variable), related("packed", variable)
        asked = f"{left} = rex_device_value<int>({address}, rex_unpack<int>({packed}));"
        assert asked in on_one_line(kernel.body) and f"const void *{address}" in kernel.parameters
        assert value not in kernel.body
    assert found.host.count("REX_MAP_LOOKED_UP") == len(lines)
    assert not re.search(r"\b(?:struct|at|s|o)\b", " ".join((kernel.body, *kernel.parameters)))


def test_memory_that_all_share_is_not_asked_for() -> None:
    text = "#pragma omp requires unified_shared_memory\n" + source("for (int i = 0; i < o->n; i++)")
    assert "REX_MAP_LOOKED_UP" not in compiled(text).host


@pytest.mark.parametrize("clause", ["firstprivate(s)", "private(s)"])
def test_a_copy_has_the_value_of_the_host(clause: str) -> None:
    """The object's address leads away, but the region has a copy of it, made of the host's."""
    loop = "void keep(struct object *); keep(&s);\n#pragma omp " + f"{COMBINED} {clause}\nfor (int i = 0; i < s.n; i++)"
    text = f"{HEAD}{loop} y[i] = 1;\n}}\n"
    assert "REX_MAP_LOOKED_UP" not in compiled(text).host
    assert "REX_MAP_LOOKED_UP" in compiled(text.replace(clause, "")).host


@pytest.mark.parametrize(
    ("loop", "directive"),
    [
        pytest.param("for (int i = 0; i < n; i++)", COMBINED, id="a variable"),
        pytest.param("for (int i = 0; i < (int)sizeof(o->in); i++)", COMBINED, id="a constant"),
        pytest.param("for (int i = 0; i < at[0]; i++)", f"{COMBINED} is_device_ptr(at)", id="the device's memory"),
        pytest.param("for (int i = 0; i < s.n; i++)", f"{COMBINED} has_device_addr(s)", id="the device's object"),
        pytest.param(
            "for (int j = 0; j < n; j++) for (int i = j; i < at[j]; i++)",
            f"{COMBINED} collapse(2)",
            id="another index",
        ),
        pytest.param(
            "for (int i = 0; i < o->n; i++)",
            "target\n#pragma omp teams distribute parallel for",
            id="a separate target",
        ),
    ],
)
def test_the_device_evaluates(loop: str, directive: str) -> None:
    output = compiled(source(loop, directive))
    (kernel,) = output.kernels
    if "device" in directive:  # the host cannot count either
        assert "rex_tripcount" not in output.host
    assert "__rex_bound_of_i" not in kernel.body and "__rex_lower_of_i" not in kernel.body


def test_a_function_of_the_host_is_not_the_devices() -> None:
    """What only a bound calls is no device code: it may stand in another file, or do what devices cannot."""
    found = compiled(source("for (int i = 0; i < counted(ask()); i++)"))
    assert not re.search(r"\b(?:ask|counted)\b", re.sub(r"#.*", "", found.device))


@pytest.mark.parametrize(
    ("bound", "is_counted"),
    [
        ("sizeof values / sizeof values[0]", True),
        ("n / (int)sizeof(*at)", True),
        ("n / o->n", False),
        ("n % *at", False),
    ],
)
def test_the_host_counts_unless_it_may_divide_by_zero(bound: str, is_counted: bool) -> None:
    """A divisor that the device has may be zero on the host; the operand of ``sizeof`` is not evaluated."""
    text = source(f"for (int i = 0; i < {bound}; i++)").replace(HEAD, f"{HEAD}float values[8];\n")
    assert ("rex_tripcount_lt(" in compiled(text).host) == is_counted
