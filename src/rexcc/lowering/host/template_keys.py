"""Kernel identity inside templates: each instantiation has its own kernel, the template's text names it by a key.

In: a region of a template. Out: three texts. Before the template, ``template <typename T> struct OUT__1__f__5__key;``;
in the launch block, ``OUT__1__f__5__key<T>::id()``; at the end of the file, where all types are known, one
specialisation per instantiation; an explicit instantiation has it in front, because compilers make the instance there.
The key is in an unnamed namespace, because another translation unit's key of that name is another.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.names import template_arguments
from rexcc.source.diagnostics import CompileError, error

PARAMETER_KINDS = frozenset({"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER"})


def template_parameters(cursor: Cursor) -> list[Cursor]:
    """Return the template parameters in scope of a function or method pattern, those of its classes first."""
    listed = [c for c in cursor.get_children() if kind_of(c) in PARAMETER_KINDS]
    is_template = kind_of(cursor) == "FUNCTION_TEMPLATE"
    own = [c for c in listed if is_template and kind_of(c.semantic_parent) == "FUNCTION_TEMPLATE"]
    outer = [c for c in listed if c not in own]  # a method defined outside of its class names the class's parameters
    return (outer or _class_parameters(cursor.semantic_parent)) + own


def key_arguments(cursor: Cursor) -> list[str]:
    """Return what a key's arguments are, inside the template: its parameters, those written in a specialisation."""
    partial = partial_specialisation(cursor)
    if partial is not None:
        return written_arguments(partial)
    return [str(p.spelling) for p in template_parameters(cursor)]


def written_arguments(partial: Cursor) -> list[str]:
    """Return the arguments that a partial specialisation is written for: ``T`` and ``int`` of ``Task<T, int>``."""
    text = str(partial.displayname)
    found, depth, start = [], 0, text.index("<") + 1
    for at in range(start, len(text)):
        depth += {"<": 1, "(": 1, "[": 1, ">": -1, ")": -1, "]": -1}.get(text[at], 0)
        if (text[at] == "," and depth == 0) or depth < 0:
            found.append(text[start:at].strip())
            start = at + 1
    return found


def partial_specialisation(cursor: Cursor) -> Cursor | None:
    """Return the partial specialisation that a pattern is a method of, None for other functions."""
    scope = cursor.semantic_parent
    is_partial = scope is not None and kind_of(scope) == "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"
    return scope if is_partial else None


def _key_parameters(kernel: Kernel) -> list[Cursor]:
    """Return the parameters of a key: the template's, a specialisation's are those of what it specialises."""
    pattern = _pattern(kernel)
    partial = partial_specialisation(pattern)
    if partial is None:
        if _in_partial_specialisation(pattern):
            raise _unsupported(kernel, "a class of a partial specialisation")
        return template_parameters(pattern)
    primary = library.template_of(partial)
    if primary is None or kind_of(pattern) == "FUNCTION_TEMPLATE" or kind_of(partial.semantic_parent) in RECORD_KINDS:
        raise _unsupported(kernel, "a template that is a member of a partial specialisation")
    return template_parameters(primary) or [c for c in primary.get_children() if kind_of(c) in PARAMETER_KINDS]


def _class_parameters(scope: Cursor | None) -> list[Cursor]:
    """Return the template parameters of a class and those around it, outermost first."""
    found: list[Cursor] = []
    while scope is not None and kind_of(scope) in RECORD_KINDS:
        found = [c for c in scope.get_children() if kind_of(c) in PARAMETER_KINDS] + found
        scope = scope.semantic_parent
    return found


def _pattern(kernel: Kernel) -> Cursor:
    template = kernel.region.owner.template
    assert template is not None
    return template.cursor


def key_use(kernel: Kernel) -> str:
    """Return the expression that finds the kernel's host key inside the template."""
    return f"{_key(kernel)}::id()"


def key_tile(kernel: Kernel) -> str:
    """Return the expression that finds, inside the template, how many iterations the kernel's threads take together."""
    return f"{_key(kernel)}::tile()"


def _key(kernel: Kernel) -> str:
    return f"{kernel.base}key<{', '.join(key_arguments(_pattern(kernel)))}>"


def key_declaration(kernel: Kernel) -> str:
    """Return the declaration of the key's primary template."""
    parameters: list[str] = []
    for parameter in _key_parameters(kernel):
        kind = kind_of(parameter)
        if kind == "TEMPLATE_TEMPLATE_PARAMETER" or _is_pack(parameter):
            raise _unsupported(kernel, "a template with a parameter pack or a template parameter")
        parameters.append("typename" if kind == "TEMPLATE_TYPE_PARAMETER" else str(parameter.type.spelling))
    return f"namespace {{ template <{', '.join(parameters)}> struct {kernel.base}key; }}"


def _unsupported(kernel: Kernel, what: str) -> CompileError:
    message = f"a target region in {what} cannot be lowered yet"
    return error("unsupported-template", message, kernel.region.construct.span)


def _in_partial_specialisation(cursor: Cursor | None) -> bool:
    while cursor is not None and kind_of(cursor) != "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION":
        cursor = cursor.semantic_parent
    return cursor is not None


def _is_pack(parameter: Cursor) -> bool:
    return any(t.spelling == "..." for t in parameter.get_tokens())


def key_specialisation(kernel: Kernel) -> str:
    """Return the specialisation for this kernel's instantiation, inside the template's namespaces.

    It is for the end of the file, or for the place of an explicit instantiation, which is in some of them already.
    """
    arguments = template_arguments(kernel.region.owner.node.cursor)
    texts = [text for _, text in arguments]
    if any(kind == "other" for kind, _ in arguments) or any(
        re.search(r"\((lambda|unnamed|anonymous)", t) for t in texts
    ):
        raise _unsupported(kernel, "a template instantiated with a type without a name (a lambda)")
    inner = (
        f"namespace {{ template <> struct {kernel.base}key<{', '.join(texts)}> "
        f"{{ static void *id() {{ return &{kernel.stem}id__; }} "
        f"static int tile() {{ return {kernel.geometry.tile}; }}{_form(kernel)} }}; }}"
    )
    around = _namespaces(_pattern(kernel))
    place = kernel.region.owner.written
    inside = len(_namespaces(place.cursor)) if place is not None else 0
    for name in around[: len(around) - inside]:
        inner = f"namespace {name} {{ {inner} }}"
    return inner


def _form(kernel: Kernel) -> str:
    return "" if kernel.form is None else f" static constexpr int form() {{ return {kernel.form}; }}"


def key_form(kernel: Kernel) -> str:
    """Return the constant that finds, inside the template, which form of launch an instantiation has."""
    return f"{_key(kernel)}::form()"


def _namespaces(cursor: Cursor) -> list[str]:
    names: list[str] = []
    parent = cursor.semantic_parent
    while parent is not None and not parent.kind.is_translation_unit():
        if kind_of(parent) == "NAMESPACE":
            names.append(str(parent.spelling))
        parent = parent.semantic_parent
    return names


def outermost_declaration(cursor: Cursor) -> Cursor:
    """Return the declaration at namespace scope that contains a function: itself or its outermost class."""
    current = cursor
    parent = current.lexical_parent
    while parent is not None and kind_of(parent) not in ("NAMESPACE", "TRANSLATION_UNIT", "LINKAGE_SPEC"):
        current, parent = parent, parent.lexical_parent
    return current
