"""Code in the places of the user's constructs and loops.

In: code with a place for the user's statement. Out: edits that put it there. What comes before the statement stands
where the directive, or the header of the loop, stood; what comes after, behind the statement. How that is laid out is
the printer's business (:mod:`rexcc.kernel.printer`).
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang.tree import Node
from rexcc.frontend.scan import PragmaSite
from rexcc.frontend.statements import statement_end, statement_start
from rexcc.kernel.code import declared, walk
from rexcc.kernel.ir import (
    AroundExpression,
    Block,
    Code,
    Guard,
    Inside,
    User,
    UserSlot,
)
from rexcc.kernel.layout import Layout, Place
from rexcc.lowering.text.body import DeviceBody, Placed
from rexcc.lowering.text.local_labels import is_plain_block
from rexcc.lowering.text.unseen import refuse_unseen
from rexcc.program.constructs import Construct
from rexcc.source.edits import Quote
from rexcc.source.line_directives import OWN, line_directive
from rexcc.source.records import replace

USER: Code = (UserSlot(),)
"""The user's statement as it is."""


def commented(original: str) -> str:
    """Return a directive as a comment, its lines kept."""
    return "/* " + original.replace("/*", "/ *").replace("*/", "* /").rstrip() + " */"


def guarded(condition: str, inner: Code) -> Code:
    """Return statements for those threads for which a condition holds."""
    return (Guard(condition, inner if len(inner) == 1 else (Block("", inner),), bare=True),)


def place_construct(body: DeviceBody, construct: Construct, code: Code) -> None:
    """Put code in the place of a construct, with its statement in it; the directive becomes a comment in front."""
    assert construct.body is not None
    place_statements(body, construct, _alone(construct.node, code), statement_end(body.file, construct.body))


def place_statements(body: DeviceBody, construct: Construct, code: Code, end: int) -> None:
    """Put code in the place of a construct and of all statements from its own to ``end``."""
    site = construct.probe.site
    inside = _directive(body, site, code, _statement_start(body, construct), end)
    _place(body, site.start, end, inside, Quote(site.end, end))


_ASKING_NOTHING = frozenset({"simd", "unroll", "tile", "assume", "taskgroup", "taskwait", "taskyield"})
"""Leaves without which code does the same."""


def place_directive(body: DeviceBody, site: PragmaSite, code: Code = (), beside: int | None = None) -> None:
    """Put code where a directive stands, behind it as a comment; ``beside``: the statement that it belongs to."""
    inside = _directive(body, site, code, beside, site.end)
    body.edits.restructure(site.start, site.end, Placed(inside, body.unit.target.words))


def place_header(body: DeviceBody, start: int, first: int, block: Block, statement: Node, end: int = 0) -> None:
    """Put a block around a statement, with its header in place of ``[start, first)``; the braces of a block serve.

    ``statement`` starts at ``first``; what stands between it and ``end`` goes. The closing brace of a
    user's block serves for the innermost block around it, in which no code may follow; it may in those around that one.
    """
    assert _is_last_in_block(block)
    last = statement_end(body.file, statement)
    end = max(end, last)
    is_block = statement.kind == "COMPOUND_STMT" and is_plain_block(body.text, first)
    opened = first + 1 if is_block else first
    inside = Inside(
        (block,), Layout.HEADER, _placed_at(body, opened, indent_of(body, start)), _placed_at(body, last),
        dropped="\n" * body.text.count("\n", start, opened), dropped_behind="\n" * body.text.count("\n", last, end),
    )  # fmt: skip
    source = body.file.scan.source
    user = User((), source.users_line(first), source.users_path(first), is_block=is_block, closes=is_block)
    _place(body, start, end, inside, Quote(first, last), user)


def _is_last_in_block(code: Block) -> bool:
    """Whether the user's statement is the last one of the innermost block around it."""
    blocks = (inner for inner in walk((code,)) if isinstance(inner, Block))
    return all(block.body[-1:] == USER for block in blocks if any(one in USER for one in block.body))


def place_around(body: DeviceBody, start: int, end: int, code: Code, order: int = 0) -> None:
    """Put code around statements; ``order`` is that of the edit, if it is not the next one."""
    inside = Inside(code, Layout.LINE, _placed_at(body, start), _placed_at(body, end))
    _place(body, start, end, inside, Quote(start, end), order=order)


def place_expression(
    body: DeviceBody, start: int, end: int, made: AroundExpression, order: int = 0, last: int = 0
) -> None:
    """Put an expression around the user's in ``[start, end)``; calls for outer ones come first.

    ``order`` is that of the edit, if it is not the next one; what stands between ``end`` and ``last`` goes.
    """
    place, last = _placed_at(body, start), max(last, end)
    dropped = "\n" * body.text.count("\n", end, last)
    inside = Inside((made,), Layout.EXPRESSION, place, place, dropped_behind=dropped)
    _place(body, start, last, inside, Quote(start, end), order=order)


def place_in_lines(body: DeviceBody, start: int, end: int, code: Code) -> None:
    """Put code around statements, what begins with declarations or a loop; they keep their column."""
    _, column = body.file.scan.source.line_column(start)
    behind = replace(_placed_at(body, end), indent=" " * (column - 1))
    inside = Inside(code, Layout.LINES, _placed_at(body, start), behind)
    _place(body, start, end, inside, Quote(start, end))


def place_instead(body: DeviceBody, start: int, end: int, code: Code) -> None:
    """Put code in the place of a statement; each line of it counts as the user's, and as many lines stay."""
    lines = "\n" * body.text.count("\n", start, end)
    place = _placed_at(body, start)
    inside = Inside(code, Layout.LINE, place, place, dropped_behind=lines)
    body.edits.restructure(start, end, Placed(inside, body.unit.target.words))


def place_behind(body: DeviceBody, start: int, end: int, code: Code) -> None:
    """Put code behind ``[start, end)``."""
    place = _placed_at(body, end)
    body.edits.after(start, end, (Placed(Inside(code, Layout.BEHIND, place, place), body.unit.target.words),))


def place_before(body: DeviceBody, start: int, end: int, code: Code) -> None:
    """Put code in front of ``[start, end)``."""
    place = _placed_at(body, start)
    body.edits.before(start, end, (Placed(Inside(code, Layout.BEFORE, place, place), body.unit.target.words),))


def resumed(body: DeviceBody, offset: int) -> str:
    """Return the end of a line of code in the user's line, which goes on behind it."""
    source = body.file.scan.source
    place = line_directive(source.users_line(offset), source.users_path(offset))
    return f"\n{place}\n{indent_of(body, offset)}"


def in_own_line(body: DeviceBody, offset: int, text: str) -> str:
    """Return code of the compiler's in the middle of the user's line, which goes on behind it."""
    return f"\n{OWN}\n{indent_of(body, offset)}{text}{resumed(body, offset)}"


def _place(
    body: DeviceBody, start: int, end: int, inside: Inside, kept: Quote, user: User | None = None, order: int = 0
) -> None:
    source = body.file.scan.source
    made = user or User((), source.users_line(kept.start), source.users_path(kept.start))
    body.edits.restructure(start, end, Placed(inside, body.unit.target.words, kept, made), order)


def _directive(body: DeviceBody, site: PragmaSite, code: Code, beside: int | None, end: int) -> Inside:
    margin = indent_of(body, site.start)
    indent = max(margin, indent_of(body, site.start if beside is None else beside), key=len)
    comment = f"{indent[len(margin) :] if begins_line(body, site.start) else ''}{commented(site.original)}"
    return Inside(code, Layout.DIRECTIVE, _placed_at(body, site.end, indent), _placed_at(body, end), comment)


def begins_line(body: DeviceBody, offset: int) -> bool:
    """Whether nothing but blanks stands in front of an offset in its line."""
    return not body.text[body.text.rfind("\n", 0, offset) + 1 : offset].strip()


def _placed_at(body: DeviceBody, offset: int, indent: str | None = None) -> Place:
    """Return the place behind an offset; ``indent`` is that of the offset's line where it is not given."""
    source = body.file.scan.source
    line, _ = source.line_column(offset)
    rest = body.text[offset : source.line_start(line) + len(source.line_text(line))]
    indent = indent_of(body, offset) if indent is None else indent
    return Place(source.users_line(offset), source.users_path(offset), indent, not rest.strip())


def _alone(node: Node, code: Code) -> Code:
    """Return code that may stand in the place of a statement: where that is no block's, as one statement.

    No ``else`` that follows belongs to it, and a name that the header around it declares may be declared again.
    """
    if node.parent is not None and node.parent.kind == "COMPOUND_STMT":
        return code
    if code == USER:
        return code
    one = code[0] if len(code) == 1 else None
    made = one if isinstance(one, Block) and not one.head else Block("", code)
    return (Block("", (made,)) if _names_of_header(node).intersection(declared(made.body)) else made,)


def _statement_start(body: DeviceBody, construct: Construct) -> int:
    """Return where the statement below a construct, and those stacked on it, stands."""
    assert construct.body is not None
    inner = next((c for c in construct.children if c.node.start == construct.body.start), None)
    return (
        _statement_start(body, inner)
        if inner is not None and inner.body
        else statement_start(body.file, construct.body)
    )


def _names_of_header(node: Node) -> set[str]:
    """Return the names that the header of a statement declares around a statement directly below it."""
    above = node.parent
    if above is None or above.kind == "COMPOUND_STMT":
        return set()
    header = (child for child in above.children if child is not node)
    return {inner.spelling for child in header for inner in child.walk() if inner.kind == "VAR_DECL"}


def indent_of(body: DeviceBody, offset: int) -> str:
    """Return the blanks with which the line of an offset begins."""
    source = body.file.scan.source
    written = source.line_text(source.line_column(offset)[0])
    return written[: len(written) - len(written.lstrip())]


def insist_on_placed(body: DeviceBody, constructs: Iterable[Construct], start: int, end: int) -> None:
    """Insist that the constructs in a copied text have been lowered, for their directives would become comments, and
    what they ask for would be lost without a word; raises AssertionError."""
    for construct in constructs:
        site = construct.probe.site
        is_here = construct.file is body.file and start <= site.start and site.end <= end
        asks = any(leaf not in _ASKING_NOTHING for leaf in construct.directive.leaves)
        if is_here and asks and body.edits.is_free(site.start, site.end):
            raise AssertionError(f"'{construct.directive.name}' has not been lowered")


def comment_pragmas(body: DeviceBody, start: int, end: int) -> None:
    """Make comments of the OpenMP directives in a copied text that nothing has rewritten: those that kernels do not
    execute, for they are the host's, and declarations."""
    refuse_unseen(body, start, end)
    for site in body.file.scan.pragmas_in(start, end):
        if site.end <= end and body.edits.is_free(site.start, site.end):
            body.edits.replace(site.start, site.end, commented(site.original))
