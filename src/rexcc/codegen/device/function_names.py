"""What ``__func__`` and its like mean in a kernel: the name of the function that the user wrote the region in.

In: a kernel and the macros of the device file. Out: the macros around the kernel's text that make these words strings.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang.tree import FUNCTION_KINDS
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.source.line_directives import c_string
from rexcc.source.patterns import regex

_NAMES = regex(r"\b__(?:func|FUNCTION|PRETTY_FUNCTION)__\b")
_PRETTY = "__PRETTY_FUNCTION__"


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return which of the words stand in texts."""
    return frozenset(word for text in texts for word in _NAMES.findall(text))


def with_function_names(unit: ParsedUnit, kernel: Kernel, text: str, in_macros: frozenset[str]) -> str:
    """Return a kernel's text between the definitions of the words that its region or a macro has; ``in_macros`` are
    theirs.

    The words mean something else in a lambda of the region, so that nothing is defined where one has them.
    """
    words = names_in([unit.user_text(kernel.region.body)]) | in_macros
    if not words:
        return text
    lambdas = [n for n in kernel.region.body.walk() if n.kind == "LAMBDA_EXPR"]
    if names_in(unit.user_text(n) for n in [*lambdas, *(c.definition for c in kernel.data.closures)]):
        return text
    name = _function_name(kernel)
    strings = {word: name if word != _PRETTY else _pretty(unit, kernel) for word in sorted(words)}
    opening = [f"#define {word} {c_string(value)}\n" for word, value in strings.items() if value]
    closing = [f"#undef {word}\n" for word, value in strings.items() if value]
    return "".join([*opening, text, *closing])


def _function_name(kernel: Kernel) -> str:
    body = kernel.region.body
    node = next((n for n in (body, *body.ancestors()) if n.kind == "LAMBDA_EXPR" or n.kind in FUNCTION_KINDS), None)
    if node is not None and node.kind == "LAMBDA_EXPR":
        return "operator()"
    owner = kernel.region.owner.node
    name = str(owner.cursor.spelling)
    return name.partition("<")[0] if owner.kind in ("CONSTRUCTOR", "DESTRUCTOR") else name


def _pretty(unit: ParsedUnit, kernel: Kernel) -> str:
    """Return what ``__PRETTY_FUNCTION__`` is where the region has it; a template's depends on its arguments."""
    for node in kernel.region.body.walk():
        if node.kind == "STRING_LITERAL" and unit.user_text(node) == _PRETTY:
            return str(node.cursor.spelling)[1:-1]
    return ""
