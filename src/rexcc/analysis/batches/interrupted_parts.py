"""Statements of the host program that are quiet but for some in them, before which all kernels are waited for.

In: a statement. Out: the :class:`Part` that it is of a run: which statements interrupt the queue, and whether the part
begins and ends with something that is queued. Conditions and headers have to be quiet, for nothing can stand around
them. What interrupts may be anything that control enters at its beginning alone, and that it leaves at its end or for
good, out of the run: the queue is closed then. So a run has no labels, and no ``break`` or ``continue`` out of what
interrupts. Variables that are declared there have no destructors: those would run later, among queued kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby, pairwise

from rexcc.analysis.batches.quiet_forms import construct_at
from rexcc.analysis.batches.quiet_runs import Interruption, Uses
from rexcc.clang import classes
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.lexical import BLANK
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

QUEUED, SEEN, NOTHING = "queued", "seen", "nothing"
"""What a part may begin or end with: a launch or update in the queue, an interruption, neither."""

_LOOP = regex(r"(?:for|while|do)\b")
_IF = regex(r"if\b")
_CLOSED = regex(rf"{BLANK}\)(?:{BLANK}\))*{BLANK}(?:\{{|(?=\w))")
_ENTERED = frozenset({"LABEL_STMT", "INDIRECT_GOTO_STMT", "ADDR_LABEL_EXPR", "ASM_STMT"})
_ATTRIBUTED = "_ATTR"
_HEADERS = {"FOR_STMT": (0, -1), "WHILE_STMT": (0, -1), "DO_STMT": (1, None)}


@dataclass(frozen=True, eq=False)
class Part:
    """Statements of a run. ``begins`` and ``ends`` are what may be first and last in them; ``again`` tells that an
    iteration begins with something queued where the one before may end so, ``queues`` that anything in it is queued."""

    first: Node
    last: Node
    begins: frozenset[str]
    ends: frozenset[str]
    queues: bool
    again: bool = False
    interruptions: tuple[Interruption, ...] = ()
    uses: Uses = Uses()

    @property
    def is_interrupted(self) -> bool:
        """Whether kernels are waited for inside."""
        return bool(self.interruptions)


def meet(parts: Iterable[Part]) -> bool:
    """Whether, of two parts in a row of which one is interrupted, what is queued last may meet what is queued next."""
    last, interrupted, found = frozenset({NOTHING}), False, False
    for part in parts:
        interrupted |= part.is_interrupted
        found |= interrupted and QUEUED in last and QUEUED in part.begins
        interrupted = part.is_interrupted or (interrupted and part.ends == {NOTHING})
        last = _behind(last, part)
    return found


def _behind(last: frozenset[str], part: Part) -> frozenset[str]:
    return (part.ends - {NOTHING}) | (last if NOTHING in part.ends else frozenset())


def _before(part: Part, begins: frozenset[str]) -> frozenset[str]:
    return (part.begins - {NOTHING}) | (begins if NOTHING in part.begins else frozenset())


def in_a_row(first: Node, last: Node, parts: list[Part]) -> Part:
    """Return what parts are together, one behind the other."""
    begins = ends = frozenset({NOTHING})
    for part in parts:
        ends = _behind(ends, part)
    for part in reversed(parts):
        begins = _before(part, begins)
    inside = tuple(i for part in parts for i in part.interruptions)
    uses = Uses.joined(part.uses for part in parts)
    return Part(first, last, begins, ends, any(p.queues for p in parts), False, inside, uses)


def quiet_part(statement: Node, queues: bool, uses: Uses) -> Part:
    """Return the part that a quiet statement is."""
    token = frozenset({QUEUED if queues else NOTHING})
    return Part(statement, statement, token, token, queues, uses=uses)


@dataclass(frozen=True, eq=False)
class PartReader:
    """Reads statements as parts. ``uses_of`` returns what a quiet statement or expression uses, which may be in a loop,
    None for one that is not quiet; ``queues`` tells whether a quiet one queues anything; ``is_written`` whether the
    user's text has it where it stands."""

    unit: ParsedUnit
    constructs: Mapping[tuple[int, int], Construct]
    uses_of: Callable[[Node, bool], Uses | None]
    queues: Callable[[Node], bool]
    is_written: Callable[[Node], bool]

    def part(self, statement: Node, in_loop: bool = False) -> Part | None:
        """Return the part that a statement is, None where it interrupts as a whole, or is nothing for a run."""
        uses = self.uses_of(statement, in_loop)
        if uses is not None:
            return quiet_part(statement, self.queues(statement), uses)
        if not self.is_written(statement):
            return None
        if construct_at(self.constructs, statement) is not None:
            return None
        if statement.kind == "COMPOUND_STMT":
            return self._block(statement, in_loop)
        if statement.kind == "IF_STMT":
            return self._choice(statement, in_loop)
        return self._loop(statement) if statement.kind in _HEADERS else None

    def _block(self, block: Node, in_loop: bool) -> Part | None:
        if not self.unit.user_text(block).startswith("{") or _overlap(block.children):
            return None
        parts: list[Part] = []
        for interrupts, group in groupby(self._parts_in(block, in_loop), key=lambda p: p[1] is None):
            found = list(group)
            if not interrupts:
                parts += [part for _, part in found if part is not None]
                continue
            nodes = [node for node, _ in found]
            if not all(map(self._may_interrupt, nodes)):
                return None
            parts.append(_interruption(nodes[0], nodes[-1], in_block=True))
        return in_a_row(block, block, parts)

    def _parts_in(self, block: Node, in_loop: bool) -> Iterable[tuple[Node, Part | None]]:
        return [(child, self.part(child, in_loop)) for child in block.children]

    def _inside(self, statement: Node, in_loop: bool) -> Part | None:
        """Return the part that the statement of a loop or condition is, if it can be one."""
        found = self.part(statement, in_loop)
        if found is None and self._may_interrupt(statement) and statement.kind != "DECL_STMT":
            return _interruption(statement, statement, in_block=False)
        return found

    def _choice(self, statement: Node, in_loop: bool) -> Part | None:
        condition, *branches = statement.children
        if not _IF.match(self.unit.user_text(statement)) or len(branches) not in (1, 2):
            return None
        if not self._is_closed(condition, branches[0]):
            return None
        uses = self.uses_of(condition, in_loop)
        parts = [self._inside(branch, in_loop) for branch in branches]
        if uses is None or any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        other = frozenset({NOTHING}) if len(branches) == 1 else frozenset[str]()
        together = in_a_row(statement, statement, known)
        begins = other.union(*(part.begins for part in known))
        ends = other.union(*(part.ends for part in known))
        uses = Uses.joined((uses, together.uses))
        return Part(statement, statement, begins, ends, together.queues, False, together.interruptions, uses)

    def _is_closed(self, condition: Node, branch: Node) -> bool:
        """Whether a condition is an expression, between whose end and a branch the parenthesis is closed."""
        if condition.kind.endswith(("_STMT", "_DECL")) or condition.file != branch.file:
            return False
        text = self.unit.files[condition.file].buffer if condition.file in self.unit.files else ""
        return _CLOSED.match(text, condition.end) is not None

    def _loop(self, loop: Node) -> Part | None:
        if not _LOOP.match(self.unit.user_text(loop)):
            return None
        first, end = _HEADERS[loop.kind]
        header = [self.uses_of(node, True) for node in loop.children[first:end]]
        body = self._inside(loop.children[0 if loop.kind == "DO_STMT" else -1], in_loop=True)
        if body is None or not body.queues or (loop.kind != "FOR_STMT" and len(loop.children) != 2):
            return None
        known = [uses for uses in header if uses is not None]
        if len(known) != len(header):
            return None
        again = QUEUED in body.begins and QUEUED in body.ends
        uses = Uses.joined((*known, body.uses))
        return Part(loop, loop, body.begins, body.ends, True, again, body.interruptions, uses)

    def _may_interrupt(self, statement: Node) -> bool:
        """Whether the queue can be closed before a statement and opened behind it."""
        return self.is_written(statement) and is_entered_once(statement) and _declares_plainly(statement)


def _interruption(first: Node, last: Node, in_block: bool) -> Part:
    leaves = last.kind in ("RETURN_STMT", "GOTO_STMT")
    found = Interruption(first, last, in_block, leaves)
    seen = frozenset({SEEN})
    return Part(first, last, seen, seen, False, False, (found,))


def _overlap(statements: Iterable[Node]) -> bool:
    """Whether one macro makes several statements: what ends the first of them may not be surrounded."""
    return any(b.start < a.end for a, b in pairwise(statements))


def is_entered_once(statement: Node) -> bool:
    """Whether control enters a statement at its beginning, and leaves it at its end or out of the run."""
    waiting = [(statement, False, False)]
    while waiting:
        node, in_loop, in_switch = waiting.pop()
        if node.kind in _ENTERED:
            return False
        if node.kind in ("CASE_STMT", "DEFAULT_STMT") and not in_switch:
            return False
        if (node.kind == "CONTINUE_STMT" and not in_loop) or (node.kind == "BREAK_STMT" and not (in_loop or in_switch)):
            return False
        inner = (in_loop or node.kind in LOOP_KINDS, in_switch or node.kind == "SWITCH_STMT")
        waiting += [(child, *inner) for child in node.children]
    return True


def _declares_plainly(statement: Node) -> bool:
    """Whether nothing is declared that has a destructor, or is bound to something that has one."""
    if statement.kind != "DECL_STMT":
        return True
    return all(_is_plainly_declared(child) for child in statement.children)


def _is_plainly_declared(declared: Node) -> bool:
    if declared.kind != "VAR_DECL" or any(child.kind.endswith(_ATTRIBUTED) for child in declared.children):
        return False
    return not classes.may_have_destructor(declared.type)
