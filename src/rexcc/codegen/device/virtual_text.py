"""The device's text of virtual functions that objects of the host have too.

In: a virtual function and its cases. Out: the member that its class gets beside it, and the member's definition, which
stands behind all classes::

    struct Shape {
      virtual int area(int x = 1) const = 0; __host__ __device__ int rex_virtual_area(int x = 1) const;
    };
    __host__ __device__ inline auto Shape::rex_virtual_area(int x) const -> int {
      const void *functions = rex_functions_of(this);
      if (functions == rex_host_vtables[2]) return ((const Square *)this)->Square::area(x);
      rex_expect_made_here(functions, "Shape::area");
      return this->area(x);
    }
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clang.cindex import Cursor

from rexcc.analysis.object_classes import TEMPLATES, key_of, text_of
from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.virtual_calls import VirtualFunction
from rexcc.analysis.virtual_declarations import Parts, declaration_parts, template_parts, without_value
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.codegen.registration.virtual_functions import POINTER, Case, VirtualFunctions, finder, joined_finder
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass


def members(found: VirtualFunctions) -> dict[Place, str]:
    """Return the declarations of members, by the place of the virtual function that they stand behind."""
    texts: dict[Place, str] = {}
    for function, _ in found.cases.values():
        node = found.unit.tree.node(function.method)
        parts = declaration_parts(found.unit, node)
        assert parts is not None
        result = "auto" if "->" in parts.behind else _result(function, parts)
        space = "" if result.endswith(("*", "&")) else " "
        declared = f"{result}{space}{function.name}({parts.parameters}){parts.behind}"
        texts[node.file, node.start] = f" {found.unit.target.words.both} {declared};"
    return texts


def definitions(found: VirtualFunctions) -> str:
    """Return the definitions of the members."""
    lines = ["/* Virtual functions of objects that the host may have made: by its tables, or by the device's. */"]
    for function, cases in found.cases.values():
        is_joined = found.is_joined(function)
        lines += [f"REX_JOINED({joined_finder(function)})"] if is_joined else []
        lines += _definition(found.unit, function, cases, is_joined)
        lines += _finder(found.unit, function, cases) if is_joined and cases else []
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class _Signature:
    """A function as text: its class, parameters as a definition has them and as arguments, its type.

    ``header`` is that of a template around; ``outside`` has the parameters as they are declared outside of the class
    and its namespaces; ``behind`` is what stands behind the parameters.
    """

    header: str
    owner: str
    shown: str
    outside: str
    given: str
    behind: str
    result: str


def _signature(unit: ParsedUnit, function: VirtualFunction) -> _Signature:
    node = unit.tree.node(function.method)
    parts, named = declaration_parts(unit, node), template_parts(unit, function.record)
    assert parts is not None and named is not None
    parameters = [n for n in node.children if n.kind == "PARM_DECL"]
    shown = ", ".join(_parameter(unit, p, i) for i, p in enumerate(parameters))
    outside = ", ".join(spelling.declare(p.type, _name(p, i)) for i, p in enumerate(parameters))
    given = ", ".join(_argument(p, i) for i, p in enumerate(parameters))
    return _Signature(*named, shown, outside, given, parts.behind, _result(function, parts))


def _finder(unit: ParsedUnit, function: VirtualFunction, cases: Sequence[Case]) -> list[str]:
    """Return the function that gives other files this file's functions for its classes, as pointers to functions."""
    signature = _signature(unit, function)
    _, shown = _pointer(function, signature)
    lines = [f'extern "C" {unit.target.words.device} void *{finder(function)}(const void *functions) {{']
    for method, own in _grouped(cases):
        call = _call(function, method, own, signature.given, "rex_object")
        body = f"[]({shown}) -> {signature.result} {{ return {call}; }}"
        lines += [f"  if ({_test(own)})", f"    return (void *)+{body};"]
    return [*lines, "  return nullptr;", "}"]


def _pointer(function: VirtualFunction, signature: _Signature) -> tuple[str, str]:
    """Return the type of a pointer to what is called for a virtual function, and its parameters: the object first."""
    others = f", {signature.outside}" if signature.outside else ""
    shown = f"{_qualifiers(function)}{signature.owner} *rex_object{others}"
    return f"auto (*)({shown}) -> {signature.result}", shown


def _definition(unit: ParsedUnit, function: VirtualFunction, cases: Sequence[Case], is_joined: bool) -> list[str]:
    made = _signature(unit, function)
    result = "" if "->" in made.behind else f" -> {made.result}"
    head = f"{made.header}{unit.target.words.both} inline auto {made.owner}::{function.name}({made.shown})"
    lines = [f"{head}{made.behind}{result} {{", "  const void *functions = rex_functions_of(this);"]
    if made.header:
        lines += [line for case in cases for line in _case_of_template(function, case, made.given)]
    else:
        lines += [_case(function, method, own, made.given) for method, own in _grouped(cases)]
    if is_joined:
        arguments = f"this, {made.given}" if made.given else "this"
        lines.append(f"  if (void *found = REX_FIND_IN_ALL({joined_finder(function)}, functions))")
        lines.append(f"    return reinterpret_cast<{_pointer(function, made)[0]}>(found)({arguments});")
    name = function.method.spelling
    lines.append(f'  rex_expect_made_here(functions, "{made.owner}::{name}");')
    return [*lines, f"  return this->{name}({made.given});", "}"]


def _result(function: VirtualFunction, parts: Parts) -> str:
    """Return a function's type: a template's in its own words, which nothing else has."""
    return (
        parts.before.strip() if kind_of(function.record) in TEMPLATES else spelling.spell(function.method.result_type)
    )


def _grouped(cases: Sequence[Case]) -> list[tuple[Cursor, list[Case]]]:
    """Return the cases by function; those of a template's instantiations are not one function."""
    found: dict[tuple[int, str], tuple[Cursor, list[Case]]] = {}
    for case in cases:
        instance = case.made.name if _is_in_template(case) else ""
        found.setdefault((int(case.method.canonical.hash), instance), (case.method, []))[1].append(case)
    return list(found.values())


def _is_in_template(case: Case) -> bool:
    return kind_of(case.method.semantic_parent) in TEMPLATES


def _case(function: VirtualFunction, method: Cursor, cases: list[Case], given: str) -> str:
    """Return the line that calls the function of some classes."""
    return f"  if ({_test(cases)}) return {_call(function, method, cases, given, 'this')};"


def _test(cases: list[Case]) -> str:
    return " || ".join(f"functions == {POINTER}[{n}]" for n in dict.fromkeys(c.row for c in cases))


def _call(function: VirtualFunction, method: Cursor, cases: list[Case], given: str, thing: str) -> str:
    """Return the call of the function of some classes, for a ``thing`` that points to an object."""
    record = text_of(method.semantic_parent)
    owner = cases[0].made.name if _is_in_template(cases[0]) else spelling.spell(types.canonical(record.type))
    is_own = key_of(record) == key_of(function.record)
    thing = thing if is_own else f"(({_qualifiers(function)}{owner} *){thing})"
    return f"{thing}->{owner}::{method.spelling}({given})"


def _case_of_template(function: VirtualFunction, case: Case, given: str) -> list[str]:
    """Return the lines for a class in a template's member: its instantiation may be another class's base."""
    made = case.made.name
    call = f"return (({_qualifiers(function)}{made} *)this)->{made}::{function.method.spelling}({given});"
    return [
        f"  if constexpr (std::is_base_of<{function.record.spelling}, {made}>::value)",
        f"    if (functions == {POINTER}[{case.row}]) {call}",
    ]


def _qualifiers(function: VirtualFunction) -> str:
    behind = str(types.canonical(function.method.type).spelling).rpartition(")")[2]
    return "".join(f"{q} " for q in ("const", "volatile") if re.search(rf"\b{q}\b", behind))


def _parameter(unit: ParsedUnit, node: Node, index: int) -> str:
    """Return a parameter as a definition has it: named, without a default."""
    return without_value(unit, node) if node.spelling else spelling.declare(node.type, _name(node, index))


def _name(node: Node, index: int) -> str:
    return node.spelling or f"rex_{index + 1}"


def _argument(node: Node, index: int) -> str:
    """Return a parameter as an argument: what may be an object is passed on, not copied."""
    name, kind = _name(node, index), node.type.get_canonical()
    is_value = not types.is_reference(kind) and (types.is_scalar(kind) or types.is_pointer(kind))
    is_plain = is_value or (types.is_reference(kind) and "&&" not in str(kind.spelling))
    return name if is_plain else f"static_cast<decltype({name}) &&>({name})"
