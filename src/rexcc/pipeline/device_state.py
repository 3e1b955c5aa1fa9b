"""What the code of a unit has in common with that of others in an image, besides functions.

In: what the lowering and the device file have made. Out: its variables, of which a program has one for each device,
with the tables that the runtime attaches to the image: an image that has another copy of the unit's code has copies of
these too. And whether its functions use the state of their team, of which a kernel has one.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.analysis.reachable_functions import Place, called_bodies
from rexcc.analysis.used_reductions import constructs_at
from rexcc.clang import library, types
from rexcc.codegen.device.device_file import DeviceFile
from rexcc.codegen.registration.globals import DeviceVariable
from rexcc.pipeline.lower import Lowering


def device_state(state: Lowering, made: DeviceFile, variables: Iterable[DeviceVariable]) -> tuple[str, ...]:
    """Return the names of a unit's variables on the device, those of functions included."""
    names = [v.host for v in variables]
    parts = [part for kernel in state.kernels for part in kernel.region.device_parts]
    functions = (*made.addressed.functions, *made.separate.exported)
    for body in (*parts, *called_bodies(state.unit.tree, parts, also=functions)):
        found = (n for n in body.walk() if n.kind == "VAR_DECL" and library.has_global_storage(n.cursor))
        names += [str(n.spelling) for n in found if not types.is_constant(n.type)]
    names += [str(function.spelling) for function in made.addressed.indirect.functions]
    names += [str(function.method.spelling) for function, _ in made.addressed.virtual.cases.values()]
    return tuple(dict.fromkeys(names))


def uses_team(state: Lowering, made: DeviceFile) -> bool:
    """Whether functions for other units, or functions that they call, have constructs or name a routine of OpenMP's."""
    places: set[Place] = set()
    functions = (*made.addressed.functions, *made.separate.exported)
    for body in called_bodies(state.unit.tree, (), places, functions):
        if any(n.kind == "DECL_REF_EXPR" and n.spelling.startswith("omp_") for n in body.walk()):
            return True
    return any(constructs_at(state.unit, frozenset(places)))
