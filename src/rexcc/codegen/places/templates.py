"""Template parameters inside a kernel.

In: a region of an instantiated template. Out: the lines that give the template's parameter names their meaning in the
kernel (``using T = float;``, ``constexpr int N = 4;``), so that the user's body stays as written. A kernel declares
neither packs nor templates: where a region names one, its code is a function of a class template that has such
parameters, and the kernel calls that::

    template <typename... T> struct OUT__1__f__5__int_double__in {
      static __device__ void run(void *__rex_kernel_launch_env, int *__rex_s) { … }
    };
    … { OUT__1__f__5__int_double__in<int, double>::run(__rex_kernel_launch_env, __rex_s); }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from clang.cindex import Cursor, Type

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, types
from rexcc.clang.spelling import declare, spell
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.lowering.host.template_keys import partial_specialisation
from rexcc.lowering.instances.arguments import (
    GivenArgument,
    arguments_of_partial,
    class_parameters,
    declared_pack,
    declared_type,
    given_arguments,
    is_of_class,
    template_parameters,
    words_of,
)
from rexcc.lowering.instances.packs import pack_parameters
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.names import PARAMETER_KINDS
from rexcc.lowering.reductions.user_reductions import used_reductions
from rexcc.source.diagnostics import error

_KNOWN_KINDS = frozenset({"POINTER", "MEMBERPOINTER", "LVALUEREFERENCE"})
_UNDECLARABLE = frozenset({"pack", "template"})


def template_aliases(region: TargetRegion, given: Sequence[GivenArgument] = ()) -> tuple[str, ...]:
    """Return the alias lines of a region, in the order of the template's parameters; none for ordinary functions.

    ``given`` are parameters that the code around the lines has.
    """
    if region.owner.template is None:
        return ()
    lines: list[str] = []
    for meaning in (m for m in used_arguments(region) if all(m.name != g.name for g in given)):
        if meaning.kind == "type":
            lines.append(f"using {meaning.name} = {meaning.text};")
        elif meaning.kind == "value":
            given_type = _type_of(meaning.parameter)
            kind = "auto" if is_of_class(meaning.parameter) else spell(given_type)
            lines.append(f"constexpr {kind} {meaning.name} = {meaning.text};")
        elif meaning.kind == "address" and meaning.name in names_in(region, [region.construct.node]):
            _check_address(region, meaning)
            lines.append(f"constexpr {declare(_type_of(meaning.parameter), meaning.name)} = {meaning.text};")
    return tuple(lines)


def _type_of(parameter: Cursor) -> Type:
    """Return the type of a parameter that is a value: without aliases, but where other parameters decide what it is."""
    known = library.canonical_type(parameter.type)
    is_known = types.kind_name(known) in _KNOWN_KINDS or types.is_scalar(known)
    return known if is_known and "type-parameter" not in known.spelling else parameter.type


def used_arguments(region: TargetRegion) -> list[GivenArgument]:
    """Return the parameters that the template's text names, and the reductions of its class, with their arguments; and
    those that the types of such parameters name."""
    used = {n.spelling for n in _pattern_names(region)} | _names_of_reductions(region) | _names_of_classes(region)
    meanings = _meanings(region, used)
    for meaning in reversed(meanings):  # types name parameters in front of theirs
        if meaning.kind in ("address", "value") and meaning.name in used:
            used |= words_of(meaning.parameter)
    return [m for m in meanings if m.name in used]


def _names_of_reductions(region: TargetRegion) -> set[str]:
    """Return the names of the parameters of the class templates that declare reductions which a region uses."""
    scopes = (r.scope for r in _reductions(region) if r.block is None)
    return {str(parameter.spelling) for scope in scopes for parameter in class_parameters(scope)}


def _reductions(region: TargetRegion) -> tuple[DeclaredReduction, ...]:
    """Return the declared reductions that a region uses."""
    constructs = (*region.constructs, *region.constructs[-1].descendants())
    return used_reductions(region.unit, constructs) if region.unit.reductions else ()


def _names_of_classes(region: TargetRegion) -> set[str]:
    """Return the names of the parameters of the class templates around a function that has classes of its own: members
    of the class template are named in full in these."""
    template = region.owner.template
    if template is None or not any(node.kind in RECORD_KINDS for node in template.walk()):
        return set()
    return {str(parameter.spelling) for parameter in class_parameters(template.cursor.semantic_parent)}


def _check_address(region: TargetRegion, meaning: GivenArgument) -> None:
    """Refuse the address of an object: the device's one is another."""
    for node in region.construct.node.walk():
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None or kind_of(target) != "VAR_DECL" or region.unit.user_text(node) != meaning.name:
            continue
        if target.spelling != meaning.name:
            message = f"'{meaning.name}' is '{target.spelling}', a variable, as an argument of a template; a region "
            message += "cannot use it by that name yet; use the variable itself"
            raise error("unsupported-template", message, region.unit.span(node))


def parameters_around(kernel: Kernel) -> tuple[GivenArgument, ...]:
    """Return the packs and templates among the parameters that a kernel's code names, and what declares them."""
    region = kernel.region
    if region.owner.template is None:
        return ()
    nodes = [region.construct.node, *(c.definition for c in kernel.data.closures)]
    nodes += pack_parameters(region, kernel.packs)
    names = names_in(region, nodes) | _names_of(n for r in _reductions(region) for n in _uses_in(r.pattern))
    meanings = [m for m in _meanings(region, names) if m.name]
    needed = {m.name for m in meanings if m.name in names and m.kind in _UNDECLARABLE}
    for meaning in (m for m in meanings if m.name in needed):
        words = words_of(meaning.parameter)
        needed = needed | {m.name for m in meanings if m is not meaning and m.name in words}
    return tuple(m for m in meanings if m.name in needed)


def undeclarable(region: TargetRegion, nodes: Iterable[Node]) -> set[str]:
    """Return the names of packs and templates that the template's text has in some of its parts: no line can declare
    them."""
    names = names_in(region, nodes)
    return {m.name for m in _meanings(region, names) if m.name in names and m.kind in _UNDECLARABLE}


def names_in(region: TargetRegion, nodes: Iterable[Node]) -> set[str]:
    """Return the names of the template's parameters that the pattern's text has where an instance's nodes stand."""
    ranges = [(n.file, n.start, n.end) for n in nodes]
    uses = _parameter_uses(region)
    return _names_of(n for n in uses if any(n.file == f and low <= n.start < high for f, low, high in ranges))


def _names_of(uses: Iterable[Node]) -> set[str]:
    return {str(n.referenced.spelling) for n in uses if n.referenced is not None}


def code_in_template(name: str, given: Sequence[GivenArgument]) -> tuple[list[str], str]:
    """Return the lines that open the class templates for parameters, one for each pack, and how the innermost class is
    named with their arguments."""
    levels: list[list[GivenArgument]] = [[]]
    for argument in given:
        if levels[-1] and levels[-1][-1].is_pack:
            levels.append([])
        levels[-1].append(argument)
    opening, names = [], []
    for number, level in enumerate(levels):
        called = name if number == 0 else f"in_{number}"
        opening.append(f"template <{', '.join(map(_declaration, level))}> struct {called} {{")
        arguments = ", ".join(g.text for g in level if g.text)
        names.append(f"{called}<{arguments}>")
    return opening, "::".join(names)


def _declaration(meaning: GivenArgument) -> str:
    if meaning.is_pack:
        return declared_pack(meaning.parameter, meaning.name)
    return declared_type(meaning.parameter, meaning.name)


def _meanings(region: TargetRegion, used: set[str]) -> list[GivenArgument]:
    """Return the template's parameters with their arguments.

    Raises CompileError where those of a partial specialisation would have to be taken out of other types.
    """
    assert region.owner.template is not None
    pattern = region.owner.template.cursor
    parameters = template_parameters(pattern)
    partial = partial_specialisation(pattern)
    if partial is None:
        return given_arguments(region, parameters)
    found = arguments_of_partial(region, partial, parameters)
    missing = used & {m.name for m in found if not m.kind}
    if missing:
        message = f"'{min(missing)}' is part of another argument of the partial specialisation that this region is in; "
        message += "this cannot be lowered yet; put the region into a function outside of it"
        raise error("unsupported-template", message, region.construct.span)
    return [m for m in found if m.kind]


def _pattern_names(region: TargetRegion) -> list[Cursor]:
    """Return the template parameters that the pattern's text mentions in the region and in declarations around it."""
    place = region.construct.node
    return [
        n.referenced
        for n in _parameter_uses(region)
        if n.referenced is not None
        and ((n.file == place.file and place.start <= n.start < place.end) or _is_in_declaration(n))
    ]


def _is_in_declaration(use: Node) -> bool:
    """Whether a name stands in a declaration or a lambda of the function: the kernel may have its variables, types and
    lambdas."""
    if any(above.kind == "LAMBDA_EXPR" or above.kind in RECORD_KINDS for above in use.ancestors()):
        return True
    around = takewhile(lambda above: above.kind != "COMPOUND_STMT", use.ancestors())
    return any(above.kind.endswith("_DECL") for above in around)


def _parameter_uses(region: TargetRegion) -> Iterator[Node]:
    """Yield the nodes of the pattern that name a template parameter."""
    assert region.owner.template is not None
    return _uses_in(region.owner.template)


def _uses_in(pattern: Node) -> Iterator[Node]:
    for node in pattern.walk():
        target = node.referenced
        if target is not None and kind_of(target) in PARAMETER_KINDS:
            yield node
