"""What the tests of the compiler's own text ask of its modules, each read and parsed once.

In: the path of a module. Out: what it imports, calls and says of itself.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass, field
from pathlib import Path

import rexcc

ROOT = Path(rexcc.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass
class Facts:
    """Of a module: its text and docstring, the full names that it imports, the lines of imports inside of functions,
    the names of what it calls."""

    text: str
    docstring: str | None
    imports: list[str] = field(default_factory=list)
    inner_imports: list[int] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)


@functools.cache
def facts_of(path: Path) -> Facts:
    """Read a module."""
    text = path.read_text()
    tree = ast.parse(text)
    found = Facts(text, ast.get_docstring(tree))
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        _note(found, node, inside)
        inside = inside or isinstance(node, _FUNCTIONS)
        waiting += [(child, inside) for child in ast.iter_child_nodes(node)]
    return found


def _note(found: Facts, node: ast.AST, inside: bool) -> None:
    if isinstance(node, ast.Import | ast.ImportFrom):
        found.inner_imports += [node.lineno] if inside else []
        if isinstance(node, ast.Import):
            found.imports += [a.name for a in node.names]
        else:
            assert node.level == 0, f"line {node.lineno}: relative import"
            found.imports += [f"{node.module}.{a.name}" for a in node.names]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
        found.calls.add(node.func.id if isinstance(node.func, ast.Name) else node.func.attr)
