"""Arrays of an iteration whose elements only the run finds lie in shared memory, a column for each thread.

In: a region whose loop all threads of all teams share. Out: edits of the declarations of such arrays, and the memory
that a block has for them::

    /* 'h': each thread has a column of the block's memory; only the run knows its subscripts. */
    __shared__ rex_columns<int, 8, 256> __rex_room_h;
    …
        rex_column<int, 8, 256> h(__rex_room_h);       // int h[8];

An index that differs from thread to thread keeps an array out of registers. A thread's local memory interleaves the
lanes of a warp, so that lanes with different indices need an access each; in columns each lane has a bank of its own
(``rex_device_columns.h``). Where the loops that are unrolled leave constants alone as indices, the array is in
registers, and better off (docs/decisions/019-private-storage.md).

It cannot be noticed: nobody but subscripts names the array and no address of an element is kept, so nothing depends on
where they lie, and an iteration that has no constructs is one thread's, which executes one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.group_variables import GroupVariables
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import VARIABLE_KINDS, Node
from rexcc.kernel.ir import Code, Declare, Do, Storage
from rexcc.lowering.loops.looked_up_uses import Indices, is_subscripted
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.extents import name_end
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable
from rexcc.source.own_names import related
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_LEAVES = ("target", "teams", "distribute", "parallel", "for")
_PARTS = frozenset({"CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "BOOL"})
_WORDS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})
_JUMPS = frozenset({"LABEL_STMT", "SWITCH_STMT", "INDIRECT_GOTO_STMT", "GOTO_STMT"})
_VALUES = frozenset({"INIT_LIST_EXPR", "CALL_EXPR", "STRING_LITERAL"})
_ASKS_FOR_TYPE = regex(r"\b(?:decltype|(?:__)?typeof\w*)")
_WORD = 4
_FEWEST = 4
"""Elements of an array at least: fewer are chosen from registers."""
_MOST = 160
"""Bytes of a thread: then a multiprocessor has as many threads as hide the waiting."""


@dataclass(frozen=True, eq=False)
class LookedUpArray:
    """An array: its declaration, the arguments of the template of its columns, and how many bytes a block has."""

    declared: Node
    arguments: str
    bytes: int

    @property
    def name(self) -> str:
        """The name in the program's text."""
        return self.declared.spelling

    @property
    def room(self) -> str:
        """The name of a block's memory for it."""
        return related("room", self.name)

    @property
    def memory(self) -> Code:
        """The declaration of a block's memory for it."""
        told = (
            f"/* '{self.name}': each thread has a column of the block's memory; only the run knows its subscripts. */"
        )
        return (Do(told), Declare(f"rex_columns<{self.arguments}> {self.room}", self.room, storage=Storage.TEAM))

    @property
    def column(self) -> str:
        """The declaration of a thread's part of that."""
        return f"rex_column<{self.arguments}> {self.name}({self.room})"


def looked_up_arrays(region: TargetRegion, body: DeviceBody, threads: int) -> tuple[LookedUpArray, ...]:
    """Edit the declarations of the arrays and return them; ``threads`` is the most that a block has."""
    limits = region.unit.target.limits
    if not _is_plain(region) or threads < limits.least_bound:
        return ()
    left = min(_MOST * _row(region, threads), limits.launched_bytes)
    found: list[LookedUpArray] = []
    for declared in _arrays(region.iteration):
        one = _columns(region, declared, threads, left)
        if one is None or one.bytes > left or not _may_be_edited(body, declared):
            continue
        if is_subscripted(declared, region) and _is_looked_up(region, declared):
            found.append(one)
            left -= one.bytes
    statements = {s: [one for one in found if one.declared.parent is s] for s in (f.declared.parent for f in found)}
    for statement, chosen in statements.items():
        if statement is not None:
            _declare(body, statement, chosen)
    return tuple(found)


def _is_plain(region: TargetRegion) -> bool:
    if region.leaves != _LEAVES or region.constructs[-1].children or not region.loops:
        return False
    if region.unit.kept(GroupVariables).listed:
        return False  # these may have a block's memory for themselves
    asked = (*region.items("reduction"), *region.clauses("allocate"), *region.clauses("num_teams"))
    return not asked and not region.choice.threads and Optimisation.COLUMNS not in region.left_out


def _arrays(iteration: Node) -> Iterator[Node]:
    """Yield the declarations of arrays that an iteration begins without values, of which no other has the name."""
    nodes = list(iteration.walk())
    if any(n.kind in _JUMPS for n in nodes):
        return  # those may lead behind a declaration that gives no value alone
    declared = [n for n in nodes if n.kind in VARIABLE_KINDS]
    for one in declared:
        if sum(other.spelling == one.spelling for other in declared) == 1 and _is_bare(one):
            yield one


def _is_bare(declared: Node) -> bool:
    """Whether a local variable has no value at first, and nothing is said of its storage."""
    statement = declared.parent
    if statement is None or statement.kind != "DECL_STMT" or declared.cursor.storage_class.name != "NONE":
        return False
    if statement.parent is None or statement.parent.kind != "COMPOUND_STMT":
        return False
    return not any(c.cursor.kind.is_attribute() or c.kind in _VALUES for c in declared.children)


def _is_looked_up(region: TargetRegion, declared: Node) -> bool:
    """Whether an array has elements enough, and values find them."""
    count = types.constant_extent(declared.type)
    return count is not None and count >= _FEWEST and Indices(region).find(Variable(declared.cursor))


def _row(region: TargetRegion, threads: int) -> int:
    """Return how many words lie side by side for so many threads: whole warps."""
    warp = region.unit.target.limits.warp
    return -(-threads // warp) * warp


def _columns(region: TargetRegion, declared: Node, threads: int, left: int) -> LookedUpArray | None:
    """Return an array in columns, None where its elements are none for which this is known to help.

    Small elements have a word each where the bytes that are ``left`` are enough: finding one of several takes longer.
    """
    count = types.constant_extent(declared.type)
    element = types.element_of(declared.type)
    if count is None or element is None:
        return None
    if types.is_constant(declared.type) or types.is_volatile(declared.type):
        return None
    plain, row = types.canonical(element), _row(region, threads)
    arguments = f"{spelling.spell_bare(element)}, {count}, {threads}"
    if types.kind_name(plain) in _WORDS:
        return LookedUpArray(declared, arguments, count * row * plain.get_size())
    if types.kind_name(plain) not in _PARTS:
        return None
    size = count * row * _WORD
    if size <= left:
        return LookedUpArray(declared, arguments, size)
    together = _WORD // plain.get_size()
    return LookedUpArray(declared, f"{arguments}, {together}", -(-count // together) * row * _WORD)


def _may_be_edited(body: DeviceBody, declared: Node) -> bool:
    """Whether the declarator is written as a name and an extent between others, in the text itself."""
    statement, end = declared.parent, name_end(body, declared)
    start, behind = end - len(declared.spelling), body.end(declared)
    if statement is None or any(child.kind != "VAR_DECL" for child in statement.children):
        return False
    if body.text[start:end] != declared.spelling or not body.edits.is_free(body.start(statement), behind):
        return False
    if not body.text[end:behind].lstrip().startswith("[") or body.text[behind - 1] != "]":
        return False
    if _ASKS_FOR_TYPE.search(body.original(statement.parent or statement)):
        return False
    is_last, is_first = declared is statement.children[-1], declared is statement.children[0]
    follows = is_last or body.text[behind:].lstrip().startswith(",")
    return follows and (is_first or body.text[:start].rstrip().endswith(","))


def _declare(body: DeviceBody, statement: Node, chosen: list[LookedUpArray]) -> None:
    """Put the columns in front of the statement that declares the arrays, or in its place if it declares no others."""
    text = "; ".join(one.column for one in chosen)
    if len(chosen) == len(statement.children):
        _replace(body, body.start(statement), body.end(statement.children[-1]), text)
        return
    body.edits.before(body.start(statement), body.end(statement), f"{text}; ")
    arrays = [one.declared for one in chosen]
    follows = False
    for declared in statement.children:
        if declared not in arrays:
            follows = True
            continue
        start, end = name_end(body, declared) - len(declared.spelling), body.end(declared)
        if follows:
            _replace(body, body.text.rindex(",", 0, start), end)
        else:
            behind = body.text.index(",", end) + 1
            _replace(body, start, behind + len(body.text[behind:]) - len(body.text[behind:].lstrip()))


def _replace(body: DeviceBody, start: int, end: int, text: str = "") -> None:
    """Replace a range, whose lines stay."""
    body.edits.replace(start, end, text + "\n" * body.text.count("\n", start, end))
