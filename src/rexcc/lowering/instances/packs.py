"""Parameter packs of the function that a region stands in.

In: a region of an instantiation. Out: the packs that the template's text names in the region, the host's names for
their elements, and the kernel's code with the packs' names. Each element is a variable with a name of its own, with a
map row like any other. The user's text names the pack, so it stands in a lambda that has such a parameter::

    [&](Args... args) {
      … s += (args + ... + 0) …
    }(rex_args_0, rex_args_1);

A parameter has the type that the program declares it with; where an object is mapped or a team has one copy, it is a
reference. What the region changes of the values that are private to it shall not change the host's: the host version
stands in such a lambda, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from clang.cindex import Cursor, Type

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.changed_variables import may_change
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.parameter_packs import elements_of, is_pack
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.kernel.ir import Bind, Block, Code, Declare
from rexcc.lowering.model.launch import FunctionPack
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.declared_types import asked_type
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.records import replace
from rexcc.source.text import Span

_COPIED = frozenset({Kind.VALUE, Kind.POINTER, Kind.FIRSTPRIVATE})
_TASKS = frozenset({"task", "taskloop"})


def function_packs(region: TargetRegion, data: RegionData) -> tuple[FunctionPack, ...]:
    """Return the packs of its function that a region names.

    Raises CompileError for what cannot be lowered yet (``unsupported-template``).
    """
    template = region.owner.template
    if template is None:
        return ()
    found: dict[str, FunctionPack] = {}
    for node in _names(template, [region.construct.node, *(c.definition for c in data.closures)]):
        parameter = node.referenced
        assert parameter is not None
        if template.tree.node(parameter).is_inside(region.construct.node) or parameter.spelling in found:
            continue
        if parameter.semantic_parent != template.cursor:
            what = f"'{parameter.spelling}' is a parameter pack of a lambda around the region, which"
            raise _refused(region, what, region.unit.span(node))
        found[str(parameter.spelling)] = _pack(region, data, parameter)
    for pack in found.values():
        _check(region, data, pack)
    return tuple(found.values())


def variables_of_empty_packs(region: TargetRegion, data: RegionData) -> Code:
    """Return declarations of the variables that the text names where a pack is expanded which has no elements here.

    Nothing reads them: they refer to memory that the kernel has.
    """
    return tuple(_declared_somewhere(variable) for variable in named_by_empty_packs(region, data))


def _declared_somewhere(variable: Cursor) -> Bind:
    kind, name = types.without_reference(variable.type), str(variable.spelling)
    pointer = spelling.declare_pointer_to(kind, "").rstrip()
    return Bind(spelling.declare_reference(kind, name), name, f"*({pointer})__rex_kernel_launch_env")


def named_by_empty_packs(region: TargetRegion, data: RegionData) -> list[Cursor]:
    """Return the variables, none of them used, that a region's text names where such a pack is expanded: those that
    no clause and no use gives the region. The bounds of its loops are no part of its text."""
    template, place = region.owner.template, region.construct.node
    if template is None or "..." not in region.unit.user_text(place):
        return []
    known = {a.variable.name for a in data.attributes}
    own = {(n.file, n.start, n.spelling): n for n in region.owner.node.walk() if n.kind in VARIABLE_KINDS}
    found: dict[str, Cursor] = {}
    for node in template.walk():
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None or kind_of(target) not in VARIABLE_KINDS or not place.start <= node.start < place.end:
            continue
        declared = template.tree.node(target)
        variable = own.get((declared.file, declared.start, declared.spelling))
        if is_pack(target) or target.spelling in known or variable is None or declared.is_inside(region.construct.node):
            continue
        kind = types.without_reference(variable.type)
        is_written = not _is_in_head(region, node) and not _is_global(target)
        if is_written and not spelling.is_unnamed(kind) and not types.has_runtime_extent(kind):
            found[str(target.spelling)] = variable.cursor
    return list(found.values())


def _is_in_head(region: TargetRegion, node: Node) -> bool:
    """Whether an expression is one of the bounds or the step of a loop that the region's threads share."""
    return any(loop.statement.start <= node.start < loop.body.start for loop in region.loops)


def _is_global(variable: Cursor) -> bool:
    return Variable(variable).is_global


def write_pack_types(body: DeviceBody, region: TargetRegion, packs: Iterable[FunctionPack]) -> None:
    """Write the type that a pack is declared with where code asks for it by the pack's name."""
    patterns = {pack.name: _pattern(pack) for pack in packs}
    for node in _names(region.owner.template, [region.body]) if region.owner.template is not None else ():
        asked = asked_type(body, node) if node.spelling in patterns else None
        if asked is not None and asked.word == "decltype":
            body.edits.rewrite(asked.start, asked.end, patterns[node.spelling])


def pack_parameters(region: TargetRegion, packs: Iterable[FunctionPack]) -> list[Node]:
    """Return the declarations of packs in the template's text."""
    template = region.owner.template
    return [template.tree.node(pack.parameter) for pack in packs] if template is not None else []


def _names(template: Node, code: list[Node]) -> list[Node]:
    """Return the expressions in the template's text that name a pack of a function where an instance's code stands."""
    ranges = [(n.file, n.start, n.end) for n in code]
    return [
        node
        for node in template.walk()
        if node.referenced is not None
        and is_pack(node.referenced)
        and any(node.file == file and start <= node.start < end for file, start, end in ranges)
    ]


def _pack(region: TargetRegion, data: RegionData, parameter: Cursor) -> FunctionPack:
    elements = tuple(map(Variable, elements_of(region.owner.node.cursor, parameter)))
    used = tuple(a for a in map(data.of, elements) if a is not None)
    by_value = len(used) == len(elements) and all(a.kind in _COPIED for a in used) and not region.has_inner_parallel
    private = [a for a in used if a.kind in _COPIED]
    changes = any(map(may_change, private))
    return FunctionPack(parameter, elements, used, by_value, changes)


def _check(region: TargetRegion, data: RegionData, pack: FunctionPack) -> None:
    """Refuse what the lambdas would not keep."""
    tasks = (c for c in region.constructs[-1].descendants() if _TASKS.intersection(c.directive.leaves))
    if next(tasks, None) is not None:
        raise _refused(region, f"'{pack.name}' is a parameter pack in a region with tasks, which")
    if any({*c.kept}.intersection(pack.elements) for c in data.closures):
        raise _refused(region, f"'{pack.name}' is a parameter pack that a lambda captured earlier, which")
    if pack.changes and any((a.kind in _COPIED) != _is_plain(a.variable.type) for a in pack.used):
        raise _refused(region, f"'{pack.name}' is a parameter pack of which the region changes copies, which")


def _is_plain(kind: Type) -> bool:
    """Whether the host version's lambda copies an argument of a type (``rex_templates.h``)."""
    bare = types.without_reference(kind)
    return types.is_scalar(bare) or types.is_pointer(bare)


def _refused(region: TargetRegion, what: str, place: Span | None = None) -> CompileError:
    message = f"{what} cannot be lowered yet; "
    message += "give the region variables with names of their own, or an object of a class that has the values"
    return error("unsupported-template", message, place or region.construct.span)


def with_common_changes(instances: Iterable[tuple[FunctionPack, ...]]) -> list[tuple[FunctionPack, ...]]:
    """Return the packs of all instantiations, whose host versions are one text: one may change what another does."""
    every = list(instances)
    changed = {pack.name for packs in every for pack in packs if pack.changes}
    return [tuple(replace(pack, changes=pack.name in changed) for pack in packs) for packs in every]


def with_packs(packs: Sequence[FunctionPack], code: Code) -> Code:
    """Return a kernel's code in lambdas that give the elements of packs the packs' names.

    Declarations that the code begins with stay in front of them: what follows the code may name their variables.
    """
    names = "|".join(re.escape(pack.name) for pack in packs)
    is_outside = [isinstance(s, Declare) and re.search(rf"\b(?:{names})\b", str(s)) is None for s in code]
    first = next((at for at, stays in enumerate(is_outside) if not stays), len(code))
    outside, code = code[:first], code[first:]
    for pack in packs:
        given = ", ".join(_given(pack, element) for element in pack.elements)
        code = (Block(f"[&]({_declared(pack)})", code, behind=f"({given});"),)
    return (*outside, *code)


def _declared(pack: FunctionPack) -> str:
    """Return the declaration of a pack as a parameter."""
    pattern = _pattern(pack)
    mark = "" if pack.by_value or _is_reference(pattern) else "&"
    return spelling.with_declarator(pattern, f"{mark}...{pack.name}")


def _pattern(pack: FunctionPack) -> str:
    """Return the type that a pack is declared with, which names packs of the template."""
    return str(pack.parameter.type.spelling).removesuffix("...").rstrip()


def _is_reference(pattern: str) -> bool:
    """Whether a pack is declared with a type of references."""
    return pattern.endswith("&") or re.search(r"\(&+\)", pattern) is not None


def _given(pack: FunctionPack, element: Variable) -> str:
    """Return the argument for an element."""
    kind = element.type
    is_reference = types.is_reference(kind)
    if pack.by_value and not is_reference:
        return element.name
    through = spelling.spell(kind) if is_reference else spelling.declare_reference(kind, "").rstrip()
    if all(a.variable != element for a in pack.used):
        bare = spelling.declare_pointer_to(types.without_reference(kind), "").rstrip()
        return f"({through})*({bare})__rex_kernel_launch_env"
    return f"({through}){element.name}"


def host_elements(packs: Iterable[FunctionPack]) -> list[str]:
    """Return the host's lines that give the elements which a kernel gets their names."""
    return [
        f"auto &{element.name} = rex_pack_element<{position}>::of({pack.name}...);"
        for pack in packs
        for position, element in enumerate(pack.elements)
        if any(a.variable == element for a in pack.used)
    ]


def host_lambda(packs: Iterable[FunctionPack]) -> tuple[str, str]:
    """Return what stands around a host version so that it changes copies of its own; empty where it changes none."""
    names = [pack.name for pack in packs if pack.changes]
    if not names:
        return "", ""
    parameters = ", ".join(f"typename rex_on_host<decltype({name})>::type... {name}" for name in names)
    given = ", ".join(f"{name}..." for name in names)
    return f"[&]({parameters}) {{", f"}}({given});"
