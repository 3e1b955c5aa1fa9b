"""Nothing but ``target`` and the headers of devices knows the words of a device's language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import rexcc
from rexcc.target.nvptx import NVPTX

ROOT = Path(rexcc.__file__).parent
WORDS = re.compile(
    r"\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize|__shared__|__syncthreads|__syncwarp|__threadfence|__ldg|__global__|__device__"
    r"|__launch_bounds__|rex_nvidia)\b"
)
KNOWN = {
    "resolution/begun_variants.py": "what a user may write between a function's parameters and its body",
}
LIMITS = frozenset({NVPTX.limits.team_bytes, NVPTX.limits.least_bound})
MODULES = {str(p.relative_to(ROOT)): p for p in ROOT.rglob("*.py") if p.relative_to(ROOT).parts[0] != "target"}


def values(text: str) -> Iterator[object]:
    """Yield the strings of a module that are no documentation, and its numbers, products and shifts evaluated."""
    tree = ast.parse(text)
    documentation = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            yield node.value
        match node:
            case ast.BinOp(ast.Constant(int(left)), ast.Mult(), ast.Constant(int(right))):
                yield left * right
            case ast.BinOp(ast.Constant(int(left)), ast.LShift(), ast.Constant(int(right))):
                yield left << right


def found_in(text: str) -> list[object]:
    """Return the words and limits of a device in a module."""
    return [v for v in values(text) if (isinstance(v, str) and WORDS.search(v)) or (type(v) is int and v in LIMITS)]


def test_what_would_be_found() -> None:
    text = '"""threadIdx"""\ndef f(n):\n    """gridDim"""\n    return f"{n} + threadIdx.x", 48 * 1024, 48 << 10, 33\n'
    assert sorted(map(str, found_in(text))) == [" + threadIdx.x", "33", "49152", "49152"]
    assert WORDS.search(NVPTX.words.number_in_grid())


def test_no_module_names_a_word_or_limit_of_a_device() -> None:
    found = {name: named for name, path in MODULES.items() if (named := found_in(path.read_text()))}
    assert found.keys() == KNOWN.keys(), found
