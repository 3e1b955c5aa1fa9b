"""What throws in functions of libraries, in device code that has no exceptions.

In: a range of device code. Out: edits. A library's ``throw``, and its calls of functions that never return, end the
program there, which tells what is thrown: ``rex_thrown("std::out_of_range(…)")``. Of a user's own text they are errors.
"""

from __future__ import annotations

from rexcc.clang import ends
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_LONGEST = 120
_QUOTED = regex(r'["\\]')
_CALLED = regex(r"(?:::\s*)?(?:\w+\s*::\s*)*(?P<name>\w+)\s*[(<]")
_THROW = regex(r"throw\b\s*")


@dataclass(frozen=True)
class _End:
    """A range of the user's text, and what stands for the expression there; empty in a macro's."""

    start: int
    end: int
    text: str


def lower_ends(body: DeviceBody, start: int, end: int) -> None:
    """End the program where a library's text in a range throws."""
    if not body.unit.tree.ending:
        return
    for found in body.unit.kept(_ends).get(body.file.scan.source.path, ()):
        if not (start <= found.start and found.end <= end) or not body.edits.is_free(found.start, found.end):
            continue
        if found.text:
            body.edits.replace(found.start, found.end, found.text)
        else:
            body.expand(found.start)


def _ends(unit: ParsedUnit) -> dict[str, set[_End]]:
    """Return the expressions that end the program in each of the libraries' files."""
    found: dict[str, set[_End]] = {}
    for top in (node for node in unit.declarations if node.file in unit.tree.ending):
        for node in top.walk():
            if node.is_end and node.file in unit.files:
                found.setdefault(unit.files[node.file].scan.source.path, set()).add(_end(unit, node))
    return found


def _end(unit: ParsedUnit, node: Node) -> _End:
    file = unit.files[node.file]
    start, end = file.original(node.start), file.original_end(node.end)
    text = file.scan.source.text
    if _is_hidden(node, text, start, end):
        return _End(start, end, "")
    thrown = " ".join(_THROW.sub("", text[start:end]).split())[:_LONGEST]
    words = _QUOTED.sub(r"\\\g<0>", thrown) or "the same exception"
    return _End(start, end, f'rex_thrown{_type(unit, node)}("{words}")')


def _is_hidden(node: Node, text: str, start: int, end: int) -> bool:
    """Whether an expression is a part of what a macro makes, so that its range says something else too."""
    if node.kind == "CXX_THROW_EXPR":
        return not text.startswith("throw", start)
    called = _CALLED.match(text, start, end)
    return called is None or called["name"] != ends.called_name(node.cursor) or text[end - 1] != ")"


def _type(unit: ParsedUnit, node: Node) -> str:
    """Return the argument by which an operand of a conditional expression has the type of the other one."""
    chosen = node
    while chosen.parent is not None and chosen.parent.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR"):
        chosen = chosen.parent
    above = chosen.parent
    if above is None or above.kind != "CONDITIONAL_OPERATOR" or chosen is above.children[0]:
        return ""
    other = next(child for child in above.children[1:] if child is not chosen)
    return f"_as<decltype(({unit.user_text(other)}))>"
