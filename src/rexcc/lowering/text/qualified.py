"""Names of namespaces, classes and members inside a kernel.

In: the references of a region's body. Out: edits. A captured global that is named with its namespace gets the bare name
of its kernel parameter, or that of a reference to it where the body declares a variable of that name; what a method
names without its class (enumerators, static members, nested types) gets the class in front, and a class template that
its own members name without arguments gets those. The host side names a captured global in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from clang.cindex import Cursor

from rexcc.analysis.attributes import Attribute, Kind, RegionData
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, spelling, types
from rexcc.clang.scopes import classes_around, enclosing_scope, enclosing_scopes
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, Tree, kind_of
from rexcc.kernel.ir import Bind
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.lambdas import lambdas_in, variables_named
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.own_names import related

_WITH_REFERENCE = frozenset({Kind.VALUE, Kind.MAPPED_IMPLICITLY, Kind.CONSTANT})
_OPEN = RECORD_KINDS | {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "CLASS_TEMPLATE"}
_DOING = frozenset({"=", "++", "--", "p++", "p--"})
_TEMPLATES = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_NESTED_TYPES = RECORD_KINDS | {"ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL"}


def host_name(variable: UsedVariable) -> str:
    """Return how the host side names a variable: a namespace's or class's global in full."""
    names = [variable.name]
    scope = spelling.named_scope(variable.cursor) if variable.is_global else None
    if scope is not None and _names_its_own(variable, scope):
        return variable.name
    while scope is not None:
        record = kind_of(scope) in RECORD_KINDS
        names.append(spelling.spell(scope.type) if record else str(scope.spelling))
        scope = None if record else spelling.named_scope(scope)
    full = "::".join(reversed(names))
    return f"::{full}" if _may_be_hidden(variable, full) else full


def _may_be_hidden(variable: UsedVariable, full: str) -> bool:
    """Whether the full name of a variable of a file or namespace may mean another one where a region stands: a scope
    around the region has that name too, or the user saw a reason to begin at the file's."""
    scope = enclosing_scope(variable.cursor)
    if scope is None or not (scope.kind.is_translation_unit() or kind_of(scope) in _OPEN) or full.startswith("::"):
        return False
    if any(
        use.kind == "DECL_REF_EXPR" and use.end - use.start > len(full) and _begins_at_file(use)
        for use in variable.uses
    ):
        return True
    return bool(variable.uses) and full.partition("::")[0] in names_around(variable.uses[0])


def _begins_at_file(use: Node) -> bool:
    first = next(iter(use.cursor.get_tokens()), None)
    return first is not None and first.spelling == "::"


def names_around(use: Node) -> Iterator[str]:
    """Yield the names that the namespaces and classes around a use declare."""
    members = use.tree.once(_members_of_scopes)
    function = next((node for node in use.ancestors() if node.kind in FUNCTION_KINDS), None)
    for scope in enclosing_scopes(function.cursor) if function is not None else ():
        yield from members.get(str(scope.get_usr()), ())


def _members_of_scopes(tree: Tree) -> dict[str, set[str]]:
    """Return the names that the user's namespaces and classes declare, by the scope's identity."""
    found: dict[str, set[str]] = {}
    waiting = [*library.of_user(tree.unit)]
    for cursor in waiting:
        if kind_of(cursor) in _OPEN:
            waiting += (inner := library.children(cursor))
            names = found.setdefault(str(cursor.get_usr()), set())
            names.update(str(c.spelling) for c in inner)
    return found


def _names_its_own(variable: UsedVariable, scope: Cursor) -> bool:
    """Whether a region names a static member of its own class template, which has one text for all instantiations."""
    instance = kind_of(scope) in RECORD_KINDS and library.template_of(scope) is not None
    if not instance or not variable.uses or variable.uses[0].children:
        return False
    use = variable.uses[0]
    return use.end - use.start <= len(variable.name)  # and nothing in front of it


def lower_qualified(body: DeviceBody, region: TargetRegion, data: RegionData) -> None:
    """Make the names of a region's body mean the same in a kernel."""
    own = (*passed_variables(data), *_indices(region, data))
    for variable in own:
        _shorten(body, region, own, variable, data.of(variable))
    qualify_members(body, region.body, frozenset(own))


def _indices(region: TargetRegion, data: RegionData) -> Iterator[UsedVariable]:
    """Yield the variables of the region's loops that are declared outside of it: the kernel has its own."""
    for loop in region.loops:
        index = None if loop.declares else data.references.variables.get(loop.index)
        if index is not None:
            yield index


def passed_variables(data: RegionData) -> tuple[UsedVariable, ...]:
    """Return the variables that a kernel gets as arguments: their names are its own."""
    return tuple(a.variable for a in data.attributes if a.kind is not Kind.DEVICE_GLOBAL)


def qualify_members(body: DeviceBody, top: Node, captured: Set[Variable] = frozenset()) -> None:
    """Make names of a class's scope mean the same outside of it: members other than fields get their class in front,
    a class template its arguments.

    In C nothing but fields is a member: enumerators and tags inside of structures belong to the scope around them.
    """
    if not body.unit.is_cplusplus:
        return
    done: set[int] = set()
    for node in top.walk():
        member = _member(node, captured)
        if member is None:
            continue
        start = body.start(node)
        if start in done or node.file != body.file.scan.source.path:
            continue
        if _is_inside(top, member) or (not is_written(body, node, str(member.spelling)) and expand_macro(body, node)):
            continue
        if _stands_alone(body, node, str(member.spelling)):
            done.add(start)
            body.edits.insert(start, f"{_class_of(member, top)}::")
    _write_arguments(body, top, captured)


def _write_arguments(body: DeviceBody, top: Node, captured: Set[Variable]) -> None:
    """Write the arguments of an instantiated class template that its members name without any; a captured static member
    loses its class."""
    for node in top.walk():
        record = node.referenced if node.kind == "TYPE_REF" and node.file == body.file.scan.source.path else None
        if record is None or not _is_of_template(record):
            continue
        if node.parent is not None and node.parent.kind == "DECL_REF_EXPR" and named_variable(node.parent) in captured:
            continue
        start, end, name = body.start(node), body.end(node), str(record.spelling)
        if _stands_alone(body, node, name) and not body.text[end:].lstrip().startswith("<"):
            kind = record.type if library.template_of(record) is None else record.type.get_canonical()
            body.edits.rewrite(start, end, spelling.spell(kind))


def _shorten(
    body: DeviceBody,
    region: TargetRegion,
    own: Iterable[UsedVariable],
    variable: UsedVariable,
    attribute: Attribute | None,
) -> None:
    """Replace ``lib::table`` by ``table``, and a static member of an object, ``a.table``."""
    qualified = re.compile(rf".*(?:::|\.|->)\s*{re.escape(variable.name)}", re.S)
    for use in variable.uses:
        text = body.original(use)
        if use.file != body.file.scan.source.path:
            continue
        if not qualified.fullmatch(text):
            if text != variable.name and use.children:
                expand_macro(body, use)
            continue
        if use.kind == "MEMBER_REF_EXPR" and any(map(_does_something, use.walk())):
            message = f"'{text}' names the static member '{variable.name}' by an expression that does something"
            raise error("unsupported-capture", f"{message}; name it by its class", body.span(use))
        name = name_in_body(region, variable)
        if any(variable.name == other.name for other in own if other != variable):
            raise _same_name(body, use, text)
        if name != variable.name:
            if attribute is None or not _may_have_another_name(region, attribute):
                raise _same_name(body, use, text)
            body.aliases[name] = Bind(f"auto &{name}", name, variable.name)
        write = body.edits.rewrite if use.kind == "MEMBER_REF_EXPR" else body.edits.replace  # the object has edits too
        write(body.start(use), body.start(use) + len(text), name)


def _same_name(body: DeviceBody, use: Node, text: str) -> CompileError:
    message = f"'{text}' and another variable of that name in one target region cannot be lowered yet; copy it to one "
    return error("unsupported-capture", f"{message}of another name in front of the region", body.span(use))


def _may_have_another_name(region: TargetRegion, attribute: Attribute) -> bool:
    """Whether a reference to a kernel's number may stand for it: no construct has copies of it under its name."""
    if attribute.kind not in _WITH_REFERENCE or attribute.reduction or attribute.last:
        return False
    if not types.is_scalar(types.canonical(types.without_reference(attribute.variable.type))):
        return False
    whole = region.construct.body
    if whole is None or not all(whole.start <= use.start < whole.end for use in attribute.variable.uses):
        return False
    if any(attribute.variable in variables_named(node) for node in lambdas_in(region.body)):
        return False
    inner = region.constructs[-1].descendants()
    return not any(item.variable == attribute.variable for c in inner for item in c.items_of(*c.directive.clauses))


def expand_macro(body: DeviceBody, use: Node) -> bool:
    """Ask for the expansion of the user's macro that a name stands in, and say whether there is one."""
    for macro in body.unit.use_places.get(use.file, ()):
        if macro.start <= use.start < macro.end:
            body.expand(body.file.original(macro.start))
            return True
    return False


def is_written(body: DeviceBody, node: Node, name: str = "") -> bool:
    """Whether a node's text is its name, maybe with a scope in front or template arguments, and not that of a macro."""
    plain = rf"(?:this\s*->)?[\w\s:<>,*&]*\b{re.escape(name or node.spelling)}(?:\s*<.*)?"
    return re.fullmatch(plain, body.original(node), re.S) is not None


def _does_something(node: Node) -> bool:
    """Whether an expression is a call or changes something."""
    if node.kind in ("BINARY_OPERATOR", "UNARY_OPERATOR"):
        return node.operator in _DOING
    return node.kind in ("CALL_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR", "CXX_NEW_EXPR", "CXX_DELETE_EXPR")


def name_in_body(region: TargetRegion, variable: UsedVariable) -> str:
    """Return the name by which a region's body knows a copy of what it names with a scope: the variable's, unless the
    body declares another variable of that name."""
    is_hidden = any(n.spelling == variable.name for n in region.body.walk() if n.kind in ("VAR_DECL", "PARM_DECL"))
    return related("outer", variable.name) if is_hidden else variable.name


def _member(node: Node, captured: Set[Variable]) -> Cursor | None:
    """Return the class member (other than a field) that a reference names."""
    if node.kind == "OVERLOADED_DECL_REF":
        return next((o for o in library.overloads(node.cursor) if _record_of(o) is not None), None)
    target = node.referenced if node.kind in ("DECL_REF_EXPR", "TYPE_REF", "TEMPLATE_REF") else None
    if target is None or _record_of(target) is None:
        return None
    kind = kind_of(target)
    if node.kind == "TEMPLATE_REF":
        return target if kind in _NESTED_TYPES else None
    if node.kind == "TYPE_REF":
        return target if kind in _NESTED_TYPES and not _is_of_template(target) else None
    if kind == "UNEXPOSED_DECL":  # an instantiation of a template of variables
        return target
    if kind == "CXX_METHOD" and target.is_static_method():
        return target
    if kind == "VAR_DECL" and Variable(target) not in captured:
        return target
    return target if kind == "ENUM_CONSTANT_DECL" else None


def _is_of_template(record: Cursor) -> bool:
    """Whether a class is an instantiation of a class template, or inside of it the template itself."""
    pattern = library.template_of(record) if kind_of(record) in RECORD_KINDS else None
    is_itself = pattern is None and kind_of(record) in RECORD_KINDS and str(record.type.spelling).endswith(">")
    return is_itself or (pattern is not None and kind_of(pattern) in _TEMPLATES)


def _record_of(member: Cursor) -> Cursor | None:
    """Return the class of a member; an enumerator's is that of its enumeration."""
    parent = member.semantic_parent
    if kind_of(member) == "ENUM_CONSTANT_DECL" and parent is not None:
        parent = None if parent.is_scoped_enum() else parent.semantic_parent
    return parent if parent is not None and kind_of(parent) in RECORD_KINDS and parent.spelling else None


def _class_of(member: Cursor, top: Node) -> str:
    """Return the class of a member; clang names the template's members, not the instantiation's, in extents of arrays
    that depend on them."""
    record = _record_of(member)
    assert record is not None
    return _in_full(_instance_of(record, top) or record)


def _instance_of(record: Cursor, top: Node) -> Cursor | None:
    """Return the instantiation of a class template that is around the code."""
    function = next((node for node in top.ancestors() if node.kind in FUNCTION_KINDS), None)
    around = classes_around(function.cursor) if function is not None and kind_of(record) in _TEMPLATES else ()
    templates = ((scope, library.template_of(scope)) for scope in around)
    return next((scope for scope, of in templates if of is not None and of == record.canonical), None)


def _in_full(scope: Cursor) -> str:
    """Return a class or namespace with the scopes around it; a class template with its own parameters."""
    kind, above = kind_of(scope), spelling.named_scope(scope)
    if kind in RECORD_KINDS - _TEMPLATES:
        return spelling.spell(scope.type.get_canonical())
    name = scope.displayname if kind in _TEMPLATES else scope.spelling
    return f"{_in_full(above)}::{name}" if above is not None else str(name)


def _is_inside(body: Node, member: Cursor) -> bool:
    place = body.tree.node(member)
    return place.is_inside(body)


def _stands_alone(body: DeviceBody, node: Node, name: str) -> bool:
    """Whether a reference is the bare name, with template arguments or none; nothing in front, no macro around it."""
    before = body.text[: body.start(node)].rstrip()
    return re.sub(r"\s*<.*", "", body.original(node), flags=re.S) == name and not before.endswith(("::", ".", "->"))
