"""What GPUs cannot execute, in regions and in the functions that they call: found before nvcc is asked.

In: a region. Out: nothing, or an error with the calls that lead there. Functions of the C library that only hosts have
are known by name (each was compiled for a GPU and refused); what other functions of system headers do, nvcc says.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.executed import is_executed
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, Node, Tree, kind_of
from rexcc.source.diagnostics import CompileError, Note, error
from rexcc.source.records import dataclass

_NAMES = (
    "_Exit _setjmp aligned_alloc at_quick_exit atexit atof atoi atol atoll bsearch calloc clock_gettime close "
    "drand48 exit fclose fflush fgets fopen fprintf fputc fputs fread fscanf fseek fwrite getchar getenv getpid "
    "gettimeofday isdigit longjmp nanosleep open perror posix_memalign putc putchar puts qsort quick_exit raise "
    "rand rand_r random read realloc remove scanf setjmp setlocale signal sleep snprintf sprintf srand sscanf "
    "strcmp strdup strerror strstr strtod strtok strtol strtoul system time toupper usleep vprintf write"
)
_FUNCTIONS = frozenset(_NAMES.split())
_INSTEAD = {
    **dict.fromkeys(("fprintf", "fputc", "fputs", "fwrite", "putc", "putchar", "puts"), "'printf' prints there"),
    **dict.fromkeys(("exit", "_Exit", "quick_exit", "raise"), "'abort' or a trap ends the program there"),
    **dict.fromkeys(("calloc", "realloc", "aligned_alloc", "posix_memalign"), "'malloc' and 'free' are there"),
}
_EXCEPTIONS = {"CXX_THROW_EXPR": "'throw'", "CXX_TRY_STMT": "'try'", "CXX_CATCH_STMT": "'catch'"}
_TYPES = {"CXX_TYPEID_EXPR": "'typeid'", "CXX_DYNAMIC_CAST_EXPR": "'dynamic_cast'"}


@dataclass(frozen=True, eq=False)
class _Reached:
    """Code that device code executes, and the call by which it comes there, None for the region itself."""

    body: Node
    call: Node | None = None
    before: _Reached | None = None

    def notes(self, region: TargetRegion) -> Iterator[Note]:
        """Yield the calls on the way from the region, the last one first."""
        current: _Reached | None = self
        while current is not None and current.call is not None:
            name = current.call.referenced.spelling if current.call.referenced is not None else ""
            yield Note(f"'{name}' is called here", region.unit.span(current.call))
            current = current.before
        yield Note("the region starts here", region.construct.span)


def check_host_only(region: TargetRegion) -> None:
    """Raise CompileError for what a region, or a function that it calls, cannot do on a GPU (``host-function``)."""
    waiting = [_Reached(part) for part in region.device_parts]
    seen: set[int] = set()
    while waiting:
        reached = waiting.pop(0)
        for node in reached.body.walk():
            problem = _problem(region, reached, node)
            if problem is not None and is_executed(region.unit, node, reached.body):
                raise problem
            called = node.referenced if node.kind in ("CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
            if called is None or kind_of(called) not in FUNCTION_KINDS or int(called.hash) in seen:
                continue
            if not is_executed(region.unit, node, reached.body):
                continue
            seen.add(int(called.hash))
            body = _definition(region.unit.tree, called)
            if body is not None:
                waiting.append(_Reached(body, node, reached))


def _problem(region: TargetRegion, reached: _Reached, node: Node) -> CompileError | None:
    what = _EXCEPTIONS.get(node.kind)
    if what is not None:
        message = f"{what} cannot be in device code: GPUs have no exceptions"
        return error("host-function", message, region.unit.span(node), *reached.notes(region))
    what = _TYPES.get(node.kind)
    if what is not None:
        message = f"{what} cannot be in device code: GPUs know no types when a program runs"
        return error("host-function", message, region.unit.span(node), *reached.notes(region))
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    if target is None or not _is_of_host(target):
        return None
    name = str(target.spelling)
    instead = f"; {_INSTEAD[name]}" if name in _INSTEAD else ""
    message = f"'{name}' is a function of the host and has no device code{instead}"
    return error("host-function", message, region.unit.span(node), *reached.notes(region))


def _is_of_host(function: Cursor) -> bool:
    """Whether a function is the C library's, and one that devices do not have."""
    if kind_of(function) != "FUNCTION_DECL" or function.spelling not in _FUNCTIONS:
        return False
    return library.in_system_header(function) and str(function.mangled_name) == function.spelling


def _definition(tree: Tree, called: Cursor) -> Node | None:
    """Return the user's definition of a function, that of the instance for a template."""
    definition = called.get_definition()
    if definition is None or library.in_system_header(definition):
        return None
    return tree.node(definition)
