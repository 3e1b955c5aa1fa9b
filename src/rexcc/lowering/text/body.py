"""Device text of the user's code: his bytes with the edits that device code needs.

In: nodes of functions and region bodies. Out: :class:`DeviceBody`, which collects edits in the user's offsets and gives
the edited text. Passes add edits; nothing is printed from the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import groupby

from rexcc.clang.tree import Node
from rexcc.frontend.probe import ProbedFile
from rexcc.kernel.code import in_place
from rexcc.kernel.ir import Bind, Inside, User
from rexcc.kernel.printer import inside_text
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.resolution.rewriting import line_marks
from rexcc.source.edits import Edit, EditList, Quote, Quoted, separated
from rexcc.source.expansion_notes import in_users_text
from rexcc.source.line_directives import line_directive
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field, replace
from rexcc.source.text import Span
from rexcc.target.model import Words

_DIRECTIVE_LINE = regex(
    r"^[ \t]*#[ \t]*(?P<kind>if|ifdef|ifndef|elif|else|endif|error|warning|line)\b(?:\\\r?\n|[^\n])*", re.M
)


@dataclass
class Needs:
    """What the lowered constructs of a piece of device code need around them.

    ``synchronises``: its threads wait for each other, so the CPU device must run them as fibers. ``state``: it asks
    the run-time for its team. ``linked_state``: it does so in functions that know their team in an image of their unit
    alone. ``team_memory``: the team has arrays whose extents the run knows. ``criticals``: the
    locks it takes, by name. ``aligned``: alignments of variables. ``answered``: where calls of OpenMP's
    routines stand that have been seen to. ``may_have_fours``: it is a kernel's, and loops of its form for small grids
    may load neighbouring elements in fours; ``has_forms``: some loops are others in that form.
    ``may_take_neighbours``: a thread may take neighbouring iterations of a loop together. ``lanes``: its teams are so
    many lanes of a warp, 0 for blocks.
    """

    synchronises: bool = False
    state: bool = False
    linked_state: bool = False
    team_memory: bool = False
    criticals: set[str] = field(default_factory=set)
    aligned: dict[Variable, int] = field(default_factory=dict)
    answered: set[int] = field(default_factory=set)
    may_have_fours: bool = False
    has_forms: bool = False
    may_take_neighbours: bool = False
    lanes: int = 0

    @property
    def of_lanes(self) -> str:
        """One argument more of templates whose threads are a block's, or so many lanes; empty for the first."""
        return f", {self.lanes}" if self.lanes else ""


@dataclass(frozen=True)
class Placed:
    """Code in the place of a range of the user's text, of which ``kept`` stays, as ``user`` says."""

    inside: Inside
    words: Words
    kept: Quote | None = None
    user: User = User((), 0, "")

    def node(self, parts: Callable[[int, int], tuple[str | Inside, ...]]) -> Inside:
        """Return the code with what stays of the user's text in it."""
        if self.kept is None:
            return self.inside
        user = replace(self.user, parts=parts(self.kept.start, self.kept.end))
        return replace(self.inside, code=in_place(self.inside.code, (user,)))

    def text(self, quoted: Quoted) -> str:
        """Return it as text."""
        return inside_text(self.node(lambda start, end: (quoted(start, end),)), self.words)


@dataclass(eq=False)
class DeviceBody:
    """Edits of one piece of device code; ``file`` is where it stands.

    ``collapsed`` says where loops start that have become a part of the one around them: nothing can stand in front.
    ``bins`` has, for the ``atomic`` constructs that add to bins of the block, by their places, the run-time function
    and the variable that stands for the bins. ``aliases`` are references to a kernel's variables by other names.
    """

    unit: ParsedUnit
    file: ProbedFile
    edits: EditList = field(default_factory=EditList)
    needs: Needs = field(default_factory=Needs)
    collapsed: set[int] = field(default_factory=set)
    bins: dict[int, tuple[str, str]] = field(default_factory=dict)
    aliases: dict[str, Bind] = field(default_factory=dict)

    def start(self, node: Node) -> int:
        """Return where a node starts in the user's text."""
        return self.file.original(node.start)

    def end(self, node: Node) -> int:
        """Return where a node's last token ends in the user's text."""
        return self.file.original_end(node.end)

    @property
    def text(self) -> str:
        """The user's text."""
        return self.file.scan.source.text

    def original(self, node: Node) -> str:
        """Return a node's characters as the user wrote them."""
        return self.text[self.start(node) : self.end(node)]

    def edited(self, start: int, end: int) -> str:
        """Return a range with all edits inside it.

        Raises ExpansionNeeded where one of them changes what a macro makes of its arguments.
        """
        self._check(start, end)
        return self.edits.apply(self.text, start, end)

    def _check(self, start: int, end: int) -> None:
        inside = (e for e in self.edits.edits if start <= e.start and e.end <= end)
        self.unit.macro_uses.check(self.file.scan.source.path, inside)

    def user(self, start: int, end: int) -> User:
        """Return a range as a statement of the user's, with all edits inside it."""
        self._check(start, end)
        source = self.file.scan.source
        return User(self._parts(start, end), source.users_line(start), source.users_path(start))

    def _parts(self, start: int, end: int, around: Edit | None = None) -> tuple[str | Inside, ...]:
        found: list[str | Inside] = []
        tree = self.edits.tree(self.text, start, end, around)
        for is_text, group in groupby(tree, lambda one: isinstance(one, str)):
            if is_text:
                found.append("".join(separated(one for one in group if isinstance(one, str))))
                continue
            for edit in group:
                assert isinstance(edit, Edit) and isinstance(edit.structure, Placed)
                found.append(edit.structure.node(partial(self._parts, around=edit)))
        return tuple(found)

    def edited_node(self, node: Node) -> str:
        """Return a node with all edits inside it, on one line."""
        return self.edited_expression(self.start(node), self.end(node))

    def edited_expression(self, start: int, end: int) -> str:
        """Return a range with all edits inside it, on one line; raises ExpansionNeeded as :meth:`edited` does."""
        self._check(start, end)
        return self.edits.on_one_line(self.text, start, end)

    def expand(self, offset: int) -> None:
        """Ask for the expansion of the macro that the user's text uses at an offset: it hides what has to be edited."""
        place = in_users_text(Span(self.file.scan.source, offset, offset + 1))
        if place is not None:
            self.unit.hidden.add((place.source.path, place.start))

    def quoted(self, node: Node) -> Quote:
        """Return what stands, in the text of an edit, for a node with its edits."""
        return Quote(self.start(node), self.end(node))

    def wrap(self, node: Node, before: str, after: str) -> None:
        """Put text around a node; calls for outer nodes must come first."""
        self.edits.wrap(self.start(node), self.end(node), before, after)

    def span(self, node: Node) -> Span:
        """Return a node's place."""
        return Span(self.file.scan.source, self.start(node), self.end(node))


def blank_conditionals(body: DeviceBody, start: int, end: int, skipped: list[tuple[int, int]]) -> None:
    """Remove conditional directives and the code they switched off, so that the kernel has one meaning.

    ``skipped`` are the ranges of the file that the preprocessor left out.
    """
    inactive = [_whole_lines(body.text, a, b) for a, b in skipped if start <= a and b <= end]
    for low, high in inactive:
        body.edits.replace(low, high, "\n" * body.text.count("\n", low, high))
    for match in _DIRECTIVE_LINE.finditer(body.text, start, end):
        if not any(a <= match.start() < b or a < match.end() <= b for a, b in inactive):
            body.edits.replace(match.start(), match.end(), "\n" * match[0].count("\n") + _users_line(body, match))


def mark_lines(body: DeviceBody, start: int, end: int) -> None:
    """Let the lines of a range that do not follow the one in front of them in the user's file have his numbers."""
    source = body.file.scan.source
    for offset, number in line_marks(source):
        if start < offset < end:
            body.edits.after(0, offset, f"{line_directive(number, source.users_path(offset))}\n")


def _users_line(body: DeviceBody, match: re.Match[str]) -> str:
    """Return the user's own ``#line`` as the preprocessor understood it; nothing for other directives."""
    source, behind = body.file.scan.source, match.end() + 1
    if match["kind"] != "line" or behind >= len(body.text):
        return ""
    return line_directive(source.users_line(behind), source.users_path(behind))


def _whole_lines(text: str, low: int, high: int) -> tuple[int, int]:
    """Return a skipped range with all of its first and last directive's lines."""
    first = text.rfind("\n", 0, low) + 1
    last = re.compile(r"(?:\\\r?\n|[^\n])*").match(text, high)
    return first, last.end() if last else high
