"""Kernel identity inside templates: each instantiation has its own kernel, the template's text names it by a key.

In: a region of a template. Out: three texts. Before the template, ``template <typename T> struct OUT__1__f__5__key;``;
in the launch block, ``OUT__1__f__5__key<T>::id()``, with the grid where an instance may have two kernels; at the end of
the file, where all types are known, one specialisation per instantiation; where compilers make the instance earlier, it
stands in front of that place. The key is in an unnamed namespace, because another translation unit's key of that name
is another. A parameter pack is
one argument of the key, ``OUT__1__f__5__pack_0<T...>``.
"""

from __future__ import annotations

import re
from itertools import takewhile

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.abbreviated import is_abbreviated
from rexcc.clang.library import key_of
from rexcc.clang.scopes import scope_of
from rexcc.clang.template_arguments import split_arguments
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.lowering.host.second_forms import BLOCKS, THREADS, is_chosen_by_count, is_chosen_by_key, second_if
from rexcc.lowering.instances.arguments import (
    GivenArgument,
    declared_pack,
    declared_type,
    given_arguments,
    template_parameters,
    words_of,
)
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.names import parameters_of
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.patterns import regex
from rexcc.transformation.local_classes import local_arguments


def written_arguments(partial: Cursor) -> list[str]:
    """Return the arguments that a partial specialisation is written for: ``T`` and ``int`` of ``Task<T, int>``."""
    text = str(partial.displayname)
    return list(split_arguments(text[text.index("<") + 1 :].removesuffix(">")))


def partial_specialisation(cursor: Cursor) -> Cursor | None:
    """Return the partial specialisation that a pattern is a method of, None for other functions."""
    scope = scope_of(cursor)
    is_partial = scope is not None and kind_of(scope) == "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"
    return scope if is_partial else None


def _key_parameters(kernel: Kernel) -> list[Cursor]:
    """Return the parameters of a key: the template's, a specialisation's are those of what it specialises."""
    pattern = _pattern(kernel)
    if is_abbreviated(pattern):
        raise _unsupported(kernel, "a function with parameters of 'auto', whose types have no names,")
    partial = partial_specialisation(pattern)
    if partial is None:
        if _in_partial_specialisation(pattern):
            raise _unsupported(kernel, "a class of a partial specialisation")
        return template_parameters(pattern)
    primary = library.template_of(partial)
    if primary is None or kind_of(partial.semantic_parent) in RECORD_KINDS:
        raise _unsupported(kernel, "a partial specialisation that is a member of a class")
    return [*(template_parameters(primary) or parameters_of(primary)), *_own_parameters(kernel)]


def _own_parameters(kernel: Kernel) -> list[Cursor]:
    """Return the named parameters of the method itself where it is a template of a partial specialisation."""
    pattern = _pattern(kernel)
    partial = partial_specialisation(pattern)
    own = template_parameters(pattern)[len(parameters_of(partial)) :] if partial is not None else []
    return [parameter for parameter in own if parameter.spelling]


def _pattern(kernel: Kernel) -> Cursor:
    template = kernel.region.owner.template
    assert template is not None
    return template.cursor


def key_use(kernel: Kernel) -> str:
    """Return the expression that finds the host key of a kernel inside the template: of the one for this launch."""
    counted = ", __rex_tripcount" if is_chosen_by_count(kernel) else ""
    given = f"{BLOCKS}, {THREADS}{counted}" if is_chosen_by_key(kernel) else ""
    return f"{_key(kernel)}::id({given})"


def usual_key_use(kernel: Kernel) -> str:
    """Return the expression that finds the host key of the kernel that most launches take inside the template."""
    return f"{_key(kernel)}::id()"


def key_tile(kernel: Kernel) -> str:
    """Return the expression that finds, inside the template, how many iterations the kernel's threads take together."""
    return f"{_key(kernel)}::tile()"


def room_of_few_teams(kernel: Kernel) -> str:
    """Return two more operands for the threads of a block, empty where it has the usual ones however few teams are: the
    most of them, and those for which a multiprocessor has room then; inside a template, what its instance has."""
    shape, key = kernel.geometry, _key(kernel) if kernel.region.owner.template is not None else ""
    if key:
        return f", {key}::most(), {key}::room()" if shape.most else ""
    return f", {shape.most}, {kernel.room}" if shape.most > shape.limit else ""


def _key(kernel: Kernel) -> str:
    return f"{kernel.base}key<{', '.join(_key_arguments(kernel))}>"


def _key_arguments(kernel: Kernel) -> list[str]:
    """Return what a key's arguments are, inside the template: its parameters, those written in a specialisation."""
    given = _given(kernel)
    names = [f"{g.name}..." if g.is_pack else g.name for g in given]
    partial = partial_specialisation(_pattern(kernel))
    if partial is not None:
        written, of_class = written_arguments(partial), len(given) - len(_own_parameters(kernel))
        written = _with_defaults(kernel, given[:of_class], written)
        outer = [", ".join(written[i:]) if g.is_pack else written[i] for i, g in enumerate(given[:of_class])]
        names = [*outer, *names[of_class:]]
    return [_packed(kernel, given, names, index) for index in range(len(given))]


def _with_defaults(kernel: Kernel, given: list[GivenArgument], written: list[str]) -> list[str]:
    """Return the arguments of a partial specialisation with those that it leaves to defaults, which may name parameters
    in front of theirs."""
    found = list(written)
    meant = {g.name: value for g, value in zip(given, found, strict=False) if g.name}
    for argument in given[len(written) :]:
        text = kernel.region.unit.user_text(kernel.region.unit.tree.node(argument.parameter)).partition("=")[2].strip()
        if argument.is_pack:
            return found
        if not text:
            raise _unsupported(kernel, "a partial specialisation that leaves arguments out")
        found.append(re.sub(r"[A-Za-z_]\w*", lambda name: meant.get(name[0], name[0]), text))
        meant[argument.name] = found[-1]
    return found


def _packed(kernel: Kernel, given: list[GivenArgument], texts: list[str], index: int) -> str:
    """Return an argument of a key; a pack is one argument: the type that has it as its own."""
    if not given[index].is_pack:
        return texts[index]
    before = [texts[i] for i in _named_in_pack(given, index)]
    return f"{kernel.base}pack_{index}<{', '.join(filter(None, [*before, texts[index]]))}>"


def _named_in_pack(given: list[GivenArgument], index: int) -> list[int]:
    """Return which parameters the declaration of a pack names."""
    words = words_of(given[index].parameter)
    return [i for i, g in enumerate(given[:index]) if g.name in words]


def _given(kernel: Kernel) -> list[GivenArgument]:
    """Return the parameters that a key has; one without a name has no text in the template."""
    given = given_arguments(kernel.region, _key_parameters(kernel))
    return given if partial_specialisation(_pattern(kernel)) is not None else [g for g in given if g.name]


def key_declaration(kernel: Kernel) -> str:
    """Return the declaration of the key's primary template, behind those of the types that hold packs."""
    given = _given(kernel)
    declarations = [_declared(given, i) for i in range(len(given))]
    packs = [_pack_declaration(kernel, given, i) for i, g in enumerate(given) if g.is_pack]
    return f"namespace {{ {''.join(packs)}template <{', '.join(declarations)}> struct {kernel.base}key; }}"


def _declared(given: list[GivenArgument], index: int) -> str:
    """Return a parameter of a key; it has its name where others need it."""
    parameter, name = given[index].parameter, given[index].name
    if given[index].is_pack:
        return "typename"
    is_named = any(name in words_of(g.parameter) for g in given)
    return declared_type(parameter, name if is_named else "")


def _pack_declaration(kernel: Kernel, given: list[GivenArgument], index: int) -> str:
    before = [declared_type(given[i].parameter, given[i].name) for i in _named_in_pack(given, index)]
    parameters = ", ".join([*before, declared_pack(given[index].parameter)])
    return f"template <{parameters}> struct {kernel.base}pack_{index}; "


def _unsupported(kernel: Kernel, what: str, way_out: str = "") -> CompileError:
    message = f"a target region in {what} cannot be lowered yet{way_out}"
    return error("unsupported-template", message, kernel.region.construct.span)


def _in_partial_specialisation(cursor: Cursor | None) -> bool:
    while cursor is not None and kind_of(cursor) != "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION":
        cursor = scope_of(cursor)
    return cursor is not None


def key_specialisation(kernel: Kernel) -> str:
    """Return the specialisation for this kernel's instantiation, inside the namespaces around the template's text.

    It is for the end of the file, or for the place where compilers make the instance earlier; this may be in some of
    the namespaces already, and in others, which are closed for it.
    """
    inner = (
        f"namespace {{ template <> struct {specialised_key(kernel)} "
        f"{{ {_id(kernel)} "
        f"static int tile() {{ return {kernel.geometry.tile}; }}{_of_few_teams(kernel)}{_form(kernel)} }}; }}"
    )
    place = kernel.region.owner.place
    template = kernel.region.owner.template
    own, around = (
        _namespaces(template.cursor if template is not None else _pattern(kernel)),
        list(reversed(place.namespaces)) if place is not None else [],
    )
    shared = sum(1 for _ in takewhile(lambda pair: key_of(pair[0]) == key_of(pair[1]), zip(own, around, strict=False)))
    for space in reversed(own[shared:]):
        inner = f"{_opened(space)} {inner} }}"
    return "".join([*("} " for _ in around[shared:]), inner, *(f" {_opened(space)}" for space in around[shared:])])


def _opened(space: Cursor) -> str:
    return f"{'inline ' if library.is_inline_namespace(space) else ''}namespace {space.spelling} {{"


_COMPUTED = regex(r"[^{]*<[^{]*(?:\.\.\.|[-+/?]|&&|==|\|\|)[^{]*>\{")
"""An object whose class has expressions as arguments: clang prints those of a deduction guide, as they stand there."""


def specialised_key(kernel: Kernel) -> str:
    """Return the key of this kernel's instantiation.

    Raises CompileError for arguments that have no text (``unsupported-template``).
    """
    given = _given(kernel)
    local = next(local_arguments(kernel.region.owner), None)
    if local is not None:
        message = f"'{local.spelling}', an argument of the template that this region is in, is a type of a function; "
        message += "a kernel cannot name it yet; put it in front of the function"
        raise error("unsupported-template", message, kernel.region.construct.span)
    texts = [g.text for g in given]
    if any(g.kind == "other" for g in given):
        raise _unsupported(
            kernel, "a template instantiated with a value that has no exact text (a floating-point number)"
        )
    if any(_COMPUTED.match(g.text) for g in given if g.kind in ("value", "address")):
        raise _unsupported(
            kernel, "a template instantiated with an object whose class's arguments are deduced by a guide"
        )
    if any(re.search(r"\((lambda|unnamed|anonymous)", t) for t in texts):
        raise _unsupported(
            kernel,
            "a template instantiated with a type without a name (a lambda)",
            "; name the class, and those of variables that a lambda captures",
        )
    return f"{kernel.base}key<{', '.join(_packed(kernel, given, texts, index) for index in range(len(given)))}>"


def _id(kernel: Kernel) -> str:
    """Return the functions of a key that tell which kernel a launch takes, and which most of them do."""
    usual, is_second = f"&{kernel.stem}id__", second_if(kernel, "blocks", "threads")
    always = f"static void *id() {{ return {usual}; }}"
    if not is_chosen_by_key(kernel):
        return always
    counted = ", __INT64_TYPE__ __rex_tripcount" if is_chosen_by_count(kernel) else ""
    parameters = f"__INT64_TYPE__ blocks, int threads{counted}"
    for name in ("blocks", "threads", "__rex_tripcount"):
        parameters = parameters if name in is_second else parameters.replace(f" {name}", "")
    chosen = f"{is_second} ? &{kernel.stems[1]}id__ : {usual}" if is_second else usual
    return f"{always} static void *id({parameters}) {{ return {chosen}; }}"


def _of_few_teams(kernel: Kernel) -> str:
    """Return what a key tells where the program may ask for few teams."""
    if not kernel.geometry.most:
        return ""
    most, room = kernel.geometry.most, kernel.room
    return f" static int most() {{ return {most}; }} static int room() {{ return {room}; }}"


def _form(kernel: Kernel) -> str:
    return "" if kernel.form is None else f" static constexpr int form() {{ return {kernel.form}; }}"


def key_form(kernel: Kernel) -> str:
    """Return the constant that finds, inside the template, which form of launch an instantiation has."""
    return f"{_key(kernel)}::form()"


def _namespaces(cursor: Cursor) -> list[Cursor]:
    """Return the namespaces around a function's text, also around its classes, outer ones first: the key stands in
    front of it, and ``ns::f`` may be defined outside of ``ns``."""
    spaces: list[Cursor] = []
    parent = cursor.lexical_parent
    while parent is not None and not parent.kind.is_translation_unit():
        if kind_of(parent) == "NAMESPACE":
            spaces.insert(0, parent)
        parent = parent.lexical_parent
    return spaces


def outermost_declaration(cursor: Cursor) -> Cursor:
    """Return the declaration at namespace scope that contains a function: itself or its outermost class."""
    current = cursor
    parent = current.lexical_parent
    while parent is not None and kind_of(parent) not in ("NAMESPACE", "TRANSLATION_UNIT", "LINKAGE_SPEC"):
        current, parent = parent, parent.lexical_parent
    return current
