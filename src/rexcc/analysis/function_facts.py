"""Which functions code may reach by calls, and what each of them asks of the team that executes it.

In: a unit. Out: for a piece of code the functions of the user's that it calls, directly or through others, with
``Facts`` of each; the constructs that stand in it. A call through a pointer or of a virtual method may reach any
function of the unit, and a function of another file may do anything.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from clang.cindex import Cursor, Type

from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.functions_made import FunctionsMade
from rexcc.analysis.local_methods import LocalMethods
from rexcc.analysis.memory_orders import orders_memory
from rexcc.analysis.reachable_functions import Place, lacks_definition
from rexcc.analysis.team_constructs import asks_for_thread, is_in_team_of_its_own, is_of_league, is_sharing
from rexcc.analysis.team_routines import IN_FINAL, TEAM_ROUTINES, names_in
from rexcc.analysis.unnamed_calls import (
    calls_of_arguments,
    calls_of_classes,
    functions_defined,
    functions_of_objects,
    initial_values,
    may_be_unnamed,
)
from rexcc.clang import classes, library, types
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_CHANGING = ("private", "lastprivate", "reduction")
"""Clauses whose copies of objects begin anew or are assigned; those of ``firstprivate`` begin with a value alone."""
_ROUTINES = regex("|".join(sorted(TEAM_ROUTINES)))


@dataclass(frozen=True)
class Facts:
    """What a function itself does, without those that it calls. ``asks``: it asks for its team; ``asks_alone``: also in
    an image of its unit alone; ``asks_for_final``: whether it is in a final task. ``synchronises``: threads of its team
    wait for each other. ``shares_league``: it has loops whose iterations the teams of a league share.
    ``orders_memory``: it flushes (:mod:`.memory_orders`)."""

    asks: bool = False
    asks_alone: bool = False
    asks_for_final: bool = False
    synchronises: bool = False
    shares_league: bool = False
    orders_memory: bool = False


@dataclass(frozen=True)
class _Function:
    facts: Facts
    called: tuple[Cursor, ...]
    calls_unknown: bool


def function_facts(unit: ParsedUnit) -> FunctionFacts:
    """Return the facts of a unit's functions, which are kept with it."""
    return unit.kept(FunctionFacts)


def functions_named(code: Node) -> Iterator[tuple[Node, Cursor]]:
    """Yield the names of functions in a piece of code, each with its function."""
    for node in code.walk():
        target = node.referenced
        if target is not None and kind_of(target) in FUNCTION_KINDS:
            yield node, target


def _types_of(construct: Construct, *clauses: str) -> Iterator[Type]:
    """Yield the types of the variables that clauses of a construct list."""
    yield from (i.variable.cursor.type for i in construct.items(*clauses) if i.variable is not None)


def calls_unknown(code: Node) -> bool:
    """Whether a piece of code calls through a pointer or a virtual method."""
    return any(n.kind == "CALL_EXPR" and _is_unknown(n.referenced) for n in code.walk())


def _is_unknown(callee: Cursor | None) -> bool:
    if callee is None:
        return True
    return kind_of(callee) in VARIABLE_KINDS | {"FIELD_DECL"} or bool(callee.is_virtual_method())


@dataclass(eq=False)
class FunctionFacts:
    """The functions of one unit; each is looked at once.

    ``block_uniform`` are the places of those that only whole blocks call, so that their team is known when they are
    written; ``block_uniform_alone`` of those of which that is only true in an image of the unit alone.
    """

    unit: ParsedUnit
    block_uniform: frozenset[Place] = frozenset()
    block_uniform_alone: frozenset[Place] = frozenset()
    _known: dict[int, _Function] = field(default_factory=dict)
    _unnamed: dict[Node, list[Cursor]] = field(default_factory=dict)

    @cached_property
    def has_final_tasks(self) -> bool:
        """Whether a task of the unit may be final."""
        return any(c.directive.has("final") for c in all_constructs(self.unit))

    @cached_property
    def _constructs(self) -> dict[str, list[Construct]]:
        """The constructs of each file, in the order of their places."""
        found: dict[str, list[Construct]] = {}
        for function in self.unit.functions:
            found.setdefault(function.node.file, []).extend(function.walk())
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
        without = {name for name, text in texts.items() if "omp_" not in text or _ROUTINES.search(text) is None}
        tops = sorted(self._written, key=lambda top: top.file in without)
        return any(name in TEAM_ROUTINES for top in tops for name in names_in(top))

    def any_reached(self, node: Node, wanted: Callable[[Facts], bool]) -> bool:
        """Whether a function that a piece of code reaches has a property; one of another file may have any."""
        if wanted(_facts_of_calls(self.unnamed_calls(node))):
            return True
        return self._any_called(self._called(node), wanted, calls_unknown(node))

    def any_of_copies(self, constructs: Iterable[Construct], wanted: Callable[[Facts], bool]) -> bool:
        """Whether what makes, assigns or ends the copies that constructs have of objects has a property. Where copies
        are bytes and end without a word, whatever else the class has calls nobody."""
        if not self._calls_unnamed:
            return False
        kinds = [kind for c in constructs for kind in _types_of(c, *_CHANGING)]
        begun = (kind for c in constructs for kind in _types_of(c, "firstprivate"))
        kinds += (kind for kind in begun if not classes.is_made_of_bytes(types.innermost(kind)))
        functions = [f for kind in kinds for f in functions_of_objects(self.unit, kind)]
        made, is_unmade = self.unit.kept(FunctionsMade).known_of(functions)
        return wanted(_facts_of_calls(functions)) or self._any_called([*functions, *made], wanted, is_unmade)

    def _any_called(self, functions: list[Cursor], wanted: Callable[[Facts], bool], anything: bool) -> bool:
        """Whether functions, or what they call, have a property; ``anything``: any function may be called, too."""
        for definition in self._reached_from(functions):
            if lacks_definition(definition):
                return True
            function = self._function(definition)
            if wanted(function.facts):
                return True
            anything |= function.calls_unknown
        return anything and any(wanted(f) for f in self._every)

    def reached(self, node: Node) -> Iterator[Cursor]:
        """Yield the user's functions that a piece of code calls, directly or through others, each once."""
        return self._reached_from(self._called(node))

    def _reached_from(self, waiting: list[Cursor]) -> Iterator[Cursor]:
        seen: set[int] = set()
        while waiting:
            definition = _definition(waiting.pop())
            if definition is None or int(definition.hash) in seen:
                continue
            seen.add(int(definition.hash))
            yield definition
            if not lacks_definition(definition):
                waiting += self._function(definition).called

    def _called(self, node: Node) -> list[Cursor]:
        """Return the functions that a piece of code calls itself, also those that it does not name."""
        return [*(target for _, target in functions_named(node)), *self.unnamed_calls(node)]

    def unnamed_calls(self, node: Node) -> list[Cursor]:
        """Return the functions that a piece of code calls itself and does not name: routines of OpenMP's, too, by which
        members of its objects begin."""
        if not self._calls_unnamed:
            return []
        if node not in self._unnamed:
            functions = calls_of_classes(self.unit, node)
            if not self.constructs_in(node):  # for those OpenMP copies objects, by functions that clang need not make
                functions = self.unit.kept(FunctionsMade).of_each(functions)
            self._unnamed[node] = [*calls_of_arguments(node), *functions]
        return self._unnamed[node]

    @cached_property
    def _calls_unnamed(self) -> bool:
        """Whether functions that code need not name, or initial values of members, call any."""
        unnamed = (n for n in functions_defined(self.unit) if may_be_unnamed(n.cursor))
        return any(any(functions_named(n)) or self.constructs_in(n) for n in (*unnamed, *initial_values(self.unit)))

    @property
    def _written(self) -> list[Node]:
        return [top for top in self.unit.declarations if top.file in self.unit.files]

    @cached_property
    def _every(self) -> tuple[Facts, ...]:
        """The facts of all functions with constructs, and of all that name a routine."""
        found = [self._of_constructs(f) for f in self.unit.functions]
        named = {name for top in self._written for name in names_in(top)}
        asks = not named.isdisjoint(TEAM_ROUTINES)
        return (*found, Facts(asks, asks_alone=asks, asks_for_final=IN_FINAL in named))

    @cached_property
    def _at(self) -> dict[Place, ConstructFunction]:
        local = (method for _, method in self.unit.kept(LocalMethods).all)
        functions = (*local, *self.unit.functions)
        lambdas = {place: f for f in functions if f.node.kind == "LAMBDA_EXPR" for place in _place_of_body(f.node)}
        return lambdas | {(f.node.file, f.node.start): f for f in functions}

    def _function(self, definition: Cursor) -> _Function:
        key = int(definition.hash)
        if key not in self._known:
            node = self.unit.tree.node(definition)
            self._known[key] = _Function(self._facts(definition, node), tuple(self._called(node)), calls_unknown(node))
        return self._known[key]

    def _facts(self, definition: Cursor, node: Node) -> Facts:
        places = [(node.file, node.start), *_place_of_body(node)]  # a lambda's operator begins behind the lambda
        holder = next((self._at[place] for place in places if place in self._at), None)
        own = self._of_constructs(holder) if holder is not None else Facts()
        named = set(names_in(node))
        asks = not self._is_among(self.block_uniform, definition) and (own.asks or not named.isdisjoint(TEAM_ROUTINES))
        of_members = _facts_of_calls(self.unnamed_calls(node))  # they stand in their class: never block-uniform
        return Facts(
            asks=asks or of_members.asks,
            asks_alone=(asks and not self._is_among(self.block_uniform_alone, definition)) or of_members.asks,
            asks_for_final=IN_FINAL in named or of_members.asks_for_final,
            synchronises=own.synchronises,
            shares_league=own.shares_league,
            orders_memory=own.orders_memory,
        )

    def _is_among(self, places: frozenset[Place], definition: Cursor) -> bool:
        written = self.unit.tree.node(library.as_written(definition))
        return (written.file, written.start) in places

    def _of_constructs(self, function: ConstructFunction) -> Facts:
        found = [c for c in function.walk() if not is_in_team_of_its_own(c)]
        asks = any(is_sharing(c) or asks_for_thread(c) for c in found)
        of_league = any(is_of_league(c) for c in function.walk())
        flushes = any(orders_memory(self.unit, c.directive) for c in function.walk())
        synchronises = any(is_sharing(c) for c in found)
        return Facts(asks, synchronises=synchronises, shares_league=of_league, orders_memory=flushes)


def _place_of_body(function: Node) -> Iterator[Place]:
    yield from ((child.file, child.start) for child in function.children if child.kind == "COMPOUND_STMT")


def _facts_of_calls(functions: Iterable[Cursor]) -> Facts:
    """Return what calls of routines of OpenMP's do that code makes without naming them."""
    names = TEAM_ROUTINES & {str(function.spelling) for function in functions}
    return Facts(bool(names), asks_alone=bool(names), asks_for_final=IN_FINAL in names)


def _start(construct: Construct) -> int:
    return construct.node.start


def _definition(target: Cursor) -> Cursor | None:
    """Return the definition of a function of the user's, None for others; an instantiation is its own, but for one that
    only another file makes for the host: its pattern tells what it does."""
    definition = target.get_definition()
    if definition is None:
        pattern = library.pattern_of(target)
        definition = (pattern.get_definition() if pattern is not None else None) or target
    return None if library.in_system_header(definition) else definition
