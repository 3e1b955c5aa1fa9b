"""Variables of contention groups in the device file: storage in the memory of a block (OpenMP 6.0, 7.13).

In: ``groupprivate`` variables of file and namespace scope that device code names. Out: their pieces, each where the
unit declares the variable first::

    static __shared__ float tile[64];
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.analysis.linked_variables import is_definition
from rexcc.clang import spelling
from rexcc.clang.tree import Node
from rexcc.codegen.slice.pieces import Piece, SliceContext
from rexcc.lowering.text.alignment import own_alignments
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error


def group_piece(context: SliceContext, node: Node) -> Piece | None:
    """Return the piece of a variable; raises CompileError for one that another file defines, or a block has
    no room for."""
    unit = context.unit
    if node.file not in unit.files:
        return None
    if not is_definition(node.cursor):
        message = f"'{node.spelling}' is groupprivate and defined in another file, but each file's device code has "
        message += "its own variables of teams; call a function of that file that uses it"
        raise error("unsupported-declaration", message, unit.span(node))
    size, most = node.type.get_size(), unit.target.limits.team_bytes
    if size > most:
        message = f"'{node.spelling}', of which each team has its own, takes {size} bytes; a block has {most}"
        raise error("team-memory", message, unit.span(node))
    first = unit.tree.node(node.cursor.canonical)
    first = first if first.file in unit.files else node
    alignment = own_alignments(unit, [Variable(node.cursor)]).get(node.spelling, 0)
    aligned = f"alignas({alignment}) " if alignment else ""
    declared = spelling.declare(node.type, node.spelling)
    text = f"{aligned}static {unit.target.words.team_memory} {declared};"
    return context.piece(first, context.body(first).start(first), text)


def check_together(context: SliceContext, declarators: Iterable[Node]) -> None:
    """Raise CompileError where a declaration has a variable of the device and one of teams: they share its text."""
    for other in declarators:
        if Variable(other.cursor) in context.declared.groups:
            message = f"'{other.spelling}' is groupprivate, and device code uses another variable of its declaration; "
            message += "declare each on its own"
            raise error("unsupported-declaration", message, context.unit.span(other))
