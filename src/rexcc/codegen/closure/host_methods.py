"""Methods that only the host executes: devices have their classes, and declarations without bodies.

In: a unit's kernels, and what device code needs of the unit. Out: the places of such methods.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from rexcc.analysis.attributes import Kind
from rexcc.analysis.call_graph import CallGraph
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.device_constructs import is_ours
from rexcc.analysis.host_variables import host_uses, library_use
from rexcc.analysis.library_overrides import overrides_library
from rexcc.analysis.reachable_functions import Place
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, Tree, kind_of
from rexcc.codegen.closure.uncalled_constructs import methods_that_need_constructs
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import named_variable

_METHODS = frozenset({"CXX_METHOD", "FUNCTION_TEMPLATE"})
_SPECIAL = frozenset({"CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_FRIENDS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE"})
DROPPED = _METHODS | _SPECIAL | _FRIENDS
"""Methods, and friends that classes define, that devices may have without a body."""
_EXCEPTIONS = frozenset({"CXX_THROW_EXPR", "CXX_TRY_STMT"})
_THERE = frozenset({Kind.DEVICE_GLOBAL})
"""The kinds of variables that devices have themselves."""


class HostMethods:
    """The places of the methods that no kernel calls and devices need no body of, patterns' of templates.

    They launch regions, themselves or by what they call, name variables that devices do not have, the program's or the
    system's libraries', override functions of these, have exceptions or objects that live as long as the program. Each
    is looked at when a class that has it is: most classes of a library stay on the host.
    """

    def __init__(
        self, unit: ParsedUnit, kernels: Iterable[Kernel], called: frozenset[Place], declared: DeclareTarget
    ) -> None:
        launching = [f.template or f.node for f in unit.functions if any(map(is_ours, f.constructs))]
        places = frozenset((f.file, f.start) for f in launching) - called
        self._unit, self._called, self._declared = unit, called, declared
        self._passed = {
            a.variable for k in kernels for a in k.data.attributes if a.variable.is_global and a.kind not in _THERE
        }
        self._calls = CallGraph(unit.tree, lambda place, _: place in places) if places else None
        plain = (m for m in launching if _has_no_other(m))
        self._known: dict[object, bool] = {(m.file, m.start): True for m in plain if (m.file, m.start) not in called}

    def __contains__(self, place: object) -> bool:
        if place not in self._known:
            method = self._methods.get(place)
            self._known[place] = place in self._constructs or (
                method is not None
                and (_is_of_host(method, self._declared) or overrides_library(method) or self._launches(method))
            )
        return self._known[place]

    def add(self, others: Iterable[Place]) -> None:
        """Take further methods for those of the host (:func:`methods_without_functions`)."""
        self._known |= dict.fromkeys(others, True)

    @cached_property
    def _methods(self) -> dict[object, Node]:
        return {place: m for m in _methods(self._unit.declarations) if (place := (m.file, m.start)) not in self._called}

    @cached_property
    def _constructs(self) -> frozenset[Place]:
        return methods_that_need_constructs(self._unit, self._called)

    def _launches(self, method: Node) -> bool:
        if not (_has_no_other(method) and _is_in_its_class(method)) or is_constructor(method):
            return False
        if self._passed and any(named_variable(n) in self._passed for n in method.walk()):
            return True
        return self._calls is not None and self._calls.leads(method)


def _has_no_other(method: Node) -> bool:
    """Whether a function is a method that a call by its name means."""
    return method.kind in _METHODS and not method.cursor.is_virtual_method()


def methods_without_functions(
    tree: Tree,
    declarations: Iterable[Node],
    called: frozenset[Place],
    missing: Collection[int],
    declared: DeclareTarget,
) -> frozenset[Place]:
    """Return the places of the methods among declarations that no kernel calls and that devices cannot have, for they
    call, directly or through others, functions that are ``missing`` or that only the host executes."""
    declarations = list(declarations)
    functions = (n for n in declarations if n.kind in FUNCTION_KINDS and (n.file, n.start) not in called)
    missing = {*missing, *(int(f.cursor.canonical.hash) for f in functions if _is_of_host(f, declared))}
    others = (m for m in _methods(declarations) if (m.file, m.start) not in called) if missing else ()
    calls = CallGraph(tree, lambda _, function: _names_any(function, missing))
    return frozenset((m.file, m.start) for m in others if _names_any(m, missing) or calls.leads(m))


def _is_outside(definition: Node) -> bool:
    """Whether a definition outside of a class is that of one of its methods, constructors aside."""
    scope = definition.cursor.semantic_parent
    is_member = (
        scope is not None
        and kind_of(scope) in RECORD_KINDS
        and kind_of(definition.cursor.lexical_parent) not in RECORD_KINDS
    )
    return is_member and definition.spelling.partition("<")[0] != scope.spelling


def _is_of_host(function: Node, declared: DeclareTarget) -> bool:
    """Whether a function has exceptions or a static object, or uses a variable that devices do not have."""
    if any(n.kind in _EXCEPTIONS for n in function.walk()):
        return True
    variables = (n.cursor for n in function.walk() if n.kind == "VAR_DECL")
    has_object = any(types.is_record(v.type) and library.has_global_storage(v) for v in variables)
    return has_object or library_use([function]) is not None or any(host_uses([function], declared))


def _names_any(top: Node, functions: Collection[int]) -> bool:
    for node in top.walk():
        target = node.referenced
        named = () if target is None else (target, library.template_of(target))
        among = (c for c in (*named, *library.overloads(node.cursor)) if c is not None)
        if any(int(c.canonical.hash) in functions for c in among):
            return True
    return False


def _methods(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the methods that stand in classes, and friends defined there, and those outside, constructors aside."""
    for node in nodes:
        if node.kind in RECORD_KINDS or node.kind in ("NAMESPACE", "LINKAGE_SPEC"):
            yield from _methods(node.children)
        elif node.kind == "FRIEND_DECL":
            yield from (c for c in node.children if c.kind in _FRIENDS and c.cursor.is_definition())
        elif node.kind in _METHODS | _SPECIAL and (
            _is_in_its_class(node) or (node.kind in _METHODS and _is_outside(node))
        ):
            yield node


def _is_in_its_class(method: Node) -> bool:
    return method.parent is not None and method.parent.kind in RECORD_KINDS


def is_constructor(method: Node) -> bool:
    """Whether a method that stands in its class is a constructor, or a template of them."""
    if method.kind == "CONSTRUCTOR":
        return True
    above = method.parent
    is_template = method.kind == "FUNCTION_TEMPLATE" and above is not None and above.kind in RECORD_KINDS
    return is_template and above is not None and method.spelling.partition("<")[0] == above.spelling
