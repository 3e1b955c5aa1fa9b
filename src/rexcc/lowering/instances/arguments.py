"""The arguments of the template that a region belongs to, each with the parameter that it is for.

In: a region of an instantiation. Out: parameters with kind and text of their arguments; how a parameter is declared.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from clang.cindex import Cursor

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, spelling
from rexcc.clang.scopes import scope_of
from rexcc.clang.template_arguments import arguments_of_type, full_name, method_arguments, split_arguments
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, kind_of
from rexcc.lowering.instances.deduction import deduced
from rexcc.lowering.model.names import (
    PARAMETER_KINDS,
    UNNAMED_SCOPE,
    class_arguments,
    function_arguments,
    parameters_of,
    template_arguments,
)
from rexcc.lowering.text.qualified import names_around
from rexcc.source.diagnostics import error
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_FIRST = regex(r"(?<![\w:.])(?<!:: )[^\W\d]\w*")
"""A name without a scope in front of it."""

_MEMBER_TYPES = frozenset({"ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"})


@dataclass(frozen=True, eq=False)
class GivenArgument:
    """A template's parameter with the kind and the text of its argument in an instantiation."""

    parameter: Cursor
    kind: str
    text: str

    @property
    def name(self) -> str:
        """The parameter's name, empty for none."""
        return str(self.parameter.spelling)

    @property
    def is_pack(self) -> bool:
        """Whether the parameter is a pack."""
        return self.kind == "pack"


def template_parameters(cursor: Cursor) -> list[Cursor]:
    """Return the template parameters in scope of a function or method pattern, those of its classes first."""
    listed = parameters_of(cursor)
    is_template = kind_of(cursor) == "FUNCTION_TEMPLATE"
    own = [c for c in listed if is_template and kind_of(c.semantic_parent) == "FUNCTION_TEMPLATE"]
    outer = [c for c in listed if c not in own]  # a method defined outside of its class names the class's parameters
    return (outer or class_parameters(scope_of(cursor))) + own


def class_parameters(scope: Cursor | None) -> list[Cursor]:
    """Return the template parameters of a class and those around it, outermost first, as the text of the class names
    them: one that is defined outside of its template has names of its own."""
    found: list[Cursor] = []
    while scope is not None and kind_of(scope) in RECORD_KINDS:
        definition = scope.get_definition() or scope
        found = parameters_of(definition) + found
        outer = _named_in_front(definition)
        if outer:
            return outer + found
        scope = scope.semantic_parent
    return found


def _named_in_front(definition: Cursor) -> list[Cursor]:
    """Return the parameters that stand in front of the name of a class which is defined outside of its template:
    ``template <class A> struct Outer<A>::Inner``."""
    if kind_of(definition.lexical_parent) in RECORD_KINDS or kind_of(definition.semantic_parent) not in RECORD_KINDS:
        return []
    found: dict[int, Cursor] = {}
    for child in definition.get_children():
        if not child.kind.is_reference() and not child.kind.is_expression():
            if kind_of(child) not in PARAMETER_KINDS:
                break
            continue
        for named in child.walk_preorder():
            target = named.referenced
            if target is not None and kind_of(target) in PARAMETER_KINDS:
                found.setdefault(int(target.hash), target)
    return list(found.values())


def given_arguments(region: TargetRegion, parameters: list[Cursor]) -> list[GivenArgument]:
    """Return the parameters of a region's template, or of what that specialises, with their arguments."""
    template = region.owner.template
    arguments = template_arguments(region.owner.node.cursor, template.cursor if template is not None else None)
    hidden = frozenset(names_around(region.construct.node))
    found = []
    for parameter, (kind, printed) in zip(parameters, arguments, strict=False):
        text = printed or (_default(region, parameter) if kind in ("value", "address") else "")
        text = text or (_default_template(parameter) if kind == "template" else "")
        text = _whole_address(region, parameter, text) if kind == "address" else text
        found.append(GivenArgument(parameter, kind, _in_full(text, hidden)))
    return found


def _default(region: TargetRegion, parameter: Cursor) -> str:
    """Return the default value of a parameter, which clang does not print.

    Raises CompileError for one that depends on other parameters or has no name (``unsupported-template``).
    """
    text = region.unit.user_text(region.unit.tree.node(parameter)).partition("=")[2].strip()
    others = {str(c.spelling) for c in template_parameters(parameter.semantic_parent)} if text else set[str]()
    if not text or "[" in text or not others.isdisjoint(re.findall(r"\w+", text)):
        message = (
            f"the default value of the template parameter '{parameter.spelling}' cannot be written in a kernel yet; "
        )
        raise error("unsupported-template", f"{message}write the argument", region.construct.span)
    return text


def _default_template(parameter: Cursor) -> str:
    """Return the name of the template that a parameter stands for by default, empty for none."""
    named = [c.referenced for c in parameter.get_children() if kind_of(c) == "TEMPLATE_REF"]
    names: list[str] = []
    scope: Cursor | None = named[-1] if named and named[-1] is not None else None
    while scope is not None:
        names.append(str(scope.spelling))
        scope = spelling.named_scope(scope)
    return "::".join(reversed(names))


def _in_full(text: str, hidden: Collection[str]) -> str:
    """Return an argument as it is named where a scope around has some of the names that clang's text begins with: a
    type's text is its name from the file's scope on."""
    return _FIRST.sub(lambda name: f"::{name[0]}" if name[0] in hidden else name[0], text) if hidden else text


def arguments_of_partial(region: TargetRegion, partial: Cursor, parameters: list[Cursor]) -> list[GivenArgument]:
    """Return the parameters of a method of a partial specialisation with their arguments: those of its own behind the
    specialisation's, which are parts of the class's. One that cannot be told has no kind."""
    places = class_parameters(partial)
    outer, own = parameters[: len(places)], parameters[len(places) :]
    cursor = region.owner.node.cursor
    written = str(partial.type.get_canonical().spelling).replace(UNNAMED_SCOPE, "")
    given: list[str] = []
    for kind, text in class_arguments(cursor):
        given += split_arguments(text) if kind == "pack" else (text,)
    scope = scope_of(cursor)
    whole = [full_name(scope.get_template_argument_type(i), text) for i, text in enumerate(given)] if scope else given
    kinds = [(str(p.spelling), _KINDS[kind_of(p)]) for p in places]
    packs = {str(p.spelling) for p in places if _is_pack(p)}
    forms = (deduced(kinds, arguments_of_type(written), each, _values_of(partial), packs) for each in (given, whole))
    known = next(filter(None, forms), {})
    found = []
    for place, parameter, (name, kind) in zip(places, outer, kinds, strict=False):
        kind = "pack" if _is_pack(place) else kind
        found.append(GivenArgument(parameter, kind if name in known else "", known.get(name, "")))
    return [*found, *(GivenArgument(p, *of) for p, of in zip(own, function_arguments(cursor), strict=False))]


def _values_of(partial: Cursor) -> list[str]:
    """Return the names of the parameters that are values, in the order in which a partial specialisation's arguments
    mention them; none where an alias could bring them into another order."""
    found = []
    for mention in partial.get_children():
        target = mention.referenced
        if kind_of(mention) == "TEMPLATE_REF" and not _keeps_order(target):
            return []
        for named in mention.walk_preorder() if mention.kind.is_expression() else ():
            target = named.referenced if kind_of(named) in ("DECL_REF_EXPR", "SIZE_OF_PACK_EXPR") else None
            if target is not None and kind_of(target) == "TEMPLATE_NON_TYPE_PARAMETER":
                found.append(str(target.spelling))
    return found


def _keeps_order(template: Cursor | None) -> bool:
    """Whether what a template's name stands for mentions its parameters once each, in their order."""
    if template is None or kind_of(template) != "TYPE_ALIAS_TEMPLATE_DECL":
        return True
    parameters = [str(c.spelling) for c in parameters_of(template)]
    alias = [c for c in template.get_children() if kind_of(c) == "TYPE_ALIAS_DECL"]
    mentioned = []
    for mention in (m for a in alias for m in a.walk_preorder()):
        if kind_of(mention) == "TEMPLATE_REF" and not _keeps_order(mention.referenced):
            return False
        if mention.referenced is not None and kind_of(mention.referenced) in PARAMETER_KINDS:
            mentioned.append(str(mention.referenced.spelling))
    return mentioned == parameters


_KINDS = {
    "TEMPLATE_TYPE_PARAMETER": "type", "TEMPLATE_NON_TYPE_PARAMETER": "value", "TEMPLATE_TEMPLATE_PARAMETER": "template"
}  # fmt: skip


def _whole_address(region: TargetRegion, parameter: Cursor, text: str) -> str:
    """Return a function's address with the template arguments of the function, where the parameter's type does not say
    which one is meant; clang leaves them out.

    Raises CompileError where there are several such functions (``unsupported-template``).
    """
    if "auto" not in str(parameter.type.spelling).split():
        return text
    name = text.rpartition("::")[2].removeprefix("&")
    found: set[tuple[str, ...]] = set()
    for node in region.owner.node.walk():
        target = node.referenced
        if target is not None and kind_of(target) in FUNCTION_KINDS and target.spelling == name:
            found.add(_function_arguments(target))
    if len(found) > 1:
        message = f"'{text}' is the address of several functions of one template, which cannot be lowered yet; "
        message += f"give the parameter '{parameter.spelling}' a type"
        raise error("unsupported-template", message, region.construct.span)
    arguments = next(iter(found), ())
    return f"{text}<{', '.join(arguments)}>" if arguments else text


def _function_arguments(function: Cursor) -> tuple[str, ...]:
    if library.template_of(function) is None:
        return ()
    return tuple(w[1:-1] if w.startswith("<") else w for w in method_arguments(function))


def is_of_class(parameter: Cursor) -> bool:
    """Whether the type of a parameter that is a value is a member of a class, of which an instantiation has its own."""
    declaration = parameter.type.get_declaration()
    scope = declaration.semantic_parent if kind_of(declaration) in _MEMBER_TYPES else None
    return scope is not None and kind_of(scope) in RECORD_KINDS


def declared_type(parameter: Cursor, name: str = "") -> str:
    """Return the declaration of a template parameter that is no pack, without its default."""
    if kind_of(parameter) == "TEMPLATE_TYPE_PARAMETER":
        return f"typename {name}".rstrip()
    if kind_of(parameter) == "TEMPLATE_NON_TYPE_PARAMETER":
        if is_of_class(parameter) and "::" not in str(parameter.type.spelling):
            return f"auto {name}".rstrip()  # such a name means something in its class alone
        return spelling.declare(parameter.type, name) if name else str(parameter.type.spelling)
    return f"{' '.join(_template_head(parameter))} {name}".rstrip()


def declared_pack(parameter: Cursor, name: str = "") -> str:
    """Return the declaration of a template parameter that is a pack."""
    if kind_of(parameter) == "TEMPLATE_TYPE_PARAMETER":
        return f"typename... {name}".rstrip()
    if kind_of(parameter) == "TEMPLATE_NON_TYPE_PARAMETER":
        bare = str(parameter.type.spelling).removesuffix("...").rstrip()
        if "(" not in bare:
            return f"{bare}... {name}".rstrip()
        return bare.replace("*)", f"*...{name or 'rex_pack'})", 1)  # gcc wants a name there
    return f"{' '.join(_template_head(parameter))}... {name}".rstrip()


def words_of(parameter: Cursor) -> frozenset[str]:
    """Return the words with which the program says what a template parameter is, without its name and default."""
    if kind_of(parameter) == "TEMPLATE_TYPE_PARAMETER":
        return frozenset()
    if kind_of(parameter) == "TEMPLATE_NON_TYPE_PARAMETER":
        return frozenset(re.findall(r"\w+", str(parameter.type.spelling)))
    return frozenset(_template_head(parameter))


def _template_head(parameter: Cursor) -> list[str]:
    """Return the tokens of ``template <class> class`` of a template parameter that is a template."""
    depth, found = 0, list[str]()
    for token in (str(t.spelling) for t in parameter.get_tokens()):
        found.append(token)
        depth += token.count("<") - token.count(">")
        if depth == 0 and token in ("class", "typename"):
            break
    return found


def never(cursor: Cursor) -> str:
    """Return a condition that no instantiation of a pattern meets, but that no compiler knows before there is one.

    Empty where no parameter of the template can say it.
    """
    named = [p for p in template_parameters(cursor) if p.spelling and kind_of(p) != "TEMPLATE_TEMPLATE_PARAMETER"]
    for parameter in sorted(named, key=_is_pack):
        name = str(parameter.spelling)
        if _is_pack(parameter):
            return f"sizeof...({name}) == static_cast<__SIZE_TYPE__>(-1)"
        is_type = kind_of(parameter) == "TEMPLATE_TYPE_PARAMETER"
        return f"!__is_same({name}, {name})" if is_type else f"{name} != {name}"
    return ""


def _is_pack(parameter: Cursor) -> bool:
    """Whether a template parameter with a name is a pack."""
    text = " ".join(str(t.spelling) for t in parameter.get_tokens())
    return re.search(rf"\.\.\.\s*{re.escape(str(parameter.spelling))}\b", text) is not None
