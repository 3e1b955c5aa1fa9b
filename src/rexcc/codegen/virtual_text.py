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
from rexcc.codegen.virtual_functions import POINTER, Case, VirtualFunctions
from rexcc.program.unit import ParsedUnit


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
        lines += _definition(found.unit, function, cases)
    return "\n".join(lines) + "\n"


def _definition(unit: ParsedUnit, function: VirtualFunction, cases: Sequence[Case]) -> list[str]:
    node = unit.tree.node(function.method)
    parts, named = declaration_parts(unit, node), template_parts(unit, function.record)
    assert parts is not None and named is not None
    header, owner = named
    parameters = [n for n in node.children if n.kind == "PARM_DECL"]
    shown = ", ".join(_parameter(unit, p, i) for i, p in enumerate(parameters))
    given = ", ".join(_argument(p, i) for i, p in enumerate(parameters))
    result = "" if "->" in parts.behind else f" -> {_result(function, parts)}"
    lines = [
        f"{header}{unit.target.words.both} inline auto {owner}::{function.name}({shown}){parts.behind}{result} {{",
        "  const void *functions = rex_functions_of(this);",
    ]
    if header:
        lines += [line for case in cases for line in _case_of_template(function, case, given)]
    else:
        lines += [_case(function, method, own, given) for method, own in _grouped(cases)]
    name = function.method.spelling
    lines.append(f'  rex_expect_made_here(functions, "{owner}::{name}");')
    return [*lines, f"  return this->{name}({given});", "}"]


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
    record = text_of(method.semantic_parent)
    owner = cases[0].made.name if _is_in_template(cases[0]) else spelling.spell(types.canonical(record.type))
    test = " || ".join(f"functions == {POINTER}[{n}]" for n in dict.fromkeys(c.row for c in cases))
    is_own = key_of(record) == key_of(function.record)
    thing = "this" if is_own else f"(({_qualifiers(function)}{owner} *)this)"
    return f"  if ({test}) return {thing}->{owner}::{method.spelling}({given});"


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
