"""Nothing but ``target`` and the headers of devices knows the words of a device's language, its limits, its tools."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import rexcc
from rexcc.target.nvptx import NVPTX

ROOT = Path(rexcc.__file__).parent
WORDS = re.compile(
    r"\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize|__shared__|__syncthreads|__syncwarp|__threadfence|__ldg"
    r"|__global__|__device__|__launch_bounds__|rex_nvidia)\b"
)
TOOLS = re.compile(r"nvcc|cubin|ptxas|\bsm_|nvptx|nvidia|cuda|\bgfx|\bamd|\bhip(?:cc)?\b|rocm", re.IGNORECASE)
KNOWN = {
    "driver/options/environment.py": "a variable of the runtime, by the name that users know",
    "driver/options/languages.py": "inputs in CUDA are the host compiler's, whatever rexcc's target is",
    "driver/tools/toolchain.py": "the name of the runtime helper's source",
    "resolution/begun_variants.py": "what a user may write between a function's parameters and its body",
}
"""Modules that name a device's words or tools, with the reason."""

LIMITS = frozenset(
    {
        NVPTX.limits.warp,
        NVPTX.limits.threads,
        NVPTX.limits.team_bytes,
        NVPTX.limits.own_bytes,
        NVPTX.limits.resident_bytes,
        NVPTX.limits.least_bound,
    }
)
OTHER_NUMBERS = {
    "clang/binding.py": "libclang's number of a kind of types",
    "analysis/compared_bounds.py": "bits of an int",
    "lowering/reductions/team_copies.py": "copies of an array",
    "lowering/loops/joined_values.py": "elements of an array, and iterations of a thread",
    "lowering/loops/small_grids.py": "elements that an iteration uses",
    "lowering/generic/steps.py": "bytes of the arrays of a team",
    "lowering/cleanups/neighbour_groups.py": "bytes of two loads of the widest kind",
    "lowering/loops/turn_counts.py": "registers of what several iterations load, and iterations",
    "lowering/loops/polynomials.py": "terms of a sum",
    "lowering/loops/row_rules.py": "registers of what several iterations load, and iterations",
    "report/units.py": "bytes of a KiB",
    "lowering/cleanups/pure_functions.py": "bits in the names of functions",
    "lowering/arguments/literals.py": "what libomptarget sends along with a launch, whatever the device",
}
"""Modules in which a number of that size means something else."""

APART = ("target", "bench")
"""``bench`` compares with hand-written CUDA programs, which nvcc compiles, and with other compilers for the GPUs."""
MODULES = {str(p.relative_to(ROOT)): p for p in ROOT.rglob("*.py") if p.relative_to(ROOT).parts[0] not in APART}


@functools.cache
def values(text: str) -> tuple[object, ...]:
    """Return the strings of a module that are no documentation, and its numbers, products and shifts evaluated."""
    return tuple(_values(list(ast.walk(ast.parse(text)))))


def _values(nodes: list[ast.AST]) -> Iterator[object]:
    apart = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    for node in nodes:
        match node:
            case ast.BinOp(ast.Constant(int(left)), ast.Mult(), ast.Constant(int(right))):
                value = left * right
            case ast.BinOp(ast.Constant(int(left)), ast.LShift(), ast.Constant(int(right))):
                value = left << right
            case _:
                continue
        apart |= {id(node.left), id(node.right)}
        yield value
    yield from (n.value for n in nodes if isinstance(n, ast.Constant) and id(n) not in apart)


def named_in(text: str) -> list[object]:
    """Return the words and tools of a device that a module names."""
    return [v for v in values(text) if isinstance(v, str) and (WORDS.search(v) or TOOLS.search(v))]


def limits_in(text: str) -> list[object]:
    """Return the limits of a device in a module."""
    return [v for v in values(text) if type(v) is int and v in LIMITS]


def test_what_would_be_found() -> None:
    text = '"""threadIdx"""\ndef f(n):\n    """nvcc"""\n    return f"{n} + threadIdx.x", "=sm_90", "NVCC", "a.cubin"\n'
    assert sorted(map(str, named_in(text))) == [" + threadIdx.x", "=sm_90", "NVCC", "a.cubin"]
    assert limits_in("f(48 * 1024, 48 << 10, 33, 1 << 32, 32 + n, 8 << 10)") == [49152, 49152, 8192, 33, 32]
    assert not limits_in("f(64, 7 * 9, True)")
    assert WORDS.search(NVPTX.words.number_in_grid())


def test_no_module_names_words_or_tools_of_a_device() -> None:
    found = {name: named for name, path in MODULES.items() if (named := named_in(path.read_text()))}
    assert found.keys() == KNOWN.keys(), found


def test_no_module_has_a_limit_of_a_device() -> None:
    found = {name: limits for name, path in MODULES.items() if (limits := limits_in(path.read_text()))}
    assert found.keys() == OTHER_NUMBERS.keys(), found
