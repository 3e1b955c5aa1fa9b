"""What a unit tells the link of device code: the functions that it has, needs and keeps, and its objects.

In: what the lowering and the device file have made. Out: :class:`~rexcc.codegen.registration.unit_parts.UnitPart`, None
for a unit that has nothing in common with others. The link must know of the variables on the device, of which a program
has one for each: an image that has another copy of the unit's code has copies of these too. And it must know whether
functions use the state of their team, of which a kernel has one.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.calls import any_block_uniform_alone
from rexcc.analysis.outward_calls import outward_calls
from rexcc.analysis.reachable_functions import Place, called_bodies
from rexcc.analysis.separate import symbol
from rexcc.analysis.used_reductions import constructs_at
from rexcc.clang import library, types
from rexcc.clang.call_forms import call_form
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.codegen.device.device_file import DeviceFile
from rexcc.codegen.registration.globals import DeviceVariable
from rexcc.codegen.registration.unit_parts import Called, Mention, PartObject, UnitPart
from rexcc.lowering.c.dialect import c_name
from rexcc.pipeline.lower import Lowering
from rexcc.pipeline.records import Image, TranslateOptions
from rexcc.source.records import replace


def unit_part(
    lowering: Lowering, made: DeviceFile, name: str, images: Iterable[Image], variables: Iterable[DeviceVariable]
) -> UnitPart | None:
    """Return what a unit has to say; ``name`` is its own in a program, ``variables`` are those of its image."""
    unit, separate = lowering.unit, made.separate
    if not separate.any and not separate.kept:
        return None

    def known(function: Cursor) -> str:
        return symbol(unit, function) if unit.is_cplusplus else c_name(symbol(unit, function))

    needs = []
    for function, call in separate.imported:
        span = unit.span(call)
        place = span.place if span is not None else unit.main
        mention = Mention(known(function), place, str(function.displayname), _caller(call), _called(function))
        needs.append(mention)
    keeps = tuple(Mention(known(f), found.place(unit), found.why) for f, found in separate.kept)
    has = tuple(map(known, separate.exported))
    ways = ((known(function), _called(function)) for function in separate.exported)
    called = tuple((symbol, way) for symbol, way in ways if way.form)
    part = UnitPart(
        module=f"__rex_module_{name}", source=unit.main, has=has, needs=tuple(needs), keeps=keeps,
        state=_variables(lowering, made, variables), called=called,
        shares=separate.statics,
        calls=outward_calls(
            unit.tree,
            dict(zip(has, separate.exported, strict=True)),
            {need.symbol: function for need, (function, _) in zip(needs, separate.imported, strict=True)},
        ),
    )  # fmt: skip
    if not separate.mark:
        return part
    return replace(
        part,
        objects=tuple(_object(lowering.options, image) for image in images if image.part),
        asks=made.addressed.asks,
        finds=made.addressed.finds,
        kernels=f"__{separate.mark}__" if lowering.kernels else "",
        uses_team=_uses_team(lowering, made),
        is_more_alone=any_block_uniform_alone(unit),
    )


def _object(options: TranslateOptions, image: Image) -> PartObject:
    """Return the relocatable object of an image, with what its target says to the link."""
    terms = options.part_terms if image.target == options.target else ()
    return PartObject(image.target.name, image.architecture, image.part, terms)


def _caller(node: Node) -> str:
    """Return the user's name of the function around a node, empty outside of functions."""
    around = next((above for above in node.ancestors() if above.kind in FUNCTION_KINDS), None)
    return str(around.cursor.displayname) if around is not None else ""


def _called(function: Cursor) -> Called:
    """Return how a function is called, where its symbol does not tell it; a symbol of C++ has the types."""
    if function.mangled_name != function.spelling:
        return Called()
    return Called(call_form(function), str(function.type.spelling))


def _variables(lowering: Lowering, made: DeviceFile, variables: Iterable[DeviceVariable]) -> tuple[str, ...]:
    """Return the names of a unit's variables on the device, those of functions and the tables of ours included."""
    names = [v.host for v in variables]
    parts = [part for kernel in lowering.kernels for part in kernel.region.device_parts]
    functions = (*made.addressed.functions, *made.separate.exported)
    for body in (*parts, *called_bodies(lowering.unit.tree, parts, also=functions)):
        found = (n for n in body.walk() if n.kind == "VAR_DECL" and library.has_global_storage(n.cursor))
        names += [str(n.spelling) for n in found if not types.is_constant(n.type)]
    names += [str(function.spelling) for function in made.addressed.indirect.functions]
    names += [str(function.method.spelling) for function, _ in made.addressed.virtual.cases.values()]
    return tuple(dict.fromkeys(names))


def _uses_team(lowering: Lowering, made: DeviceFile) -> bool:
    """Whether functions for other units, or functions that they call, have constructs or name a routine of OpenMP's."""
    places: set[Place] = set()
    functions = (*made.addressed.functions, *made.separate.exported)
    for body in called_bodies(lowering.unit.tree, (), places, functions):
        if any(n.kind == "DECL_REF_EXPR" and n.spelling.startswith("omp_") for n in body.walk()):
            return True
    return any(constructs_at(lowering.unit, frozenset(places)))
