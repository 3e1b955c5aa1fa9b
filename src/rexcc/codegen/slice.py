"""Device slice: the user's declarations that kernels need, as device code.

In: a closure. Out: text pieces with their place in the translation unit. Each piece is the user's bytes with qualifiers
of the target and the dialect's edits put in; ``#line`` leads compiler messages back to him.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from clang.cindex import Cursor

from rexcc.analysis.calls import is_settled
from rexcc.analysis.constant_values import is_repeatable
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.device_constructs import constructs_of, is_ours
from rexcc.analysis.linked_variables import Linked, Way, is_static_member
from rexcc.analysis.member_constants import member_key
from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.references import variable_key
from rexcc.analysis.rules.facts import critical_name
from rexcc.analysis.separate import symbol
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.codegen.closure_tables import file_scope, is_local
from rexcc.codegen.declaration_closure import Closure
from rexcc.codegen.globals import DeviceVariable
from rexcc.codegen.indirect import CallPlace
from rexcc.codegen.layouts import layout_lines
from rexcc.codegen.macro_states import Use
from rexcc.codegen.member_objects import MemberObjects, declare_function, defined_outside
from rexcc.codegen.packing import Packing, definition_end, size_enumerations
from rexcc.codegen.reachability import outermost_record
from rexcc.codegen.scopes import empty_namespace, namespaces_written
from rexcc.codegen.slice_edits import (
    alias_end,
    aligned_range,
    drop_body,
    end_of_member,
    mark_friend,
    mark_lambdas,
    open_record,
    qualifier,
    qualifier_place,
    semicolon,
    type_name,
)
from rexcc.codegen.unit_order import Key, Places
from rexcc.codegen.virtual_functions import NamePlace
from rexcc.frontend.declared_probes import is_declared_probe
from rexcc.frontend.statements import statement_end
from rexcc.lowering.c.declarations import complete_prototype
from rexcc.lowering.c.dialect import lower_c, lower_c_types
from rexcc.lowering.constructs.lower import lower_inside
from rexcc.lowering.instances.discarded import settle_conditions
from rexcc.lowering.text.alignment import lower_allocations
from rexcc.lowering.text.body import DeviceBody, blank_conditionals
from rexcc.lowering.text.comments import comment_pragmas
from rexcc.lowering.text.indirect import look_up
from rexcc.lowering.text.linked_names import reach_linked
from rexcc.lowering.text.local_classes import mark_methods
from rexcc.lowering.text.qualified import qualify_members
from rexcc.lowering.text.runtime_arrays import lower_runtime_arrays
from rexcc.lowering.text.team import CALLER, block
from rexcc.lowering.text.unnamed import name_unnamed
from rexcc.lowering.text.virtual_calls import rename
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error
from rexcc.source.line_directives import line_directive
from rexcc.source.records import dataclass

_ALIASES = frozenset({"TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
_CONSTANT = re.compile(r"[^=({]*\b(?:constexpr|const)\b")
_METHODS = FUNCTION_KINDS - {"FUNCTION_DECL"}


@dataclass(frozen=True)
class Piece:
    """A part of the device file: sort key, text, the names it declares at file scope, and the user's text in it."""

    key: Key
    text: str
    names: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True, eq=False)
class SliceOptions:
    """What the slice needs to know of the kernels.

    ``skipped`` are the ranges per file that the preprocessor left out, ``opened`` the classes whose private members
    kernels name (by hash), ``called`` the places of the functions that they call, ``host`` those of the methods of
    which devices need no body, ``pointer_calls`` the calls through pointers of ``indirect`` functions,
    ``virtual_names`` the names of virtual functions that become others, ``members`` what stands behind a method's
    declaration, ``shared`` the functions that units have in common on the device (by the hash of their first
    declaration), ``packing`` how ``#pragma pack`` and options lay types out, ``types`` the classes whose
    layout host and device share (by hash), ``variables`` those that kernels use (by key), ``objects`` the constant
    members of classes that need storage on the device, ``reached`` the variables that lambdas of kernels reach through
    pointers (by key).
    """

    skipped: dict[str, list[tuple[int, int]]]
    opened: frozenset[int]
    called: frozenset[Place]
    host: frozenset[Place] = frozenset()
    pointer_calls: frozenset[CallPlace] = frozenset()
    virtual_names: frozenset[NamePlace] = frozenset()
    members: Mapping[Place, str] = field(default_factory=dict)
    shared: frozenset[int] = frozenset()
    packing: Packing | None = None
    types: frozenset[int] = frozenset()
    variables: frozenset[int] = frozenset()
    objects: MemberObjects = field(default_factory=MemberObjects)
    reached: frozenset[int] = frozenset()


class SliceWriter:
    """Makes the pieces of a closure."""

    def __init__(
        self, unit: ParsedUnit, places: Places, declared: DeclareTarget, closure: Closure, options: SliceOptions
    ) -> None:
        self.unit = unit
        self.places = places
        self.declared = declared
        self.closure = closure
        self.options = options
        self.reached: frozenset[int] = options.reached

    def pieces(self) -> list[Piece]:
        """Return all pieces in the order of the translation unit."""
        lock = f"{'inline' if self.options.shared else 'static'} {self.unit.target.words.device} unsigned"
        found: list[Piece | None] = [Piece((-1,), f"{lock} rex_critical_{name};\n") for name in sorted(self._locks())]
        for node in outermost(list(self.closure.declarations.values())):
            found += self.declaration(node)
        found += [self._forward(n) for n in self.closure.forward.values() if n.file in self.unit.files]
        found += [self._variable(n) for n in outermost(list(self.closure.variables.values()))]
        found += [self._member(n) for n in self.closure.members.values()]
        found += [self._declared_before(n) for n in self.closure.variables.values()]
        found += [self._pointer(v.cursor, v.linked) for v in self.device_variables() if v.linked is not None]
        found += [p for c in self.closure.namespaces.values() if (p := self._namespace(c)) is not None]
        return sorted((p for p in found if p is not None), key=lambda p: p.key)

    def _locks(self) -> set[str]:
        """Return the names of the ``critical`` constructs in device code."""
        found: set[str] = set()
        for function in self.unit.functions:
            written = function.template or function.node
            called = (written.file, written.start) in self.options.called
            for construct in constructs_of(function):
                if "critical" in construct.directive.leaves and (called or is_ours(construct)):
                    found.add(critical_name(construct.directive))
        return found

    def _namespace(self, space: Cursor) -> Piece | None:
        """Open a namespace of the user's that a using directive or alias names, should nothing else of it be there."""
        node = self.unit.tree.node(space)
        if node.file not in self.unit.files:
            return None
        key = self.places.key(node.file, self.unit.files[node.file].original(node.start))
        return Piece(key, empty_namespace(space))

    def _piece(self, node: Node, start: int, text: str) -> Piece:
        """Return the piece of a declaration, whose text begins at ``start``."""
        file = self.unit.files[node.file]
        line = file.scan.source.users_line(start)
        heads = namespaces_written(node.cursor)
        shared = int(node.cursor.canonical.hash) in self.options.shared
        if shared and symbol(self.unit, node.cursor) == node.spelling:
            heads.append('extern "C"')  # files of C and of C++ have it in common
        scoped = "".join(f"{h} {{ " for h in heads) + text + " }" * len(heads)
        layouts = layout_lines(self.unit, node, self.options.types) if "{" in text else ""
        placed = f"{line_directive(line, file.scan.source.users_path(start))}\n{scoped}{layouts}\n"
        placed = self.options.packing.around(node.file, start, placed) if self.options.packing else placed
        names = () if node.kind.startswith("USING") else (node.spelling,)
        behind = (c.end for c in node.children if c.kind.endswith("_ATTR"))  # clang's ranges end at the brace
        end = max(file.original(max(node.end, *behind, node.end)), start)
        return Piece(self.places.key(node.file, start), placed, names, (Use(node.file, start, end),))

    def _body(self, node: Node) -> DeviceBody:
        return DeviceBody(self.unit, self.unit.files[node.file])

    def _blank(self, body: DeviceBody, start: int, end: int) -> None:
        blank_conditionals(body, start, end, self.options.skipped.get(body.file.scan.source.path, []))

    def _finished(self, body: DeviceBody, start: int, end: int) -> str:
        self._blank(body, start, end)
        comment_pragmas(body, start, end)
        return body.edited(start, end).rstrip()

    def declaration(self, node: Node, made: Node | None = None) -> list[Piece]:
        """Return the pieces of a type, function or alias; ``made`` is an instantiation's form of a template's type."""
        if node.file not in self.unit.files:
            return []
        if node.kind in FUNCTION_KINDS:
            return [*self._prototype(node), self._function(node)]
        if node.kind in RECORD_KINDS or node.kind == "ENUM_DECL":
            return [self._record(node, made)]
        if node.kind in _ALIASES and _names_local(node):
            named = types.declare(types.canonical(node.cursor.underlying_typedef_type), node.spelling)
            return [self._piece(node, self._body(node).start(node), f"typedef {named};")]
        body = self._body(node)
        self._mark_methods(node, body)
        if is_local(node.cursor):
            qualify_members(body, node)
        for child in node.children if node.kind in _ALIASES else ():
            if child.kind in RECORD_KINDS:
                name_unnamed(child, body)
        if self.unit.is_cplusplus:
            size_enumerations(node, body)
        else:
            lower_c_types(body, node)
        self._lower_constructs(body, node)
        start, end = body.start(node), alias_end(body, statement_end(body.file, node))
        return [self._piece(node, start, semicolon(self._finished(body, start, end)))]

    def _forward(self, node: Node) -> Piece:
        """Keep what declares a class or template that is defined later: declarations in between may name it."""
        body = self._body(node)
        start, end = body.start(node), body.end(node)
        return self._piece(node, start, semicolon(self._finished(body, start, end)))

    def _prototype(self, node: Node) -> list[Piece]:
        """Keep the first declaration too where it stands before the definition."""
        first = self.unit.tree.node(node.cursor.canonical)
        if first.cursor == node.cursor or first.file not in self.unit.files or first.start == node.start:
            return []
        if kind_of(first.cursor.lexical_parent) in RECORD_KINDS:
            return []
        pattern = library.template_of(node.cursor)
        if pattern is not None and _is_inside(first, self.unit.tree.node(pattern)):
            return []  # what libclang shows as a specialisation's first declaration is its template
        body = self._body(first)
        body.edits.before(qualifier_place(body, first), body.end(first), qualifier(first, self.unit.target.words))
        lower_runtime_arrays(body, first)
        if not self.unit.is_cplusplus:
            complete_prototype(body, first, node)
            lower_c(body, first)
        start, end = body.start(first), body.end(first)
        return [self._piece(first, start, semicolon(self._finished(body, start, end)))]

    def _function(self, node: Node) -> Piece:
        body = self._body(node)
        start, end = body.start(node), body.end(node)
        body.edits.before(qualifier_place(body, node), body.end(node), qualifier(node, self.unit.target.words))
        lower_allocations(body, node)
        lower_runtime_arrays(body, node)
        self.reached |= reach_linked(body, node, self.declared.linked)
        if not self.unit.is_cplusplus:
            lower_c(body, node)
        self._look_up(body, node)
        self.options.objects.name_in(body, node)
        mark_methods(body, node)
        self._lower_constructs(body, node)
        text = self._finished(body, start, end)
        return self._piece(node, start, text if text.endswith("}") else semicolon(text))

    def _lower_constructs(self, body: DeviceBody, node: Node) -> None:
        """Rewrite the constructs of the functions in a declaration that kernels call; other directives are comments.

        This comes last, for constructs take along the text of expressions as it has become.
        """
        self._blank(body, body.start(node), body.end(node))
        done: set[int] = set()
        for holder in self.unit.functions:
            written = holder.template or holder.node
            if written.file != node.file or not node.start <= written.start < node.end or written.start in done:
                continue
            done.add(written.start)
            if (written.file, written.start) in self.options.called:
                is_pattern = holder.template is not None
                team = block(self.unit.target.words) if is_settled(self.unit, written) else CALLER
                lower_inside(body, self._constructs(holder), team, [written], is_pattern)
        for function in (n for n in node.walk() if n.kind in FUNCTION_KINDS):
            if function.start not in done and is_settled(self.unit, function):
                done.add(function.start)
                lower_inside(body, (), block(self.unit.target.words), [function])

    def _constructs(self, holder: ConstructFunction) -> tuple[Construct, ...]:
        """Return the outermost constructs of a function; of a template, those that some instantiation does not discard,
        each as the one has it that discards least of it."""
        if holder.template is None:
            return holder.constructs
        found: dict[int, Construct] = {}
        for other in (f for f in self.unit.functions if f.template is holder.template and not f.unused):
            for construct in other.constructs:
                known = found.get(construct.probe.offset)
                if known is None or len([*known.descendants()]) < len([*construct.descendants()]):
                    found[construct.probe.offset] = construct
        return tuple(found[offset] for offset in sorted(found))

    def _record(self, node: Node, made: Node | None) -> Piece:
        body = self._body(node)
        if made is not None:
            settle_conditions(body, [made])
        if is_local(node.cursor):
            qualify_members(body, node)
        self._mark_methods(node, body)
        lower_allocations(body, node)
        lower_runtime_arrays(body, node)
        self.reached |= reach_linked(body, node, self.declared.linked)
        self._look_up(body, node)
        self.options.objects.name_in(body, node)
        if int(node.cursor.canonical.hash) in self.options.opened:
            for record in (n for n in node.walk() if n.kind in RECORD_KINDS):
                open_record(record, body)
        name_unnamed(node, body)
        if self.unit.is_cplusplus:
            size_enumerations(node, body)
        else:
            lower_c_types(body, node)
        self._lower_constructs(body, node)
        start, end = body.start(node), definition_end(node, body)
        return self._piece(node, start, semicolon(self._finished(body, start, end)))

    def _mark_methods(self, node: Node, body: DeviceBody) -> None:
        for inner in node.walk():
            parent = inner.cursor.lexical_parent
            in_record = parent is not None and kind_of(parent) in RECORD_KINDS
            if in_record and is_declared_probe(str(parent.spelling)):
                continue  # not the user's
            if inner.kind in _METHODS and in_record and inner.start < inner.end:
                body.edits.before(qualifier_place(body, inner), body.end(inner), f"{self.unit.target.words.both} ")
                drop_body(inner, body, self.options.host)
                member = self.options.members.get((inner.file, inner.start))
                if member is not None:
                    body.edits.insert(end_of_member(body, inner), member)
            elif inner.kind == "FRIEND_DECL":
                mark_friend(inner, body)
            elif in_record and self.options.objects.has(inner):
                definitions = {member_key(n.cursor, n) for n in self.closure.members.values()}
                declare_function(body, inner, member_key(inner.cursor, inner) in definitions)

    def _variable(self, node: Node) -> Piece | None:
        if node.file not in self.unit.files:
            return None
        body = self._body(node)
        start, end = aligned_range(body, node)
        if not self.unit.is_cplusplus:
            lower_c(body, node)
        if mark_lambdas(body, node):
            self.reached |= reach_linked(body, node, self.declared.linked)
            self._look_up(body, node)
            self.options.objects.name_in(body, node)
            mark_methods(body, node)
        device_word = f"{self.unit.target.words.device} "
        if start < body.start(node):  # attributes of the declaration stand in front of its specifiers
            body.edits.before(body.start(node), body.end(node), device_word)
            device_word = ""
        text, start = self._without_type(body, node, start, end)
        text = semicolon(self._without_others(body, node) or text)
        on_device = self.declared.has_variable(node.cursor)
        if on_device and not types.is_constant(node.type):
            text = re.sub(r"\b(static|extern|inline)\s+", "", text)
        elif self.unit.is_cplusplus and (types.is_constant(node.type) or _CONSTANT.match(text)):
            text = re.sub(r"\binline\s+", "", text, count=1)  # constants of devices are the file's own
        if node.kind == "UNEXPOSED_DECL":  # a variable template
            at = qualifier_place(body, node) - start
            return self._piece(node, start, f"{text[:at]}{self.unit.target.words.device} {text[at:]}")
        return self._piece(node, start, f"{device_word}{text}")

    def _without_others(self, body: DeviceBody, node: Node) -> str:
        """Return the declaration of a constant alone where its text has others that device code cannot define."""
        if not types.is_constant(node.type):
            return ""
        others = self._declarators.get((node.file, node.start), ())
        if all(n.end >= node.end or n.cursor == node.cursor or is_repeatable(n.cursor) for n in others):
            return ""
        start = self.unit.files[node.file].original(library.file_location(node.cursor.location, node.tree.names)[1])
        value = re.compile(r"\w+\s*(?:\[[^\]]*\]\s*)*(?=[={(])").match(body.text, start, body.end(node))
        declared = types.declare(node.type, node.spelling)
        return f"{declared} {self._finished(body, value.end(), body.end(node))}" if value is not None else ""

    @cached_property
    def _declarators(self) -> dict[tuple[str, int], list[Node]]:
        """The variables of file and namespace scope by where their declarations begin."""
        found: dict[tuple[str, int], list[Node]] = {}
        for node in file_scope(self.unit.declarations):
            if node.kind == "VAR_DECL" and node.file in self.unit.files:
                found.setdefault((node.file, node.start), []).append(node)
        return found

    def _member(self, node: Node) -> Piece | None:
        """Keep what device code needs of a constant member's definition outside of its class."""
        body = self._body(node)
        text = defined_outside(body, node, self.options.objects.has(node))
        return self._piece(node, aligned_range(body, node)[0], text) if text else None

    def _declared_before(self, node: Node) -> Piece | None:
        """Keep the first declaration of a variable too where it stands before the definition."""
        first = self.unit.tree.node(node.cursor.canonical)
        if first.cursor == node.cursor or first.file not in self.unit.files or first.kind != "VAR_DECL":
            return None
        if first.cursor.storage_class.name != "EXTERN":
            return None
        declared = types.declare(node.type, node.spelling)
        return self._piece(first, self._body(first).start(first), f"extern {self.unit.target.words.device} {declared};")

    def _without_type(self, body: DeviceBody, node: Node, start: int, end: int) -> tuple[str, int]:
        """Return a variable's text and place; a type that it defines has a piece of its own, before it."""
        for kind in self.closure.declarations.values():
            defines = kind.kind in RECORD_KINDS or kind.kind == "ENUM_DECL"
            if defines and kind.file == node.file and node.start <= kind.start and kind.end <= node.end:
                before = self._finished(body, start, body.start(kind))
                behind = definition_end(kind, body)
                after = self._finished(body, behind, end)
                return f"{before} {type_name(kind, body)} {after.lstrip()}".lstrip(), behind
        return self._finished(body, start, end), start

    def _pointer(self, cursor: Cursor, linked: Linked) -> Piece | None:
        """Return the pointer through which functions reach a variable that the image has no storage of."""
        node = self.unit.tree.node(cursor)
        if node.file not in self.unit.files:
            return None
        start, file = self._body(node).start(node), self.unit.files[node.file]
        pointer = types.declare_pointer_to(node.type, linked.name)
        place = line_directive(file.scan.source.users_line(start), file.scan.source.users_path(start))
        text = f'{place}\nextern "C" {{ {self.unit.target.words.device} {pointer}; }}\n'
        if not is_static_member(cursor):
            return Piece(self.places.key(node.file, start), text)
        outer = self.unit.tree.node(outermost_record(cursor))
        if outer.file not in self.unit.files or f"{cursor.semantic_parent.spelling}::" in pointer:
            message = f"'{node.spelling}' cannot be on the device yet: its type is a member of its class as well"
            raise error("unsupported-static-member", message, self.unit.span(node))
        if types.innermost(node.type).get_declaration().canonical == outer.cursor.canonical:
            heads = namespaces_written(outer.cursor)
            word = "class" if outer.kind == "CLASS_DECL" else "union" if outer.kind == "UNION_DECL" else "struct"
            forward = "".join(f"{h} {{ " for h in heads) + f"{word} {outer.spelling};" + " }" * len(heads)
            text = text.replace("\n", f"\n{forward} ", 1)
        return Piece(self.places.key(outer.file, max(self._body(outer).start(outer) - 1, 0)), text)

    def _look_up(self, body: DeviceBody, node: Node) -> None:
        """Find the functions that a declaration's code calls through pointers or by an object's class."""
        calls = (c for c in self.options.pointer_calls if c[0] == node.file and node.start <= c[1] < node.end)
        look_up(body, ((body.file.original(start), body.file.original(end)) for _, start, end in calls))
        named = (c for c in self.options.virtual_names if c[0] == node.file and node.start <= c[1] < node.end)
        rename(body, ((body.file.original(start), length, name) for _, start, length, name in named))

    def device_variables(self, in_namespace: bool = False) -> list[DeviceVariable]:
        """Return the ``declare target`` variables of the device file, in source order, once it has its pieces."""
        linked = self.declared.linked
        found = [DeviceVariable(c, linked.get(key), in_namespace) for key, c in self.declared.variables.items()]
        return [v for v in found if self._is_needed(v)]

    def _is_needed(self, variable: DeviceVariable) -> bool:
        key = variable_key(variable.cursor)
        if variable.linked is not None and variable.linked.way is Way.COPIED and key in self.options.variables:
            return True  # or each region would copy it
        if variable.linked is not None:
            return variable.linked.way is Way.MAPPED or key in self.reached
        return key in self.closure.variables and not types.is_constant(variable.cursor.type)


def outermost(nodes: list[Node]) -> list[Node]:
    """Drop declarations that another one's text contains (``typedef struct {…} T;``, ``int a, b;``)."""
    ordered = sorted(nodes, key=lambda n: (n.file, n.start, -n.end))
    kept: list[Node] = []
    for node in ordered:
        if kept and kept[-1].file == node.file and node.end <= kept[-1].end:
            continue
        kept.append(node)
    return kept


def is_device_variable(declared: DeclareTarget, cursor: Cursor) -> bool:
    """Whether a variable is one of the unit's ``declare target`` variables."""
    return variable_key(cursor) in declared.variables


def _names_local(alias: Node) -> bool:
    """Whether a type is that of a variable of its function, which its kernels' names do not mean yet."""
    named = (n.referenced for n in alias.walk() if n.kind == "DECL_REF_EXPR")
    return any(kind_of(c) in VARIABLE_KINDS and is_local(c) for c in named if c is not None)


def _is_inside(node: Node, other: Node) -> bool:
    return node.file == other.file and other.start <= node.start < other.end
