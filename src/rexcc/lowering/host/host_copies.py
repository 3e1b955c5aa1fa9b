"""The copies that keep what is private to the target construct, or to a league, private in the host version too.

In: a kernel. Out: lines in front of the host version and behind it, and the uses that a copy's name cannot hide.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rexcc.analysis.aliased_variables import is_aliased
from rexcc.analysis.allocators import Allocator, allocators_of
from rexcc.analysis.attributes import Attribute, Kind
from rexcc.analysis.changed_variables import may_change
from rexcc.analysis.copies_made import copies_are_bytes
from rexcc.analysis.lambda_values import may_be_bound
from rexcc.analysis.references import UsedVariable
from rexcc.clang import classes, types
from rexcc.clang.tree import RECORD_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.lowering.cleanups.alias import KernelMemory
from rexcc.lowering.cleanups.memory import Memory
from rexcc.lowering.host.group_copies import groups_restored, is_own_group, kept_groups
from rexcc.lowering.host.host_version import copied_by_directives, is_compiled_by_clang, variable_name
from rexcc.lowering.model.host_values import address_text
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.lambdas import lambdas_in, variables_named
from rexcc.lowering.text.qualified import host_name, name_in_body
from rexcc.program.variables import Variable
from rexcc.source.own_names import own_name
from rexcc.source.records import dataclass

_TYPES = RECORD_KINDS | {"TYPEDEF_DECL", "TYPE_ALIAS_DECL"}
_ONE_VALUE = frozenset({Kind.VALUE, Kind.POINTER, Kind.FIRSTPRIVATE, Kind.DEVICE_POINTER})


@dataclass(frozen=True)
class HostCopies:
    """Lines in front of the host version; ``opens``: one of them opens a block."""

    lines: tuple[str, ...]
    opens: bool


def host_copies(kernel: Kernel) -> HostCopies:
    """Return lines that give the host version its own copy of each private variable that the region changes, by any
    name, or that a constructor may give another value.

    A first value comes from the original by way of another name, one block further out, because a variable cannot be
    initialised from an outer one of the same name.
    """
    outer: list[str] = []
    inner: list[str] = held_lines(kernel)
    behind_scopes = {(name, alias) for _, name, alias in qualified_uses(kernel)}
    for attribute in _own_copies(kernel):
        name = attribute.variable.name
        if attribute.kind is Kind.PRIVATE or is_own_group(kernel, attribute):
            inner.append(f"__typeof__({host_name(attribute.variable)}) {name};")
            continue
        original, copy = _copy(name, attribute.variable, _host_name(kernel, attribute.variable))
        outer.append(original)
        inner += copy
        alias = name_in_body(kernel.region, attribute.variable)
        if alias != name and (name, alias) in behind_scopes:
            inner.append(f"__typeof__({name}) &{alias} = {name};")  # C++98 has no auto
    for name in _uncaptured(kernel):
        outer.append(f"auto &&{own_name(name)} = {name};")
        inner.append(f"auto &&{name} = {own_name(name)};")
    inner += kept_groups(kernel)
    inner += [f"omp_allocator_handle_t {a.variable.name} = {a.host_handle};" for a in _allocators(kernel)]
    opens = bool(outer or kernel.varying)
    if opens:
        outer = [*outer[:-1], " ".join([*outer[-1:], "{"])]
    if limit := kernel.region.expression("thread_limit"):
        outer.insert(0, f"int __rex_thread_limit = rex_limit_threads({limit[0]});")
    return HostCopies(tuple(outer + inner), opens)


def _uncaptured(kernel: Kernel) -> list[str]:
    """Return the structured bindings that the host version names: no clang captures them in its own constructs."""
    if not is_compiled_by_clang(kernel.region):
        return []
    copied = {attribute.variable for attribute in _own_copies(kernel)}
    named = (a.variable for a in kernel.data.attributes if a.variable not in copied)
    return [v.name for v in named if kind_of(v.cursor) not in VARIABLE_KINDS and v.name not in kernel.varying]


def holding_lines(kernel: Kernel) -> list[str]:
    """Return the lines that make what holds a copy of a variable, or refers to it, as the instantiation has it."""
    return [
        f"rex_host_copy<({when}), __typeof__({name})> {own_name(name)}({name});"
        for name, when in kernel.varying.items()
    ]


def held_lines(kernel: Kernel) -> list[str]:
    """Return the lines that give what is held so the variable's name."""
    return [
        f"typename rex_host_copy<({when}), __typeof__({name})>::type {name} = {own_name(name)}.value();"
        for name, when in kernel.varying.items()
    ]


def copied_names(kernel: Kernel) -> set[str]:
    """Return the names of the variables with a first value of which the host version has a copy of its own."""
    own = (a for a in _own_copies(kernel) if a.kind is not Kind.PRIVATE and not is_own_group(kernel, a))
    return {attribute.variable.name for attribute in own}


def host_ends(kernel: Kernel) -> list[str]:
    """Return lines behind the host version that end what it has of its own."""
    limited = kernel.region.expression("thread_limit") is not None
    destroyed = [f"omp_destroy_allocator({a.variable.name});" for a in _allocators(kernel)]
    return [*groups_restored(kernel), *destroyed, *(["rex_limit_threads(__rex_thread_limit);"] if limited else [])]


def _allocators(kernel: Kernel) -> list[Allocator]:
    used = {a.variable for a in kernel.data.attributes if a.kind is Kind.ALLOCATOR}
    return [a for a in allocators_of(kernel.region) if a.variable in used]


def _host_name(kernel: Kernel, variable: UsedVariable) -> str:
    """Return how the host names a variable, in templates as the user does (``T::count``): all instantiations have one
    text. What the region itself declares has no meaning in front of it."""
    if kernel.region.owner.template is None or not variable.is_global:
        return host_name(variable)
    own = {n.spelling for n in kernel.region.body.walk() if n.kind in _TYPES}
    written = (kernel.region.unit.user_text(use) for use in variable.uses if use.kind == "DECL_REF_EXPR")
    scopes = ((re.match(r"(\w+)\s*::", text), text) for text in written)
    return next((text for scope, text in scopes if scope is not None and scope[1] not in own), host_name(variable))


def _copy(name: str, variable: UsedVariable, there: str) -> tuple[str, list[str]]:
    kind = types.declared_type(variable.cursor)
    if types.is_scalar(kind) or types.is_pointer(kind):
        return f"__typeof__({there}) {own_name(name)} = {there};", [
            f"__typeof__({own_name(name)}) {name} = {own_name(name)};"
        ]
    original = f"__typeof__({there}) *{own_name(name)} = {address_text(there, kind)};"
    if not types.is_array(kind):
        return original, [f"__typeof__(*{own_name(name)}) {name} = *{own_name(name)};"]
    source = f"(const void *)*{own_name(name)}" if types.is_volatile(kind) else f"*{own_name(name)}"
    filled = f"__builtin_memcpy((void *){name}, {source}, sizeof {name});"
    return original, [f"__typeof__(*{own_name(name)}) {name}; {filled}"]


def qualified_uses(kernel: Kernel) -> list[tuple[Node, str, str]]:
    """Return uses that a local copy cannot hide, because the user wrote a scope or an object, with the variable's name
    and that by which the host version knows the copy there."""
    unit = kernel.region.unit
    return [
        (use, v.name, name_in_body(kernel.region, v))
        for v in _copied_globals(kernel)
        for use in v.uses
        if use.kind == "MEMBER_REF_EXPR" or "::" in unit.user_text(use)
    ]


def captured_copies(kernel: Kernel) -> list[tuple[Node, set[Variable]]]:
    """Return the lambdas of the region that name copied globals, with those: a local copy has to be captured."""
    copied: set[Variable] = set(_copied_globals(kernel))
    found = ((n, copied & variables_named(n)) for n in lambdas_in(kernel.region.body))
    return [(node, named) for node, named in found if named]


def _copied_globals(kernel: Kernel) -> list[UsedVariable]:
    return [a.variable for a in _own_copies(kernel) if a.variable.is_global]


def _own_copies(kernel: Kernel) -> list[Attribute]:
    """Return the attributes of the variables that need a copy of their own around the whole host version."""
    carried = copied_by_directives(kernel.region)
    elements = {element for pack in kernel.packs for element in pack.elements}
    own = [a for a in kernel.data.attributes if a.variable.name not in carried and a.variable not in elements]
    own = [a for a in own if a.variable.name not in kernel.varying and (_is_private(a) or is_own_group(kernel, a))]
    own = [a for a in own if not classes.is_fixed_array(types.declared_type(a.variable.cursor))]
    return [a for a in own if may_change(a) or _is_made_anew(kernel, a) or _is_changed_unnamed(kernel, a)]


def _is_changed_unnamed(kernel: Kernel, attribute: Attribute) -> bool:
    """Whether a region may change a variable's original without naming it, through a reference or a pointer.

    On a device that is what is mapped, and the region's own copy keeps its value.
    """
    variable, kind = attribute.variable, types.declared_type(attribute.variable.cursor)
    is_fixed = types.is_constant(kind) and not may_be_bound(variable)
    if attribute.kind is Kind.PRIVATE or is_fixed or not is_aliased(kernel.region.unit, variable):
        return False
    memory = _memory_of(kernel)
    return not memory.all_apart(frozenset({Memory(variable, False)}), memory.written)


@lru_cache(maxsize=1)
def _memory_of(kernel: Kernel) -> KernelMemory:
    """Remembered for the kernel at hand, whose variables are asked about one after another."""
    return KernelMemory(kernel.region, kernel.data)


def _is_made_anew(kernel: Kernel, attribute: Attribute) -> bool:
    """Whether a copy may have another value than the original, which the region may read: by the constructor of its
    class. Instantiations of a template have one text."""
    kind = types.without_reference(types.declared_type(attribute.variable.cursor))
    is_array = types.is_array(kind)
    kind = types.shape_of(kind).element if is_array else kind
    if attribute.kind is Kind.PRIVATE:
        in_template = kernel.region.owner.template is not None and not types.is_constant(kind)
        return in_template or (types.is_record(kind) and not types.canonical(kind).is_pod())
    return (
        attribute.kind is Kind.FIRSTPRIVATE
        and not is_array
        and types.is_record(kind)
        and not copies_are_bytes(kernel.region.unit, kind)
    )


def _is_private(attribute: Attribute) -> bool:
    if attribute.kind is Kind.MAPPED and types.is_pointer(attribute.variable.cursor.type):
        return not any(_is_itself(attribute.variable, item.whole.text) for _, item, _ in attribute.map_items)
    return attribute.copied or attribute.kind in _ONE_VALUE or attribute.kind is Kind.PRIVATE


def _is_itself(variable: Variable, item: str) -> bool:
    return variable_name(item) == variable.name
