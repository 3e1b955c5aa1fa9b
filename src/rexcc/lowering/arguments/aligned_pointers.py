"""Arrays whose elements could be loaded whole, if they began at a multiple of more than their type asks for.

In: a lowered kernel. Out: its pointer parameters to such arrays, each with that multiple. A structure of four ``float``
has 16 bytes and the alignment of one ``float``, so that a device compiler loads and stores it number by number, where
CUDA's own ``float4`` takes one instruction. Mapped memory begins at multiples of 256, but sections, and addresses that
the program computes, need not: so the kernel asks for the multiple once, when it starts, and has its code for both
answers (``rex_device_neighbours.h``, decision 108). Both do the same with the same elements, in the same order of the
program's statements; only how many instructions a thread's neighbouring accesses take is otherwise, which nothing can
tell: the language has no order for them, and accesses that are atomic or volatile stay as they are.

The same goes for arrays of numbers that the region takes for such structures, by a cast, and for those of which a
thread visits several side by side (:mod:`.aligned_rows`).

A structure of pointers of which there is one, whose arrays the region visits, is read as its type says: nvcc takes a
pointer that a kernel reads in memory for one to global memory only where the kernel tests no address.

Kernels that call a long function have their code once: a function with one call is put in its place, one with two is
left a call, with its state in memory.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, types
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.lowering.arguments.aligned_rows import asked_rows
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.model.launch import Parameter
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import named_variable

_MOST_AT_ONCE, _LEAST_AT_ONCE = 16, 4
_LARGEST = 64
"""Bytes that one instruction takes at most and that are worth it; bytes of a structure of which several are used."""

_MOST_NODES, _MOST_CALLED = 600, 80
"""Nodes of the trees of a region, whose code stands in the kernel twice, and of a function that it calls."""

_CASTS = frozenset({"CSTYLE_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR", "CXX_STATIC_CAST_EXPR"})


def aligned_pointers(context: CleanupContext) -> tuple[tuple[str, int], ...]:
    """Return the names of pointers that the kernel asks for a multiple, with it."""
    kernel, region = context.kernel, context.kernel.region
    if Optimisation.NEIGHBOURS in region.left_out or region.owner.template is not None or kernel.packs:
        return ()
    if kernel.geometry.one_thread:
        return ()
    found = [(p.name, _multiple(region, p)) for p in kernel.parameters]
    wanted = [(name, bytes_) for name, bytes_ in found if bytes_]
    cast = _most_by_cast(region)
    if cast:
        wanted += [(p.name, cast) for p in kernel.parameters if _is_of_numbers(p, cast)]
    rows = asked_rows(context)
    known = {name for name, _ in wanted}
    wanted += [(p.name, rows[p.value_of]) for p in kernel.parameters if p.name not in known and p.value_of in rows]
    if not wanted or sum(1 for _ in region.body.walk()) > _MOST_NODES or _is_said_once(region.body.cursor, set()):
        return ()
    return tuple(wanted)


def _is_said_once(code: Cursor, seen: set[int]) -> bool:
    """Whether code calls a function of the user's that is long, or has assembly, whose labels may be there once."""
    for node in code.walk_preorder():
        if kind_of(node).endswith("ASM_STMT"):
            return True
        called = node.referenced.get_definition() if kind_of(node) == "CALL_EXPR" and node.referenced else None
        if called is None or called.hash in seen or library.in_system_header(called):
            continue
        seen.add(called.hash)
        if sum(1 for _ in called.walk_preorder()) > _MOST_CALLED or _is_said_once(called, seen):
            return True
    return False


def _multiple(region: TargetRegion, parameter: Parameter) -> int:
    """Return the bytes that one instruction takes of a parameter's elements, 0 where their type says so already, or the
    region uses one number of an element alone."""
    element = _element(parameter)
    count = _whole(element) if element is not None else 0
    if element is None or not count or _is_followed(region, parameter, element):
        return 0
    return count if _has_neighbours(region, element) else 0


def _is_followed(region: TargetRegion, parameter: Parameter, element: Type) -> bool:
    """Whether a parameter leads to one object, whose members lead to arrays: ``a->row[i]``."""
    record, follows = element.get_declaration(), False
    for node in region.body.walk():
        if node.kind == "MEMBER_REF_EXPR" and node.referenced is not None:
            follows |= types.is_pointer(node.type) and node.referenced.semantic_parent == record
        elif node.kind == "DECL_REF_EXPR" and named_variable(node) == parameter.value_of:
            around = node.wrapped().parent
            if around is None or around.kind != "MEMBER_REF_EXPR":
                return False
    return follows


def _has_neighbours(region: TargetRegion, element: Type) -> bool:
    """Whether a region uses more of a structure than one member that is a number or pointer."""
    record, members = element.get_declaration(), set[str]()
    for node in region.body.walk():
        if node.kind == "MEMBER_REF_EXPR" and node.referenced is not None:
            if node.referenced.semantic_parent == record:
                members.add(str(node.spelling))
                if len(members) > 1 or not (types.is_scalar(node.type) or types.is_pointer(node.type)):
                    return True
        elif types.canonical(node.type).get_declaration() == record:
            around = node.wrapped().parent
            if around is None or around.kind != "MEMBER_REF_EXPR":
                return True
    return False


def _element(parameter: Parameter) -> Type | None:
    """Return the type of the elements that a pointer parameter leads to."""
    if parameter.value_of is None:
        return None
    kind = types.canonical(types.without_reference(parameter.value_of.cursor.type))
    return types.canonical(kind.get_pointee()) if types.is_pointer(kind) else None


def _whole(element: Type) -> int:
    """Return the bytes of a structure that one instruction takes, 0 where its type says so already."""
    size, alignment = int(element.get_size()), int(element.get_align())
    if kind_of(element.get_declaration()) not in RECORD_KINDS or not 0 < size <= _LARGEST or types.is_volatile(element):
        return 0
    at_once = min(size & -size, _MOST_AT_ONCE)
    return at_once if at_once > alignment and at_once >= _LEAST_AT_ONCE else 0


def _most_by_cast(region: TargetRegion) -> int:
    """Return the bytes of structures that an address is taken for, 0 where none is."""
    casts = (node for node in region.body.walk() if node.kind in _CASTS and types.is_pointer(node.type))
    return max((_whole(types.canonical(types.canonical(node.type).get_pointee())) for node in casts), default=0)


def _is_of_numbers(parameter: Parameter, wanted: int) -> bool:
    """Whether a pointer leads to numbers of fewer bytes."""
    element = _element(parameter)
    return element is not None and types.is_scalar(element) and 0 < int(element.get_size()) < wanted
