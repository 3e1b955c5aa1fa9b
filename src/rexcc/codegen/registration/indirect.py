"""The tables of functions that device code calls through pointers of the host: addresses on the host and on the device.

In: a unit's ``indirect`` functions and its kernels. Out: :class:`IndirectFunctions` with the lines of the host file,
which has the host addresses, and the function of the device file that finds the device's.
"""

from __future__ import annotations

from functools import cached_property

from clang.cindex import Cursor

from rexcc.analysis.indirect import indirect_functions, pointer_calls
from rexcc.analysis.reachable_functions import called_bodies, is_elsewhere
from rexcc.analysis.separate import Separate
from rexcc.clang import library, spelling
from rexcc.clang.scopes import enclosing_scopes
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.codegen.registration.globals import DeviceVariable
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.records import dataclass

CallPlace = tuple[str, int, int]
"""File and range, in the parsed buffer, of what is called through a pointer; in instantiations, of their pattern's."""

_TABLE = "rex_indirect_functions"
_POINTER = "rex_indirect_hosts"
_FUNCTION = "rex_indirect_target"
_FINDER = "rex_find_indirect"
JOINED = "rex_joined_indirect"
"""The function that asks all files of an image (``rex_device_joined.h``)."""


@dataclass(frozen=True, eq=False)
class IndirectFunctions:
    """The functions, and the calls through pointers in functions of the device; ``mark`` is that of a unit whose image
    may be joined with others', ``are_called`` tells that device code calls through pointers."""

    unit: ParsedUnit
    functions: tuple[Cursor, ...] = ()
    calls: frozenset[CallPlace] = frozenset()
    mark: str = ""
    are_called: bool = False

    @property
    def any(self) -> bool:
        """Whether the device file has something of them."""
        return bool(self.functions) or self.are_called

    @property
    def asks(self) -> tuple[str, ...]:
        """The function that finds those of all files, if it is called."""
        return (JOINED,) if self.mark and self.are_called else ()

    @property
    def finds(self) -> tuple[tuple[str, str], ...]:
        """Its name with the symbol of the one that finds those of this file."""
        return ((JOINED, f"{_FINDER}_{self.mark}"),) if self.mark and self.functions else ()

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """Their addresses as expressions of the host and the device file; one of many of a name is told by its type."""
        names = [_name(f) for f in self._every]
        return tuple(_address(f, names.count(_name(f)) > 1) for f in self.functions)

    @property
    def _every(self) -> list[Cursor]:
        found: dict[int, Cursor] = {}
        waiting = list(self.unit.declarations) if self.unit.is_cplusplus else []
        while waiting:
            node = waiting.pop()
            if node.kind in FUNCTION_KINDS:
                found[int(node.cursor.canonical.hash)] = node.cursor
            else:
                waiting += node.children if node.kind.endswith(("_DECL", "NAMESPACE", "SPEC")) else ()
        return list(found.values())

    @property
    def host_lines(self) -> list[str]:
        """The table of the host's addresses, and the pointer to it that the runtime attaches on devices."""
        if not self.functions:
            return []
        rows = [f"    {address}," for address in self.addresses]
        return [
            "/* The functions that device code may call through pointers. */",
            f"static void *const {_TABLE}[] = {{", *rows, "};", f"REX_GLOBAL_POINTER_TO({_POINTER}, {_TABLE})",
        ]  # fmt: skip

    @property
    def global_rows(self) -> list[str]:
        """The row of the storage that the runtime copies to devices."""
        return [f'    {{&{_POINTER}, "{_TABLE}", sizeof {_TABLE}}},'] if self.functions else []

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the device file that are symbols, of which each unit has its own."""
        return (_POINTER, _FUNCTION, _FINDER) if self.any else ()

    def entries(self, mark: str) -> list[str]:
        """The entry of the device's pointer to that storage; its symbol has the unit's mark, if there is one."""
        symbol = f"{_POINTER}_{mark}" if mark else _POINTER
        return [f'REX_GLOBAL_ENTRY(&{_POINTER}, "{symbol}", sizeof {_POINTER})'] if self.functions else []

    @property
    def device_text(self) -> str:
        """The device's function that finds a function by its host address; it stands behind all functions."""
        device = self.unit.target.words.device
        tests = [f"  if (pointer == {_POINTER}[{n}]) return {text};" for n, text in enumerate(self.addresses)]
        table = [f'extern "C" {{ {device} void *const *{_POINTER}; }}'] if self.functions else []
        lines = ["/* Functions that may be called through pointers: their addresses on the host and here. */", *table]
        if self.mark:
            return "\n".join([*lines, *self._joined_text(device, tests)]) + "\n"
        lines += [
            f'extern "C" {device} void *{_FUNCTION}(void *pointer) {{', *tests,
            "  return pointer; // null, or an address of this device already", "}",
        ]  # fmt: skip
        return "\n".join(lines) + "\n"

    def _joined_text(self, device: str, tests: list[str]) -> list[str]:
        """Return the lines of a file whose code may be linked with that of others."""
        finder = [f'extern "C" {device} void *{_FINDER}(const void *pointer) {{', *tests, "  return nullptr;", "}"]
        if not self.are_called:
            return finder
        own = f"{_FINDER}(pointer)" if self.functions else "nullptr"
        return [
            *(finder if self.functions else []),
            f"REX_JOINED({JOINED})",
            f'extern "C" {device} void *{_FUNCTION}(void *pointer) {{',
            f"  void *found = {own};",
            f"  if (found == nullptr) found = REX_FIND_IN_ALL({JOINED}, pointer);",
            "  return found != nullptr ? found : pointer; // null, or an address of this device already",
            "}",
        ]


def called_indirectly(
    unit: ParsedUnit, kernels: list[Kernel], separate: Separate, sink: DiagnosticSink
) -> IndirectFunctions:
    """Return the functions that device code may call through pointers: none where none does so, but for those that
    other files' may call."""
    functions = indirect_functions(unit)
    regions = [part for k in kernels for part in k.region.device_parts]
    lambdas = [c.definition for k in kernels for c in k.data.closures]
    also = (*functions, *separate.exported)
    bodies = [*regions, *lambdas, *called_bodies(unit.tree, regions, also=also)] if functions else []
    called = [callee for body in bodies for callee in pointer_calls(body)]
    if not called or not (kernels or separate.mark):
        offered = tuple(f for f in separate.indirect if _is_usable(unit, f, DiagnosticSink()))
        return IndirectFunctions(unit, offered, mark=separate.mark)
    steps = ((k.region, loop.step_node) for k in kernels for loop in k.region.loops)
    for step in (n for region, n in steps if n is not None and region.bound_of(n) is None):
        for callee in pointer_calls(step):
            message = "a loop's step cannot be what a function gives that is called through a pointer yet"
            sink.error("unsupported-indirect", message, unit.span(callee))
    for node in (n for body in bodies for n in body.walk() if _compares_name(n)):
        message = "a function's name is its address on the device here, which no pointer of the host is equal to"
        sink.error(
            "unsupported-indirect", message, unit.span(node), Note("compare pointers with each other, or on the host")
        )
    here = (f for f in functions if not (separate.mark and is_elsewhere(f)))
    usable = tuple(f for f in here if _is_usable(unit, f, sink))
    places = frozenset((c.file, c.start, c.end) for c in called)
    return IndirectFunctions(unit, usable, places, separate.mark, are_called=True)


def _compares_name(node: Node) -> bool:
    """Whether an expression compares a pointer with the name of a function."""
    if node.kind != "BINARY_OPERATOR" or node.operator not in ("==", "!="):
        return False
    sides = [n.children[0].bare() if n.operator == "&" else n for n in (c.bare() for c in node.children)]
    return any(n.kind == "DECL_REF_EXPR" and n.referenced and kind_of(n.referenced) in FUNCTION_KINDS for n in sides)


def _is_usable(unit: ParsedUnit, function: Cursor, sink: DiagnosticSink) -> bool:
    """Report functions whose addresses cannot be told."""
    name, place = f"'{function.spelling}' is 'indirect' on 'declare target'", unit.span(unit.tree.node(function))
    if kind_of(function) == "FUNCTION_TEMPLATE" or any(
        kind_of(s).startswith("CLASS_TEMPLATE") for s in enclosing_scopes(function)
    ):
        message = f"{name} and a template, whose functions cannot be called through pointers in device code yet"
        sink.error("unsupported-indirect", message, place)
    elif any(s.access_specifier.name in ("PRIVATE", "PROTECTED") for s in (function, *enclosing_scopes(function))):
        message = f"{name} and a private member, which cannot be called through pointers in device code yet"
        sink.error("unsupported-indirect", message, place)
    elif is_elsewhere(function):
        sink.error("undefined-device-function", f"{name} but not defined in this file", place)
    else:
        return True
    return False


def _name(function: Cursor) -> str:
    return DeviceVariable(function, None).host


def _address(function: Cursor, overloaded: bool) -> str:
    """Return a function's address as a pointer to data."""
    name = _name(function)
    if not overloaded:
        return f"(void *){name}"
    arguments = ", ".join(spelling.spell(a) for a in library.argument_types(function.type))
    pointer = spelling.declare(function.result_type, f"(*)({arguments})")
    return f"(void *)({pointer}){name}"
