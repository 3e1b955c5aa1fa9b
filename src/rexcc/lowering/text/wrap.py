"""Text around the statement of a construct.

In: lines that stand before and after a statement. Out: :class:`Wrap`, which nests, and the edits that put it there:
what comes before stands where the directive stood, what comes after behind the statement, so inner and outer
constructs cannot get in each other's way. Line numbers of the user's text stay: short text shares a line with it,
longer text is followed by a ``#line``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.clang.tree import Node
from rexcc.frontend.macros import WORD
from rexcc.frontend.scan import PragmaSite
from rexcc.frontend.statements import statement_end
from rexcc.kernel.ir import Stmt
from rexcc.kernel.printer import texts
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.constructs import Construct
from rexcc.source.line_directives import OWN, line_directive
from rexcc.source.records import dataclass
from rexcc.target.model import Words

_SHORT, _LONG = 40, 80
_HEADER = re.compile(r"\s*(?:for|if)\b")


def commented(original: str) -> str:
    """Return a directive as a comment, its lines kept."""
    return "/* " + original.replace("/*", "/ *").replace("*/", "* /").rstrip() + " */"


@dataclass(frozen=True)
class Wrap:
    """Lines before and after a statement. ``whole``: with any one statement between them they are one statement."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    whole: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the statement stands as it is."""
        return not self.before and not self.after

    def braced(self) -> Wrap:
        """Return a wrap that makes one statement."""
        if self.whole or self.is_empty:
            return Wrap(self.before, self.after, True)
        return Wrap(("{", *self.before), (*self.after, "}"), True)

    def enclosed(self) -> Wrap:
        """Return a wrap that is one statement wherever it stands: no ``else`` that follows can belong to it."""
        if self.is_empty or (self.whole and self.before[0] == "{"):
            return self
        return Wrap(("{", *self.before), (*self.after, "}"), True)

    def around(self, inner: Wrap) -> Wrap:
        """Return this wrap with another one inside, which makes one statement for it."""
        if self.is_empty:
            return inner
        made = inner.braced()
        return Wrap((*self.before, *made.before), (*made.after, *self.after), self.whole)

    def then(self, *lines: str) -> Wrap:
        """Return this wrap with statements behind it."""
        found = tuple(line for line in lines if line)
        return Wrap(self.before, (*self.after, *found), self.whole and not found)


NOTHING = Wrap(whole=True)
"""The statement as it is."""


def block(opening: Iterable[str | Stmt], closing: Iterable[str | Stmt], inner: Wrap, words: Words) -> Wrap:
    """Return a wrap in a block of its own, with code that opens and closes it."""
    first, last = texts(opening, words), texts(closing, words)
    if not first and not last:
        return inner
    return Wrap(("{", *first, *inner.before), (*inner.after, *last, "}"), True)


def insert_wrap(body: DeviceBody, construct: Construct, wrap: Wrap) -> None:
    """Put text around a construct's statement; the directive becomes a comment in front of it."""
    assert construct.body is not None
    made = wrap if _stands_in_block(construct.node) else wrap.enclosed()
    if not made.is_empty and _names_of_header(construct.node) & set(WORD.findall(" ".join(made.before))):
        made = Wrap(("{", *made.before), (*made.after, "}"), True)  # what C++ wants for a name declared again
    replace_directive(body, construct.probe.site, made.before, _statement_start(body, construct))
    insert_after(body, body.start(construct.node), statement_end(body.file, construct.body), made.after)


def replace_directive(body: DeviceBody, site: PragmaSite, lines: tuple[str, ...], beside: int | None = None) -> None:
    """Put lines where a directive stands, behind it as a comment; ``beside``: the statement that they belong to."""
    margin = _indent(body, site.start)
    indent = max(margin, _indent(body, site.start if beside is None else beside), key=len)
    own_line = body.text[body.text.rfind("\n", 0, site.start) + 1 : site.start] == margin
    comment = f"{indent[len(margin) :] if own_line else ''}{commented(site.original)}"
    body.edits.rewrite(site.start, site.end, f"{comment}{_behind(body, site.end, lines, indent)}")


def insert_after(body: DeviceBody, start: int, end: int, lines: tuple[str, ...]) -> None:
    """Put lines behind a statement, which begins with its directive if it has one."""
    if lines:
        indent = _indent(body, end) + "  " * lines.count("}")
        body.edits.after(start, end, _behind(body, end, lines, indent))


def open_body(body: DeviceBody, start: int, end: int, header: str, lines: tuple[str, ...], statement: Node) -> None:
    """Put a header and a brace in place of ``[start, end)``, lines behind them, and close it behind a statement.

    ``statement`` starts at ``end``; the braces of a block serve.
    """
    indent = _indent(body, start)
    opened = f"{header} {{".lstrip().replace("\n", f"\n{indent}")
    gap = " "
    if statement.kind == "COMPOUND_STMT" and body.text.startswith("{", end):
        end, gap = end + 1, ""
    else:
        insert_after(body, start, statement_end(body.file, statement), ("}",))
    behind = _behind(body, end, lines, f"{indent}  ", is_long="\n" in header)
    kept = "\n" * body.text.count("\n", start, end)
    body.edits.rewrite(start, end, f"{opened}{behind}{'' if '#line' in behind else kept}{gap}")


def _statement_start(body: DeviceBody, construct: Construct) -> int:
    """Return where the statement below a construct, and those stacked on it, stands."""
    assert construct.body is not None
    inner = next((c for c in construct.children if c.node.start == construct.body.start), None)
    return _statement_start(body, inner) if inner is not None and inner.body else body.start(construct.body)


def _stands_in_block(node: Node) -> bool:
    """Whether a statement may be replaced by several."""
    above = node.parent
    return above is not None and above.kind == "COMPOUND_STMT"


def _names_of_header(node: Node) -> set[str]:
    """Return the names that the header of a statement declares around a statement directly below it."""
    above = node.parent
    if above is None or above.kind == "COMPOUND_STMT":
        return set()
    header = (child for child in above.children if child is not node)
    return {inner.spelling for child in header for inner in child.walk() if inner.kind == "VAR_DECL"}


def _indent(body: DeviceBody, offset: int) -> str:
    """Return the blanks with which the line of an offset begins."""
    source = body.file.scan.source
    written = source.line_text(source.line_column(offset)[0])
    return written[: len(written) - len(written.lstrip())]


def _behind(body: DeviceBody, end: int, lines: tuple[str, ...], indent: str, is_long: bool = False) -> str:
    """Return lines to stand behind what ends at ``end``: on the same line, or each on its own where they are long."""
    if not lines and not is_long:
        return ""
    joined = " ".join(line.strip() for line in lines)
    source = body.file.scan.source
    line, _ = source.line_column(end)
    rest = body.text[end : source.line_start(line) + len(source.line_text(line))]
    if not is_long and ((len(lines) == 1 and len(joined) <= _LONG) or len(joined) <= _SHORT):
        return f" {joined}"
    path, line = source.users_path(end), source.users_line(end)
    following = [line_directive(line, path), indent] if rest.strip() else [line_directive(line + 1, path)]
    return "\n".join(["", OWN, *_indented(lines, indent), *following])


def _indented(lines: tuple[str, ...], indent: str) -> list[str]:
    """Indent lines by their braces, what a header governs by one step more."""
    found: list[str] = []
    step = ""
    for text in lines:
        if text.startswith("}"):
            indent = indent[:-2]
        found.append(f"{indent}{step}{text}")
        if text.endswith("{"):
            indent, step = f"{indent}{step}  ", ""
        else:
            step = f"{step}  " if _HEADER.match(text) and not text.endswith((";", "}")) else ""
    return found
