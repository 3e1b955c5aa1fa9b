"""Constructs in methods of classes that no kernel calls, as far as the analysis of calls can tell.

In: a unit. Out: the places of the methods that devices should rather not have than without their constructs: a call
that no analysis finds is then an error of the build, not a kernel without a word of the directive.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.device_constructs import is_ours, region_bodies
from rexcc.analysis.local_methods import LocalMethods
from rexcc.analysis.reachable_functions import Place
from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node
from rexcc.clang.types import kind_name
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit

_EXCLUSIVE = frozenset({"critical", "atomic"})
_BY_ONE_THREAD = frozenset(
    {"parallel", "for", "simd", "loop", "single", "masked", "master", "sections", "section", "barrier"}
)
"""Leaves that mean nothing in a parallel which the thread that calls the function executes alone."""
_WITH_COPIES = ("private", "firstprivate", "linear", "induction", "copyin")


def methods_that_need_constructs(unit: ParsedUnit, called: frozenset[Place]) -> frozenset[Place]:
    """Return the places of the functions in classes that are not ``called`` and whose constructs change what one thread
    does that calls them, templates' patterns, but for virtual functions, whose classes name them, and those that the
    language needs the text of."""
    functions = (*unit.functions, *(method for _, method in unit.kept(LocalMethods).all))
    found = {_place(f) for f in functions if not f.unused and any(map(_is_needed, f.constructs))}
    regions = region_bodies(construct for f in unit.functions for construct in f.walk())
    kept = {_place(f) for f in functions if _is_kept(f) or not _is_of_class(f, regions, called)}
    return frozenset(found - kept - called)


def comes_with_objects(function: ConstructFunction) -> bool:
    """Whether device code has a function's constructs, whoever calls it: which parts a template's object has that
    begin, are copied and end with it no expression shows; so of what they call, destructors count, and initialisers
    of members, and others where all constructs are ``critical`` or ``atomic``, which do no harm."""
    written = function.template or function.node
    if written.kind == "DESTRUCTOR" or any(above.kind == "FIELD_DECL" for above in written.ancestors()):
        return True
    leaves = {leaf for construct in function.walk() for leaf in construct.directive.leaves}
    return leaves <= _EXCLUSIVE and (written.kind == "CONSTRUCTOR" or written.spelling == "operator=")


def _is_kept(function: ConstructFunction) -> bool:
    """Whether devices have a function's text: with its constructs, or since these speak to devices, from the host."""
    is_known = comes_with_objects(function) or any(map(is_ours, function.walk()))
    return is_known or any(map(_is_text_needed, _cursors(function)))


def _place(function: ConstructFunction) -> Place:
    written = function.template or function.node
    return (written.file, written.start)


def _cursors(function: ConstructFunction) -> Iterator[Cursor]:
    yield from (node.cursor for node in (function.node, function.template) if node is not None)


def _is_of_class(function: ConstructFunction, regions: list[Node], called: frozenset[Place]) -> bool:
    """Whether a function stands in a class that has a text of its own in device code: not in a region, nor in a
    function that kernels call."""
    written = function.template or function.node
    if not _is_in_class(written) or any(map(written.is_inside, regions)):
        return False
    around = [a for a in written.ancestors() if a.kind in FUNCTION_KINDS]
    return not any((a.file, a.start) in called or _is_in_class(a) for a in around)


def _is_in_class(function: Node) -> bool:
    return function.parent is not None and function.parent.kind in RECORD_KINDS | {"FRIEND_DECL"}


def _is_text_needed(function: Cursor) -> bool:
    is_deduced = kind_name(function.result_type) == "AUTO"
    return function.is_virtual_method() or is_deduced or library.is_constexpr(function)


def _is_needed(construct: Construct) -> bool:
    """Whether the code of a construct means something else without its directive, and all in it."""
    if construct.directive.leaves[0] not in ("parallel", "simd"):
        return True
    inside = [one.directive for one in construct.walk()]
    return any(not _BY_ONE_THREAD.issuperset(d.leaves) or any(map(d.has, _WITH_COPIES)) for d in inside)
