"""Bounds and steps that the host evaluates: which ones, and that nothing of them is left to the device.

What they compute is compared in ``execution/programs/host_bounds``.
"""

from __future__ import annotations

import re

import pytest

from support import compiled

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
    "a member": ("for (int i = 0; i < s.n; i++)", ["const int __rex_bound_of_i = s.n;"]),
    "a member of what a pointer points to": (
        "for (int i = 0; i < o->n; i++)",
        ["const int __rex_bound_of_i = o->n;"],
    ),
    "an element": ("for (long i = at[1]; i < n; i++)", ["const int __rex_lower_of_i = at[1];"]),
    "a dereferenced pointer": ("for (int i = *at; i > n; i--)", ["const int __rex_lower_of_i = *at;"]),
    "a function of the host": ("for (int i = 0; i < ask(); i++)", ["const int __rex_bound_of_i = ask();"]),
    "a step": (
        "for (int i = n; i >= 0; i -= o->at->step)",
        ["const int __rex_step_of_i = o->at->step;"],
    ),
    "each part": (
        "for (int i = o->n - 1; s.in.n <= i; i = i - s.in.step)",
        ["const int __rex_lower_of_i = o->n - 1;", "const int __rex_bound_of_i = s.in.n;",
         "const int __rex_step_of_i = s.in.step;"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_the_host_evaluates(name: str) -> None:
    loop, lines = BOUNDS[name]
    found = compiled(source(loop))
    (kernel,) = found.kernels
    declared = [line.strip() for line in found.host.splitlines() if line.strip().startswith("const int __rex_")]
    assert declared == lines
    for line in lines:
        left, _, value = line.removesuffix(";").partition(" = ")
        assert f"{left} = rex_unpack<int>({left.split()[-1]}_bytes);" in kernel.body
        assert value not in kernel.body
    assert not re.search(r"\b(?:struct|at|s|o)\b", " ".join((kernel.body, *kernel.parameters)))


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
