"""Lambdas from outside a region: the kernel defines them again, with what they captured.

In: the closures of a region. Out: the lines that define them, the arguments that bring values captured earlier, and the
host's copies of these, made where the lambda is::

    auto add = [step](int i) { return i + step; }; const auto __rex_add_step = step;    // host
    auto add = [step = __rex_add_step](int i) { return i + step; };                     // kernel
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.captures import declared_name
from rexcc.analysis.closures import Closure, KeptValue
from rexcc.analysis.implicit_rules import fits_value
from rexcc.analysis.references import References
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.statements import statement_end
from rexcc.kernel.ir import Bind, Code, Declare
from rexcc.lowering.c.half_choices import cast_half_choices
from rexcc.lowering.instances.conditions import resolve_conditions
from rexcc.lowering.model.host_values import NOTHING, address, packed, pointer, size_of
from rexcc.lowering.model.launch import Argument, MapRow, Parameter, unpacked
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL, PRIVATE_COPY, MapFlag
from rexcc.lowering.text.body import DeviceBody, Needs
from rexcc.lowering.text.case_ranges import spread_case_ranges
from rexcc.lowering.text.constant_questions import answer_questions
from rexcc.lowering.text.definitions import mark_methods
from rexcc.lowering.text.indirections import (
    lower_member_constants,
    lower_pointer_calls,
    lower_virtual_calls,
    reach_linked,
)
from rexcc.lowering.text.qualified import passed_variables, qualify_members
from rexcc.lowering.text.this_pointer import lower_this
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import error


def closure_definitions(
    region: TargetRegion, data: RegionData, needs: Needs, lower: Callable[[DeviceBody, Node], None]
) -> Code:
    """Return the definitions of the lambdas, each from its own text; ``needs`` are the kernel's, ``lower`` lowers the
    constructs and routines in one."""
    return tuple(
        Declare(f"auto {c.variable.name}", c.variable.name, _definition(region, data, c, needs, lower))
        for c in data.closures
    )


def _definition(
    region: TargetRegion, data: RegionData, closure: Closure, needs: Needs, lower: Callable[[DeviceBody, Node], None]
) -> str:
    node = closure.definition
    body = DeviceBody(region.unit, region.unit.files[node.file], needs=needs)
    start, end = body.start(node), body.end(node)
    lower_pointer_calls(body, [node])
    lower_virtual_calls(body, [node])
    if region.owner.template is not None:
        resolve_conditions(body, [node])
    lower_member_constants(body, [node], data.linked)
    reach_linked(body, node, data.linked)
    qualify_members(body, node, frozenset(passed_variables(data)))
    mark_methods(body, node)
    spread_case_ranges(body, [node])
    cast_half_choices(body, [node])
    answer_questions(body, [node])
    if node.kind == "LAMBDA_EXPR":
        lower_this(body, References(this_uses=list(closure.this_uses)), {})
        others = _name_others(body, data, node)
        others = () if closure.captures.default == "&" else others
        if closure.kept or closure.this_uses or others:
            captures = ", ".join([*_captures(closure), *(f"&{name}" for name in others)])
            body.edits.replace(start, start + closure.captures.end, f"[{captures}]")
        lower(body, node)  # last, for constructs take along the text of expressions as it has become
    return body.edited(start, end)


def _name_others(body: DeviceBody, data: RegionData, lambda_: Node) -> tuple[str, ...]:
    """Return the lambdas of namespace scope that one calls: in the kernel these are variables that it captures."""
    known = {c.variable for c in data.closures if c.variable.is_global}
    found: dict[str, None] = {}
    for node in lambda_.walk() if known else ():
        if named_variable(node) in known:
            found[node.spelling] = None
            body.edits.replace(body.start(node), body.end(node), node.spelling)
    return tuple(found)


def _captures(closure: Closure) -> list[str]:
    """Return the captures in the kernel: ``this`` is a variable there, copies have a value of their own."""
    written = closure.captures
    kept = {value.captured.name: _capture_of(value) for value in closure.kept}
    found = [written.default] if written.default else []
    for item in written.items:
        if item != "this":
            found.append(kept.pop(declared_name(item), item))
        elif not written.default:
            found.append("__rex_this")
    return [*found, *kept.values()]


def _capture_of(value: KeptValue) -> str:
    """Return the capture of a kept value; an array, which is only read, by reference."""
    mark = "&" if types.is_array(value.captured.cursor.type) else ""
    return f"{mark}{value.captured.name} = {value.name}"


def kept_arguments(data: RegionData) -> list[Argument]:
    """Return the arguments by which the captured values reach the kernel."""
    return [_argument(value.name, value.captured) for closure in data.closures for value in closure.kept]


def _argument(name: str, variable: Variable) -> Argument:
    kind = types.without_reference(variable.cursor.type)
    what, why = variable.name, "what a lambda captured earlier"
    if types.is_pointer(kind) or variable.decays:
        row = MapRow(pointer(name), pointer(name), NOTHING, (MapFlag.PARAM, MapFlag.IMPLICIT), what, reason=why)
        return Argument(row, Parameter(spelling.spell(kind), name))
    bare = spelling.spell_bare(kind)
    if fits_value(variable):
        row = MapRow(packed(name), None, size_of(name, kind), IMPLICIT_LITERAL, what, reason=why)
        return Argument(row, Parameter("rex_literal", f"{name}_", (unpacked(bare, name, f"{name}_"),)))
    flags = (*PRIVATE_COPY, MapFlag.IMPLICIT)
    row = MapRow(address(name, kind), address(name, kind), size_of(name, kind), flags, what, reason=why)
    bound = Bind(spelling.with_declarator(f"const {bare}", f"&{name}"), name, f"*{name}_")
    return Argument(row, Parameter(spelling.with_declarator(f"const {bare}", "*"), f"{name}_", (bound,)))


def kept_values(region: TargetRegion, data: RegionData) -> list[tuple[ProbedFile, int, str]]:
    """Return the host's copies: for each lambda the file, the offset behind its declaration, and the text.

    Raises CompileError where nothing can be put behind the declaration (``unsupported-capture``).
    """
    found = []
    for closure in data.closures:
        if closure.kept:
            file, end = _behind(region, closure)
            found.append((file, end, f" {' '.join(map(_copy, closure.kept))}"))
    return found


def _copy(value: KeptValue) -> str:
    if types.is_array(value.captured.cursor.type):
        return (
            f"__typeof__({value.expression}) {value.name}; "
            f"__builtin_memcpy({value.name}, {value.expression}, sizeof {value.name});"
        )
    return f"const auto {value.name} = {value.expression};"


def _behind(region: TargetRegion, closure: Closure) -> tuple[ProbedFile, int]:
    for node in region.owner.node.walk():
        if node.kind != "DECL_STMT" or node.parent is None or node.parent.kind != "COMPOUND_STMT":
            continue
        if any(c.kind == "VAR_DECL" and Variable(c.cursor) == closure.variable for c in node.children):
            file = region.unit.files[node.file]
            return file, statement_end(file, node)
    message = f"the lambda '{closure.variable.name}' captures what changes; declare it in a statement of its own"
    raise error("unsupported-capture", message, region.unit.span(closure.definition))
