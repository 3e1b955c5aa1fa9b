"""What devices cannot execute, most of it GPUs alone, in regions and in functions that they call: found before their
compiler is asked.

In: a region and a target's capabilities. Out: errors with the calls that lead there. Functions of the C library that
only hosts have are known by name. Of the C++ library's, devices may have those that are ``constexpr``, and those of
some headers, which the device language's headers or ours declare again; the others are errors here. What only a
compiler looks at may name anything. Where it is not known whether an expression is executed, it is taken for one that
is not: the device's compiler sees what is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import dropwhile, pairwise
from pathlib import PurePath

from clang.cindex import Cursor

from rexcc.analysis.array_comparisons import class_with_arrays
from rexcc.analysis.library_calls import note_library_calls
from rexcc.analysis.library_destructors import undestroyed_object
from rexcc.analysis.reachable_functions import is_library_function
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library
from rexcc.clang.scopes import enclosing_scopes
from rexcc.clang.standard_library import is_of_cxx_library
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, Tree, kind_of
from rexcc.clang.unevaluated import is_only_compiled
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, Diagnostic, DiagnosticSink, Note, error
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.target.model import Capabilities

_EXCEPTIONS = {"CXX_THROW_EXPR": "'throw'", "CXX_TRY_STMT": "'try'"}
_FLAG = "set a flag that the host looks at after the region, or call 'abort'"
_TYPES = {"CXX_TYPEID_EXPR": "'typeid'", "CXX_DYNAMIC_CAST_EXPR": "'dynamic_cast'"}

_NAMING = ("CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR")
_CONTAINERS = frozenset({"vector", "valarray", "__normal_iterator", "basic_string"})
_DATA = "map the elements behind a pointer that 'data()' gives in front of the region, and use that"
_ATOMICS = frozenset({"atomic", "__atomic_base", "__atomic_float", "atomic_ref", "__atomic_ref", "atomic_flag"})
_UPDATE = "use '#pragma omp atomic' or a built-in such as '__atomic_fetch_add' on a plain variable"
_ELSEWHERE = "use it outside of the region, or build for the CPU device alone (--target=host)"
_PUBLIC = {
    "__gnu_cxx": "std", "__normal_iterator": "vector::iterator", "__atomic_base": "atomic", "__atomic_float": "atomic",
    "__atomic_ref": "atomic_ref", "basic_string": "string",
    "__shared_ptr_access": "shared_ptr", "__shared_ptr": "shared_ptr",
}  # fmt: skip
"""What users call the classes that functions of the C++ library are members of."""


_NUMBER_OF_THREADS = "omp_set_num_threads"
"""The routine that has no effect in device code, where a clause says how many threads execute a ``parallel``."""


@dataclass(frozen=True, eq=False)
class _Reached:
    """Code that device code executes, and the call by which it comes there, None for the region itself."""

    body: Node
    call: Node | None = None
    before: _Reached | None = None

    def notes(self, unit: ParsedUnit, start: Note | None) -> Iterator[Note]:
        """Yield the calls on the way from the region, the last one first, and where it starts."""
        current: _Reached | None = self
        while current is not None and current.call is not None:
            name = current.call.referenced.spelling if current.call.referenced is not None else ""
            yield Note(f"'{name}' is called here", unit.span(current.call))
            current = current.before
        if start is not None:
            yield start


def check_host_only(region: TargetRegion, standard: int, able: Capabilities, sink: DiagnosticSink) -> None:
    """Refuse what a region, or a function that it calls, cannot do on a device (``host-function``).

    ``standard`` is that of C++ in which the unit was parsed, as ``17``: before the target's fewer functions are
    ``constexpr`` than for the device's compiler, which then has to say which ones it misses.
    """
    said: list[Diagnostic] = []
    start = Note("the region starts here", region.construct.span)
    for problem in _problems(region.unit, region.device_parts, start, able, 0 < able.constexpr_standard <= standard):
        if not any(_is_part(problem.diagnostic, known) for known in said):
            said.append(problem.diagnostic)
            sink.add(problem.diagnostic)


def first_problem(unit: ParsedUnit, bodies: Iterable[Node], standard: int, able: Capabilities) -> CompileError | None:
    """Return the first thing that a device cannot execute of code, or of functions that it calls, None for nothing."""
    return next(_problems(unit, bodies, None, able, 0 < able.constexpr_standard <= standard), None)


def _is_part(one: Diagnostic, known: Diagnostic) -> bool:
    """Whether an error is about a part of an expression of which another says the same: an operator and its call."""
    if one.span is None or known.span is None or one.message != known.message:
        return False
    same = one.span.source is known.span.source
    return same and known.span.start <= one.span.start and one.span.end <= known.span.end


def _problems(
    unit: ParsedUnit, parts: Iterable[Node], start: Note | None, able: Capabilities, has_standard: bool
) -> Iterator[CompileError]:
    waiting = [_Reached(part) for part in parts]
    seen: set[int] = set()
    while waiting:
        reached = waiting.pop(0)
        thrown: Node | None = None
        for node in reached.body.walk():
            if thrown is not None and _is_inside(node, thrown):
                continue  # how the exception is made is no other problem
            thrown = node if node.kind == "CXX_THROW_EXPR" and not able.exceptions else None
            problem = _problem(unit, start, reached, node, able, has_standard)
            if problem is not None and is_executed(unit, node, reached.body):
                yield problem
            called = node.referenced if node.kind in ("CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
            if called is None or kind_of(called) not in FUNCTION_KINDS or int(called.hash) in seen:
                continue
            if not is_executed(unit, node, reached.body):
                continue
            seen.add(int(called.hash))
            body = _definition(unit.tree, called)
            if body is not None:
                waiting.append(_Reached(body, node, reached))
            elif able.constexpr_standard:
                note_library_calls(unit.library_functions, called)


def _is_inside(node: Node, outer: Node) -> bool:
    return node is not outer and any(above is outer for above in node.ancestors())


def _problem(
    unit: ParsedUnit, start: Note | None, reached: _Reached, node: Node, able: Capabilities, has_standard: bool
) -> CompileError | None:
    what = None if able.exceptions or node.is_end else _EXCEPTIONS.get(node.kind)
    if what is not None:
        message = f"{what} cannot be in device code: GPUs have no exceptions; {_FLAG}"
        return error("host-function", message, unit.span(node), *reached.notes(unit, start))
    what = None if able.runtime_types else _TYPES.get(node.kind)
    if what is not None:
        message = f"{what} cannot be in device code: GPUs know no types when a program runs"
        return error("host-function", message, unit.span(node), *reached.notes(unit, start))
    if able.seems_constant and node.kind == "IF_STMT" and _starts_with(unit, node, _CONSTEVAL_IF):
        message = "device code for a GPU cannot have 'if consteval': its compiler knows C++20 at most"
        return error("host-function", f"{message}; write {_RUN_TIME}", unit.span(node), *reached.notes(unit, start))
    compared = "" if able.compares_arrays else class_with_arrays(node)
    if compared:
        message = f"a defaulted 'operator<=>' leaves arrays out in device code for a GPU, and '{compared}' has some; "
        message += "define the operator with a body"
        return error("unsupported-type", message, unit.span(node), *reached.notes(unit, start))
    undestroyed = undestroyed_object(unit, node) if able.constexpr_standard else ""
    if undestroyed:
        message = (
            f"a '{undestroyed}' cannot be in device code for a GPU: what it holds has a destructor, and the library's"
        )
        message += (
            " that calls it is a function of the host; use the class itself, and a flag that says whether it is there"
        )
        return error("host-function", message, unit.span(node), *reached.notes(unit, start))
    target = node.referenced if node.kind in _NAMING else None
    if target is None:
        return None
    if node.kind == "DECL_REF_EXPR" and _is_of_host(target, able):
        name = str(target.spelling)
        instead = f"; {able.instead[name]}" if name in able.instead else ""
        written = _WORD.match(unit.user_text(node))
        name = written[0] if written is not None and written[0] == name.lstrip("_") else name  # by a macro: setjmp
        message = f"'{name}' is a function of the host and has no device code{instead}"
        return error("host-function", message, unit.span(node), *reached.notes(unit, start))
    is_number = node.kind == "DECL_REF_EXPR" and target.spelling == _NUMBER_OF_THREADS and is_library_function(target)
    if is_number and not _is_where_the_host_is_asked_for(node):
        message = f"'{_NUMBER_OF_THREADS}' has no effect in device code; give the 'parallel' a clause 'num_threads'"
        return error("host-function", message, unit.span(node), *reached.notes(unit, start))
    if able.seems_constant and target.spelling in _ASKING:
        message = (
            f"device code for a GPU cannot ask '{target.spelling}': the library's is told that it is evaluated at "
            f"compile time; write {_RUN_TIME}"
        )
        return error("host-function", message, unit.span(node), *reached.notes(unit, start))
    if not has_standard or not _is_library_only(target, able):
        return None
    instead = _way_out(str(target.semantic_parent.spelling))
    if kind_of(target) == "CONSTRUCTOR":
        made = _known_name(target.semantic_parent)
        message = f"a '{made}' cannot be made in device code: its constructor is a function of the host; {instead}"
    else:
        message = f"'{_known_name(target)}' is a function of the host and has no device code; {instead}"
    return error("host-function", message, unit.span(node), *reached.notes(unit, start))


def _is_library_only(function: Cursor, able: Capabilities) -> bool:
    """Whether a function of the C++ library has no device code: ``constexpr`` functions are for both sides."""
    if kind_of(function) not in FUNCTION_KINDS or not is_of_cxx_library(function):
        return False
    is_shared = PurePath(str(function.location.file)).name in able.shared_headers
    if (is_shared and function.spelling not in able.waiting_functions) or function.is_default_method():
        return False
    scope = function.semantic_parent
    if (function.spelling if kind_of(scope) == "NAMESPACE" else scope.spelling) in able.constexpr_later:
        return False  # the device's compiler has them by a later standard, or says that it has not
    pattern = library.template_of(function) or function
    return not library.is_constexpr(pattern)


def _way_out(scope: str) -> str:
    if scope in _CONTAINERS:
        return _DATA
    return _UPDATE if scope in _ATOMICS else _ELSEWHERE


def _known_name(declaration: Cursor) -> str:
    """Return the name by which users know a member of the C++ library."""
    words = [str(declaration.spelling).partition("<")[0]]
    for scope in enclosing_scopes(declaration):
        if kind_of(scope) != "NAMESPACE" or not library.is_inline_namespace(scope):
            words.append(_PUBLIC.get(str(scope.spelling), str(scope.spelling)))
    return "::".join(reversed(words))


def _is_of_host(function: Cursor, able: Capabilities) -> bool:
    """Whether a function is the C library's, and one that devices do not have; its symbol may be one of several that
    the library has, for standards of C (``__isoc99_scanf``) or sizes of files (``fopen64``)."""
    name = str(function.spelling)
    if kind_of(function) != "FUNCTION_DECL" or name not in able.host_functions:
        return False
    symbol = str(function.mangled_name)
    is_same = symbol in (name, f"{name}64") or (symbol.startswith("__") and symbol.endswith(f"_{name}"))
    return is_same and library.in_system_header(function)


def _definition(tree: Tree, called: Cursor) -> Node | None:
    """Return the user's definition of a function, that of the instance for a template."""
    definition = called.get_definition()
    if definition is None or library.in_system_header(definition):
        return None
    return tree.node(definition)


_NEVER = RECORD_KINDS | {"GENERIC_SELECTION_EXPR", "LAMBDA_EXPR", "PARM_DECL"}
"""What has code that something else has to call, a lambda's or a local class's, or of which only one is chosen."""

_ASKING = frozenset({"is_constant_evaluated", "__builtin_is_constant_evaluated"})
_RUN_TIME = "the part for run time alone"
_WORD = regex(r"\w+")
_CONSTEXPR_IF = regex(r"if\s*constexpr\b")
_CONSTEXPR_VARIABLE = regex(r"(?:\w+\s+)*constexpr\b")
_CONSTEVAL_IF = regex(r"if\s*(?:!|\bnot\b)?\s*consteval\b")


def is_executed(unit: ParsedUnit, node: Node, top: Node) -> bool:
    """Whether a node in ``top`` may be executed when ``top`` is."""
    below = node
    while below is not top:
        above = below.parent
        if above is None:
            return True
        if above is not top and (above.kind in _NEVER or is_only_compiled(above, below)):
            return False
        if _is_left_out(unit, above, below):
            return False
        below = above
    return True


def _is_left_out(unit: ParsedUnit, above: Node, below: Node) -> bool:
    match above.kind:
        case "CONDITIONAL_OPERATOR":
            return _is_discarded(above, below)
        case "BINARY_OPERATOR" if above.operator in ("&&", "||") and below is above.children[-1]:
            return _is_decided(above.children[0], above.operator == "||")
        case "VAR_DECL":  # the compiler knows its value
            return _starts_with(unit, above, _CONSTEXPR_VARIABLE)
        case "IF_STMT":
            return _is_discarded(above, below) and _starts_with(unit, above, _CONSTEXPR_IF)
        case _:
            return False


def _is_discarded(above: Node, below: Node) -> bool:
    """Whether a constant condition, behind what it declares, keeps a branch from being executed."""
    rest = tuple(dropwhile(lambda child: child.kind == "DECL_STMT", above.children))
    if len(rest) < 2 or below not in rest[1:]:
        return False
    condition, *branches = rest
    value = library.evaluate_integer(condition.cursor)
    return value is not None and (below is branches[0]) != bool(value)


def _is_where_the_host_is_asked_for(node: Node) -> bool:
    """Whether a node is in what ``if (omp_is_initial_device())`` executes: never on a device."""
    path = [node, *node.ancestors()]
    for below, above in pairwise(path):
        if above.kind == "IF_STMT" and len(above.children) > 1 and below is above.children[1]:
            asked = above.children[0].bare()
            if asked.kind == "CALL_EXPR" and asked.spelling == "omp_is_initial_device":
                return True
    return False


def _starts_with(unit: ParsedUnit, node: Node, words: re.Pattern[str]) -> bool:
    span = unit.span(node)
    return span is not None and words.match(span.text) is not None


def _is_decided(operand: Node, value: bool) -> bool:
    found = library.evaluate_integer(operand.cursor)
    return found is not None and bool(found) is value
