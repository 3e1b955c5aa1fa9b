"""What code asks OpenMP about its team when it runs.

In: a piece of code. Out: whether it, or functions of the user's that it calls, directly or through others
(``function_facts``), ask for the team or hold constructs that do, and whether they make threads wait for each other.
Calls in the code itself count only where the answer cannot be written in their place: in macros and lambdas, for levels
that are no constants, through the routine's address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rexcc.analysis.function_facts import Facts, function_facts
from rexcc.analysis.memory_orders import orders_memory
from rexcc.analysis.reachable_functions import Place, lacks_definition
from rexcc.analysis.team_constructs import asks_for_thread, is_sharing
from rexcc.analysis.team_routines import IN_FINAL, OF_LEVEL, TEAM_ROUTINES, called_by, names_in
from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit


def asks_for_final(unit: ParsedUnit, node: Node) -> bool:
    """Whether a statement, or code that it calls, asks whether it is in a final task."""
    return IN_FINAL in names_in(node) or function_facts(unit).any_reached(node, lambda facts: facts.asks_for_final)


def asks_for_team(unit: ParsedUnit, node: Node, constructs: Sequence[Construct] = ()) -> bool:
    """Whether a statement or expression, or code that it calls, asks the runtime for its team; so may the functions
    that make copies of objects for constructs."""
    return asks_itself(unit, node) or _any_function(unit, node, constructs, lambda facts: facts.asks)


def asks_for_team_alone(unit: ParsedUnit, node: Node, constructs: Sequence[Construct]) -> bool:
    """The same in an image of the unit alone, in which more functions know their team."""
    return asks_itself(unit, node) or _any_function(unit, node, constructs, lambda facts: facts.asks_alone)


def copies_ask_for_team(unit: ParsedUnit, constructs: Sequence[Construct]) -> bool:
    """Whether the functions that make copies of objects for constructs ask the runtime for their team."""
    return function_facts(unit).any_of_copies(constructs, lambda facts: facts.asks)


def _any_function(
    unit: ParsedUnit, node: Node, constructs: Sequence[Construct], wanted: Callable[[Facts], bool]
) -> bool:
    facts = function_facts(unit)
    return facts.any_reached(node, wanted) or facts.any_of_copies(constructs, wanted)


def any_function_asks(unit: ParsedUnit) -> bool:
    """Whether there is a function that asks for its team, or may."""
    return function_facts(unit).any_asks


def note_block_uniform(unit: ParsedUnit, places: frozenset[Place], alone: frozenset[Place]) -> None:
    """Note the functions, by the place of their definition or pattern, whose team is known when they are written;
    ``alone`` are those of which that is only true in an image of the unit alone."""
    function_facts(unit).block_uniform, function_facts(unit).block_uniform_alone = places, alone


def is_block_uniform(unit: ParsedUnit, function: Node) -> bool:
    """Whether a function's team is known when it is written: that of a whole block."""
    return (function.file, function.start) in function_facts(unit).block_uniform


def is_block_uniform_alone(unit: ParsedUnit, function: Node) -> bool:
    """Whether a function's team is that of a whole block in an image of the unit alone, and there only."""
    return (function.file, function.start) in function_facts(unit).block_uniform_alone


def any_block_uniform_alone(unit: ParsedUnit) -> bool:
    """Whether there is such a function."""
    return bool(function_facts(unit).block_uniform_alone)


def asks_of_caller(unit: ParsedUnit, function: Node) -> bool:
    """Whether a function itself asks for the team of its caller, or makes it wait."""
    named = any(n.spelling in TEAM_ROUTINES for n in function.walk())
    return named or bool(function_facts(unit).constructs_in(function))


def synchronises(unit: ParsedUnit, node: Node) -> bool:
    """Whether code that a statement or expression calls makes the threads of its team wait for each other."""
    return function_facts(unit).any_reached(node, lambda facts: facts.synchronises)


def flushes(unit: ParsedUnit, node: Node) -> bool:
    """Whether a piece of code, or what it calls, orders its accesses with those of other threads."""
    facts = function_facts(unit)
    here = any(orders_memory(unit, construct.directive) for construct in facts.constructs_in(node))
    return here or facts.any_reached(node, lambda known: known.orders_memory)


def functions_elsewhere(unit: ParsedUnit, node: Node) -> tuple[str, ...]:
    """Return the names of the functions that a piece of code reaches and another file defines, each once."""
    return tuple(dict.fromkeys(str(f.spelling) for f in function_facts(unit).reached(node) if lacks_definition(f)))


def shares_league(unit: ParsedUnit, node: Node) -> bool:
    """Whether code that a statement calls has loops whose iterations the teams of a league share, or may."""
    return function_facts(unit).any_reached(node, lambda facts: facts.shares_league)


def asks_itself(unit: ParsedUnit, node: Node) -> bool:
    """Whether code asks by itself, in a way that text cannot answer."""
    names = [n for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.spelling in TEAM_ROUTINES]
    if any(_is_in_lambda(name, node) or not is_answerable(unit, name) for name in names):
        return True
    asking = (c for c in function_facts(unit).constructs_in(node) if is_sharing(c) or asks_for_thread(c))
    return any(_is_in_lambda(c.node, node) for c in asking)


def is_answerable(unit: ParsedUnit, name: Node) -> bool:
    """Whether the name of a routine is called where the answer can be written: in the user's text."""
    call = called_by(name)
    if call is None:
        return False
    if call.spelling == IN_FINAL and function_facts(unit).has_final_tasks:
        return False
    if call.spelling in OF_LEVEL and library.evaluate_integer(call.children[-1].cursor) is None:
        return False
    return re.fullmatch(rf"(?:::\s*)?{call.spelling}\s*\([\s\S]*\)", unit.user_text(call)) is not None


def _is_in_lambda(node: Node, top: Node) -> bool:
    """Whether there is a lambda around a node, below another one."""
    for above in (node, *node.ancestors()):
        if (above.start, above.end, above.kind) == (top.start, top.end, top.kind):
            return False
        if above.is_called_code:
            return True
    return False
