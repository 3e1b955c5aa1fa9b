"""What code asks OpenMP about its team when it runs.

In: a piece of code. Out: whether it, or functions of the user's that it calls, directly or through others, ask for the
team or hold constructs that do, and whether they make threads wait for each other. Calls in the code itself count only
where the answer cannot be written in their place: in macros and lambdas, for levels that are no constants, through the
routine's address. A call through a pointer or of a virtual method may reach any function of the unit.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain

from clang.cindex import Cursor

from rexcc.analysis.device_constructs import all_constructs, constructs_of
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.analysis.unnamed_calls import calls_of_objects, functions_defined, initial_values, may_be_unnamed
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

TEAM_ROUTINES = frozenset(
    {
        "omp_get_thread_num", "omp_get_num_threads", "omp_get_max_threads", "omp_in_parallel", "omp_get_level",
        "omp_get_active_level", "omp_get_ancestor_thread_num", "omp_get_team_size", "omp_in_final",
    }
)  # fmt: skip
"""OpenMP's routines whose answers depend on the parallel regions, and the final tasks, around the call."""

OF_LEVEL = frozenset({"omp_get_ancestor_thread_num", "omp_get_team_size"})
"""Those of them that ask about the region at a level."""

_ROUTINES = regex("|".join(sorted(TEAM_ROUTINES)))
IN_FINAL = "omp_in_final"
"""The one that asks about final tasks; text answers it where the unit has none."""

_TELLING = ("omp_", "__atomic", "__sync", "atomic", "malloc", "calloc", "realloc", "aligned_alloc")
_SHARING = frozenset({"for", "sections", "single", "scope", "barrier"})
_ASKING = _SHARING | {"masked", "master"}


@dataclass(frozen=True)
class _Facts:
    """What a function itself does: constructs of others and calls aside. ``asks_alone``: it asks for its team also in
    an image of the unit alone."""

    asks: bool
    synchronises: bool
    asks_for_final: bool = False
    shares_league: bool = False
    asks_alone: bool = False


def asks_for_final(unit: ParsedUnit, node: Node) -> bool:
    """Whether a statement, or code that it calls, asks whether it is in a final task."""
    return IN_FINAL in _names_in(node) or _graph(unit).any_reached(node, lambda facts: facts.asks_for_final)


def asks_for_team(unit: ParsedUnit, node: Node) -> bool:
    """Whether a statement or expression, or code that it calls, asks the runtime for its team."""
    return asks_itself(unit, node) or _graph(unit).any_reached(node, lambda facts: facts.asks)


def asks_for_team_alone(unit: ParsedUnit, node: Node) -> bool:
    """The same in an image of the unit alone, in which more functions know their team."""
    return asks_itself(unit, node) or _graph(unit).any_reached(node, lambda facts: facts.asks_alone)


def can_tell_threads(unit: ParsedUnit, node: Node, allowed: frozenset[str] = frozenset()) -> bool:
    """Whether code may tell which thread, or of how many, executes it.

    It names a routine of OpenMP's or an atomic operation, allocates memory, which more threads have less of each, holds
    a construct that is none of the ``allowed`` directives, or calls a function with any, with volatile objects, or that
    is not known here.
    """
    return _graph(unit).can_tell_threads(node, allowed)


def any_function_asks(unit: ParsedUnit) -> bool:
    """Whether there is a function that asks for its team, or may."""
    return _graph(unit).any_asks


def settle(unit: ParsedUnit, places: frozenset[tuple[str, int]], alone: frozenset[tuple[str, int]]) -> None:
    """Note the functions, by the place of their definition or pattern, whose team is known when they are written;
    ``alone`` are those of which that is only true in an image of the unit alone."""
    _graph(unit).settled, _graph(unit).settled_alone = places, alone


def is_settled(unit: ParsedUnit, function: Node) -> bool:
    """Whether a function's team is known when it is written: that of a whole block."""
    return (function.file, function.start) in _graph(unit).settled


def is_settled_alone(unit: ParsedUnit, function: Node) -> bool:
    """Whether a function's team is that of a whole block in an image of the unit alone, and there only."""
    return (function.file, function.start) in _graph(unit).settled_alone


def any_settled_alone(unit: ParsedUnit) -> bool:
    """Whether there is such a function."""
    return bool(_graph(unit).settled_alone)


def asks_of_caller(unit: ParsedUnit, function: Node) -> bool:
    """Whether a function itself asks for the team of its caller, or makes it wait."""
    named = any(n.spelling in TEAM_ROUTINES for n in function.walk())
    return named or bool(_graph(unit).constructs_in(function))


def synchronises(unit: ParsedUnit, node: Node) -> bool:
    """Whether code that a statement or expression calls makes the threads of its team wait for each other."""
    return _graph(unit).any_reached(node, lambda facts: facts.synchronises)


def functions_elsewhere(unit: ParsedUnit, node: Node) -> tuple[str, ...]:
    """Return the names of the functions that a piece of code reaches and another file defines, each once."""
    return tuple(dict.fromkeys(str(f.spelling) for f in _graph(unit).reached(node) if lacks_definition(f)))


def shares_league(unit: ParsedUnit, node: Node) -> bool:
    """Whether code that a statement calls has loops whose iterations the teams of a league share, or may."""
    return _graph(unit).any_reached(node, lambda facts: facts.shares_league)


def asks_itself(unit: ParsedUnit, node: Node) -> bool:
    """Whether code asks by itself, in a way that text cannot answer."""
    names = [n for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.spelling in TEAM_ROUTINES]
    if any(_is_in_lambda(name, node) or not is_answerable(unit, name) for name in names):
        return True
    asking = (c for c in _graph(unit).constructs_in(node) if is_sharing(c) or _asks(c))
    return any(_is_in_lambda(c.node, node) for c in asking)


def is_answerable(unit: ParsedUnit, name: Node) -> bool:
    """Whether the name of a routine is called where the answer can be written: in the user's text."""
    call = called_by(name)
    if call is None:
        return False
    if call.spelling == IN_FINAL and _graph(unit).has_final_tasks:
        return False
    if call.spelling in OF_LEVEL and library.evaluate_integer(call.children[-1].cursor) is None:
        return False
    return re.fullmatch(rf"(?:::\s*)?{call.spelling}\s*\([\s\S]*\)", unit.user_text(call)) is not None


def called_by(name: Node) -> Node | None:
    """Return the call of which a name is the function, None for another use of it."""
    node = name
    while node.parent is not None and node.parent.bare() is name:
        node = node.parent
    above = node.parent
    return above if above is not None and above.kind == "CALL_EXPR" and above.children[0] is node else None


def _is_in_lambda(node: Node, top: Node) -> bool:
    """Whether there is a lambda around a node, below another one."""
    for above in (node, *node.ancestors()):
        if (above.start, above.end, above.kind) == (top.start, top.end, top.kind):
            return False
        if above.is_called_code:
            return True
    return False


def functions_called(node: Node) -> Iterator[Cursor]:
    """Yield the functions that a piece of code names, each as often as it does."""
    for inner in node.walk():
        target = inner.referenced
        if target is not None and kind_of(target) in FUNCTION_KINDS:
            yield target


def is_sharing(construct: Construct) -> bool:
    """Whether a construct's statement is shared among the threads of its team, or makes them wait."""
    leaves = set(construct.directive.leaves)
    return bool(leaves & _SHARING) or ("loop" in leaves and construct.binding == "parallel")


def _start(construct: Construct) -> int:
    return construct.node.start


def _graph(unit: ParsedUnit) -> _CallGraph:
    return unit.kept(_CallGraph)


@dataclass(eq=False)
class _CallGraph:
    """The functions of one unit; each is looked at once."""

    unit: ParsedUnit
    known: dict[int, tuple[_Facts, tuple[Cursor, ...], bool]] = field(default_factory=dict)
    unnamed: dict[Node, list[Cursor]] = field(default_factory=dict)
    settled: frozenset[tuple[str, int]] = frozenset()
    settled_alone: frozenset[tuple[str, int]] = frozenset()

    @cached_property
    def has_final_tasks(self) -> bool:
        """Whether a task of the unit may be final."""
        return any(c.directive.has("final") for c in all_constructs(self.unit))

    @cached_property
    def _constructs(self) -> dict[str, list[Construct]]:
        """The constructs of each file, in the order of their places."""
        found: dict[str, list[Construct]] = {}
        for function in self.unit.functions:
            found.setdefault(function.node.file, []).extend(constructs_of(function))
        return {name: sorted(every, key=_start) for name, every in found.items()}

    def constructs_in(self, node: Node) -> list[Construct]:
        """Return the constructs that stand in a piece of code."""
        every = self._constructs.get(node.file, [])
        return every[bisect_left(every, node.start, key=_start) : bisect_left(every, node.end, key=_start)]

    @cached_property
    def any_asks(self) -> bool:
        """Whether any function asks for its team; files whose text has the name of a routine are asked first."""
        if any(self._of_constructs(f).asks for f in self.unit.functions):
            return True
        texts = {name: file.scan.source.text for name, file in self.unit.files.items()}
        without = {name for name, text in texts.items() if _ROUTINES.search(text) is None}
        tops = sorted(self._written, key=lambda top: top.file in without)
        return any(name in TEAM_ROUTINES for top in tops for name in _names_in(top))

    def any_reached(self, node: Node, wanted: Callable[[_Facts], bool]) -> bool:
        """Whether a function that a piece of code reaches has a property; one of another file may have any."""
        anything = _calls_unknown(node)
        if wanted(_facts_of_calls(self._unnamed(node))):
            return True
        for definition in self.reached(node):
            if lacks_definition(definition):
                return True
            facts, _, unknown = self._function(definition)
            if wanted(facts):
                return True
            anything |= unknown
        return anything and any(wanted(f) for f in self._every)

    def reached(self, node: Node) -> Iterator[Cursor]:
        """Yield the user's functions that a piece of code calls, directly or through others, each once."""
        seen: set[int] = set()
        waiting = self._called(node)
        while waiting:
            definition = _definition(waiting.pop())
            if definition is None or int(definition.hash) in seen:
                continue
            seen.add(int(definition.hash))
            yield definition
            if not lacks_definition(definition):
                waiting += self._function(definition)[1]

    def _called(self, node: Node) -> list[Cursor]:
        """Return the functions that a piece of code calls itself, also those that it does not name."""
        return [*functions_called(node), *self._unnamed(node)]

    def _unnamed(self, node: Node) -> list[Cursor]:
        """Return the functions that a piece of code calls itself and does not name: routines of OpenMP's, too, by which
        members of its objects begin."""
        if not self._calls_unnamed:
            return []
        if node not in self.unnamed:
            self.unnamed[node] = list(calls_of_objects(self.unit, node))
        return self.unnamed[node]

    @cached_property
    def _calls_unnamed(self) -> bool:
        """Whether functions that code need not name, or initial values of members, call any."""
        unnamed = (n for n in functions_defined(self.unit) if may_be_unnamed(n.cursor))
        return any(any(functions_called(n)) or self.constructs_in(n) for n in (*unnamed, *initial_values(self.unit)))

    def can_tell_threads(self, node: Node, allowed: frozenset[str]) -> bool:
        """See the function of this name."""
        code = [node]
        for definition in self.reached(node):
            if lacks_definition(definition):
                return True
            code.append(self.unit.tree.node(definition))
        inside = {c.directive.name for c in self.constructs_in(node)}
        if any(map(_calls_unknown, code)) or not inside <= allowed or any(map(self.constructs_in, code[1:])):
            return True
        if any(types.is_volatile(n.type) for one in code[1:] for n in one.walk()):
            return True
        if any(_allocates(n) for one in code for n in one.walk()):
            return True
        unnamed = (str(function.spelling) for one in code for function in self._unnamed(one))
        names = chain(unnamed, *map(_names_in, code))
        return any(name.startswith(_TELLING) for name in names)

    @property
    def _written(self) -> list[Node]:
        return [top for top in self.unit.declarations if top.file in self.unit.files]

    @cached_property
    def _every(self) -> tuple[_Facts, ...]:
        """The facts of all functions with constructs, and of all that name a routine."""
        found = [self._of_constructs(f) for f in self.unit.functions]
        named = {name for top in self._written for name in _names_in(top)}
        asks = not named.isdisjoint(TEAM_ROUTINES)
        return (*found, _Facts(asks, False, IN_FINAL in named, asks_alone=asks))

    @cached_property
    def _at(self) -> dict[tuple[str, int], ConstructFunction]:
        return {(f.node.file, f.node.start): f for f in self.unit.functions}

    def _function(self, definition: Cursor) -> tuple[_Facts, tuple[Cursor, ...], bool]:
        key = int(definition.hash)
        if key not in self.known:
            node = self.unit.tree.node(definition)
            holder = self._at.get((node.file, node.start))
            facts = self._of_constructs(holder) if holder is not None else _Facts(False, False)
            named = set(_names_in(node))
            asks = not self._is_among(self.settled, definition) and (facts.asks or not named.isdisjoint(TEAM_ROUTINES))
            asks_alone = asks and not self._is_among(self.settled_alone, definition)
            of_members = _facts_of_calls(self._unnamed(node))  # they stand in their class and are not settled
            facts = _Facts(
                asks or of_members.asks,
                facts.synchronises,
                IN_FINAL in named or of_members.asks_for_final,
                facts.shares_league,
                asks_alone or of_members.asks,
            )
            self.known[key] = facts, tuple(self._called(node)), _calls_unknown(node)
        return self.known[key]

    def _is_among(self, places: frozenset[tuple[str, int]], definition: Cursor) -> bool:
        pattern = library.template_of(definition)
        written = self.unit.tree.node((pattern.get_definition() or pattern) if pattern is not None else definition)
        return (written.file, written.start) in places

    def _of_constructs(self, function: ConstructFunction) -> _Facts:
        found = [c for c in constructs_of(function) if not _is_in_team_of_its_own(c)]
        asks = any(is_sharing(c) or _asks(c) for c in found)
        of_league = any(_is_of_league(c) for c in constructs_of(function))
        return _Facts(asks, any(is_sharing(c) for c in found), shares_league=of_league)


def _facts_of_calls(functions: Iterable[Cursor]) -> _Facts:
    """Return what calls of routines of OpenMP's do that code makes without naming them."""
    names = TEAM_ROUTINES & {str(function.spelling) for function in functions}
    return _Facts(bool(names), False, IN_FINAL in names, asks_alone=bool(names))


def _asks(construct: Construct) -> bool:
    return bool(_ASKING & set(construct.directive.leaves))


def _is_of_league(construct: Construct) -> bool:
    """Whether a construct is a loop for the teams of a league around its function."""
    leaves = set(construct.directive.leaves)
    if not ("distribute" in leaves or ("loop" in leaves and construct.binding == "teams")):
        return False
    return "teams" not in leaves and (construct.parent is None or "teams" not in construct.parent.directive.leaves)


def _is_in_team_of_its_own(construct: Construct) -> bool:
    """Whether a construct belongs to a parallel or a target region of the function itself."""
    current: Construct | None = construct
    while current is not None:
        if not {"parallel", "target"}.isdisjoint(current.directive.leaves):
            return True
        current = current.parent
    return False


def _definition(target: Cursor) -> Cursor | None:
    """Return the definition of a function of the user's, None for others; an instantiation is its own."""
    definition = target.get_definition() or target
    return None if library.in_system_header(definition) else definition


def _names_in(node: Node) -> Iterator[str]:
    return (n.spelling for n in node.walk() if n.kind == "DECL_REF_EXPR")


def _allocates(node: Node) -> bool:
    """Whether an expression, or an array whose extent only the run knows, takes memory of the device's heap."""
    is_array = node.kind == "VAR_DECL" and types.is_array(node.type)
    return node.kind == "CXX_NEW_EXPR" or (is_array and types.is_variable_length(node.type))


def _calls_unknown(node: Node) -> bool:
    """Whether a piece of code calls through a pointer or a virtual method."""
    return any(n.kind == "CALL_EXPR" and _is_unknown(n.referenced) for n in node.walk())


def _is_unknown(callee: Cursor | None) -> bool:
    if callee is None:
        return True
    return kind_of(callee) in VARIABLE_KINDS | {"FIELD_DECL"} or bool(callee.is_virtual_method())
