"""The functions that a statement calls, directly or through others.

In: nodes of clang's tree. Out: the definitions, and their places in the user's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.implicit_calls import CALLING, implicit_calls
from rexcc.analysis.implied_functions import implied_functions
from rexcc.analysis.unnamed_calls import MAKING, calls_of_making
from rexcc.clang import library, types
from rexcc.clang.specialisations import is_declared_specialisation
from rexcc.clang.tree import FUNCTION_KINDS, Node, Tree, kind_of

Place = tuple[str, int]
"""File and offset of a function's definition; of an instantiation those of its pattern."""


SHARED_KINDS = ("FUNCTION_DECL", "CXX_METHOD")
"""What another translation unit may define, and device code names."""
DEFINED_KINDS = (*SHARED_KINDS, "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION")
"""The same with what code calls without its name: templates aside."""
NAMING = ("CALL_EXPR", "DECL_REF_EXPR")
"""What names a function: a call, or an expression of its address."""


_LIBRARY_NAMES = (
    "abort abs calloc exit free labs llabs malloc memchr memcmp memcpy memmove memset printf putchar puts realloc "
    "strcat strchr strcmp strcpy strlen strncat strncmp strncpy strrchr strstr acos acosh asin asinh atan atan2 atanh "
    "cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ldexp lgamma "
    "log log10 log1p log2 logb lrint lround modf nearbyint pow remainder rint round scalbn sin sinh sqrt tan tanh "
    "tgamma trunc"
)
_LIBRARY = frozenset(_LIBRARY_NAMES.split())
"""Functions of the C library that are there in device code, of which users write their own declarations."""

_ROUTINE_NAMES = (
    "aligned_alloc aligned_calloc alloc ancestor_is_free_agent calloc destroy_allocator destroy_lock "
    "destroy_nest_lock free get_active_level get_ancestor_thread_num get_cancellation get_default_allocator "
    "get_default_device get_device_num get_dynamic get_initial_device get_level get_max_active_levels "
    "get_max_task_priority get_max_teams get_max_threads get_nested get_num_devices get_num_places get_num_procs "
    "get_num_teams get_num_threads get_partition_num_places get_partition_place_nums get_place_num "
    "get_place_num_procs get_place_proc_ids get_proc_bind get_schedule get_supported_active_levels get_team_num "
    "get_team_size get_teams_thread_limit get_thread_limit get_thread_num get_wtick get_wtime in_explicit_task "
    "in_final in_parallel init_allocator init_lock init_lock_with_hint init_nest_lock init_nest_lock_with_hint "
    "is_free_agent is_initial_device realloc set_default_allocator set_default_device set_dynamic set_lock "
    "set_max_active_levels set_nest_lock set_nested set_num_teams set_num_threads set_schedule set_teams_thread_limit "
    "test_lock test_nest_lock unset_lock unset_nest_lock"
)
ROUTINES = frozenset(f"omp_{name}" for name in _ROUTINE_NAMES.split())
"""OpenMP's routines that the device headers define, of which users write their own declarations too."""

_BUILT_IN = ("__builtin_", "__sync_", "__atomic_")


def is_library_function(function: Cursor) -> bool:
    """Whether a declaration, also one that the user has written, is of a function of the C library or of OpenMP."""
    name = str(function.spelling)
    known = name in _LIBRARY or name.removesuffix("f") in _LIBRARY or name in ROUTINES
    return known and kind_of(function) == "FUNCTION_DECL" and str(function.mangled_name) == name


def is_elsewhere(function: Cursor) -> bool:
    """Whether a function of the user's, which code names, has no definition in this unit; which function is called by
    the name of a virtual one only its object knows."""
    if kind_of(function) not in SHARED_KINDS or (kind_of(function) == "CXX_METHOD" and function.is_virtual_method()):
        return False
    return lacks_definition(function)


def lacks_definition(function: Cursor) -> bool:
    """Whether a function of the user's, whatever calls it, is another unit's. Nobody calls a deleted one."""
    if kind_of(function) not in DEFINED_KINDS or library.in_system_header(function) or not function.location.file:
        return False
    if function.spelling.startswith(_BUILT_IN) or function.get_definition() is not None:
        return False
    if is_library_function(function) or function.is_default_method() or function.is_pure_virtual_method():
        return False
    if function.is_deleted_method():
        return False
    pattern = library.pattern_of(function)
    return pattern is None or pattern.get_definition() is None or is_declared_specialisation(function)


def called_bodies(
    tree: Tree, bodies: Iterable[Node], found: set[Place] | None = None, also: Iterable[Cursor] = ()
) -> Iterator[Node]:
    """Yield the definitions of the functions that statements call, directly or through others; note their places.

    ``also`` are functions that are called in ways that do not show.
    """
    seen: set[int] = set()
    places = found if found is not None else set()
    waiting = list(bodies)
    for function in also:
        seen.add(int(function.hash))
        for body in _bodies(tree, function, places):
            waiting.append(body)
            yield body
    while waiting:
        for target in tree.once(_Calls).of(waiting.pop()):
            if int(target.hash) in seen:
                continue
            for function in (target, *implied_functions(target)):
                seen.add(int(function.hash))
                for body in _bodies(tree, function, places):
                    waiting.append(body)
                    yield body


def directly_called(tree: Tree, body: Node) -> Iterator[tuple[Place, Node]]:
    """Yield the definitions of the functions that a piece of code calls itself, each with the place of its pattern."""
    for function in functions_called(tree, body):
        places: set[Place] = set()
        for called in _bodies(tree, function, places):
            yield from ((place, called) for place in places)


def functions_called(tree: Tree, body: Node) -> Iterator[Cursor]:
    """Yield the functions that a piece of code calls itself, those of other units too."""
    for target in tree.once(_Calls).of(body):
        yield from (target, *implied_functions(target))


class _Calls:
    """The functions that each statement or function of a tree calls directly; several analyses ask."""

    def __init__(self, _: Tree) -> None:
        self._known: dict[Node, tuple[Cursor, ...]] = {}

    def of(self, top: Node) -> tuple[Cursor, ...]:
        """Return the functions that a piece of code calls, each once, in the order of the text."""
        if top not in self._known:
            found: dict[int, Cursor] = {}
            for node in top.walk():
                for function in _called(node):
                    found.setdefault(int(function.hash), function)
            self._known[top] = tuple(found.values())
        return self._known[top]


def _called(node: Node) -> tuple[Cursor, ...]:
    if node.kind == "OVERLOADED_DECL_REF":
        return tuple(_methods_meant(node))
    target = node.referenced
    if target is not None and kind_of(target) in FUNCTION_KINDS:
        made = tuple(calls_of_making(node)) if kind_of(target) == "CONSTRUCTOR" and node.kind == "CALL_EXPR" else ()
        return (target, *implicit_calls(node), *made)
    made = tuple(calls_of_making(node)) if node.kind in MAKING else ()
    return (*implicit_calls(node), *made) if node.kind in CALLING else made


def _methods_meant(name: Node) -> Iterator[Cursor]:
    """Yield the methods that a call in a template may mean by a name that several of its class have: no instantiation
    tells which, where the template stands for one that clang has made for a constructor nobody names."""
    member = name.parent
    call = member.parent if member is not None and member.kind == "MEMBER_REF_EXPR" else None
    if call is None or call.kind != "CALL_EXPR" or call.children[0] is not member:
        return
    given = len(call.children) - 1
    for candidate in library.overloads(name.cursor):
        if kind_of(candidate) not in FUNCTION_KINDS:
            continue
        parameters = [c for c in library.children(candidate) if kind_of(c) == "PARM_DECL"]
        needed = [p for p in parameters if not any(c.kind.is_expression() for c in library.children(p))]
        if len(needed) <= given and (given <= len(parameters) or types.is_variadic(candidate.type)):
            yield candidate


def brings_table(function: Cursor) -> bool:
    """Whether the file that defines a function of a class has the class's table of virtual functions, too: it defines
    the first of them that is neither pure nor inline (Itanium C++ ABI, 5.2.3)."""
    if kind_of(function) not in ("CXX_METHOD", "DESTRUCTOR") or not function.is_virtual_method():
        return False
    members = (function.semantic_parent.get_definition() or function.semantic_parent).get_children()
    first = next((m for m in members if _may_bring_table(m)), None)
    return first is not None and first.canonical == function.canonical


def _may_bring_table(member: Cursor) -> bool:
    if kind_of(member) not in ("CXX_METHOD", "DESTRUCTOR") or not member.is_virtual_method():
        return False
    return not member.is_pure_virtual_method() and not library.is_inline_function(member.get_definition() or member)


def _bodies(tree: Tree, target: Cursor, found: set[Place]) -> Iterator[Node]:
    """Yield the definition behind a reference; note its place, which is that of its pattern."""
    definition = target.get_definition() or target
    if library.in_system_header(definition):
        return
    written = tree.node(library.as_written(definition))
    found.add((written.file, written.start))
    yield tree.node(definition)
