"""``#line`` directives of generated files: which lines are the user's, and which the compiler's.

The user's text stands behind directives that lead to his file. What is made in between counts as lines of the generated
file, never as lines of the user's: :data:`OWN` stands wherever such lines begin, and :func:`with_own_lines` puts the
directives there when the whole file is known.
"""

from __future__ import annotations

import re

OWN = "#line 0"
"""Stands for the ``#line`` of lines that belong to the generated file. No C file has it: there is no line 0."""

_NOTHING_RUNS = re.compile(r"[\s{};]*")


def line_directive(line: int, path: str) -> str:
    """Return the ``#line`` directive that leads to a place in the user's file."""
    return f"#line {line} {c_string(path)}"


def c_string(text: str) -> str:
    """Return a text as a C string literal."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def with_own_lines(text: str, name: str) -> str:
    """Return a generated text with the numbers of its own lines; ``name`` is the generated file's."""
    if OWN not in text:
        return text
    lines = text.split("\n")
    found: list[str] = []
    is_own = True
    for number, line in enumerate(lines):
        if line != OWN:
            found.append(line)
            is_own = is_own and not line.startswith("#line ")
        elif not is_own and _has_code(lines, number + 1):
            found.append(line_directive(len(found) + 2, name))
            is_own = True
    return "\n".join(found)


def _has_code(lines: list[str], start: int) -> bool:
    """Whether there is more than closing braces before the next ``#line``."""
    for line in lines[start:]:
        if line.startswith("#line "):
            return False
        if not _NOTHING_RUNS.fullmatch(line):
            return True
    return False
