"""The script of a packed folder: the measuring modules of this package joined to one file.

In: nothing but the modules' own text. Out: one Python file that imports only the standard library. Imports of each
other are left out, since everything stands in one file; a test insists that no two modules define the same name.
"""

from __future__ import annotations

import ast
from pathlib import Path

MODULES = (
    "plan",
    "samples",
    "outputs",
    "figures",
    "activity",
    "running",
    "machine",
    "results",
    "measuring",
    "table",
    "chart",
    "campaign",
    "packed",
)
"""In an order in which each uses only those before it."""

_FUTURE = "from __future__ import annotations"
_HEAD = f'''#!/usr/bin/env python3
"""Checks and measures the programs of this folder; bench.py --help shows the options.

Written by ``rexcc bench --pack``; needs Python 3.10 and nothing else.
"""

{_FUTURE}
'''


def script() -> str:
    """Return the text of ``bench.py``."""
    folder = Path(__file__).parent
    texts = {name: (folder / f"{name}.py").read_text(encoding="utf-8") for name in MODULES}
    imports = sorted({line for text in texts.values() for line in _standard_imports(text)}, key=_import_key)
    bodies = [f"# ---- {name} ----\n{_body(text)}" for name, text in texts.items()]
    return "\n\n".join([_HEAD + "\n" + "\n".join(imports), *bodies]) + "\n"


def _import_key(line: str) -> tuple[bool, str]:
    return line.startswith("from"), line


def _standard_imports(text: str) -> list[str]:
    """Return the imports of the standard library, one name on a line."""
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import):
            found += [f"import {name.name}" for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not _is_left_out(node.module):
            found += [f"from {node.module} import {name.name}" for name in node.names]
    return found


def _is_left_out(module: str) -> bool:
    return module == "__future__" or module.split(".")[0] == "rexcc"


def _body(text: str) -> str:
    """Return a module without its docstring and imports."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        is_docstring = node.lineno == 1 and isinstance(node, ast.Expr)
        if is_docstring or isinstance(node, ast.Import | ast.ImportFrom):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "\n".join(lines).strip("\n")
