"""Pieces of the device file, and what all writers of pieces share.

In: a declaration's node. Out: its text with edits, placed in the translation unit by a key, a ``#line``, its namespaces
and its packing.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.linked_variables import is_of_unit_alone
from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.separate import symbol
from rexcc.clang import library, types
from rexcc.clang.scopes import namespaces_around
from rexcc.clang.standard_library import is_in_std
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.codegen.closure.model import Closure
from rexcc.codegen.closure.tables import file_scope
from rexcc.codegen.places.macro_states import Use
from rexcc.codegen.places.packing import Packing
from rexcc.codegen.places.scopes import namespaces_written
from rexcc.codegen.places.unit_order import Key, Places
from rexcc.codegen.registration.indirect import CallPlace
from rexcc.codegen.registration.own_namespaces import own_namespaces
from rexcc.codegen.registration.virtual_functions import NamePlace
from rexcc.codegen.slice.layouts import layout_lines
from rexcc.codegen.slice.member_objects import MemberObjects
from rexcc.lowering.text.body import DeviceBody, blank_conditionals, mark_lines
from rexcc.lowering.text.choices import lower_choices
from rexcc.lowering.text.ends import lower_ends
from rexcc.lowering.text.extremes import lower_extremes
from rexcc.lowering.text.indirections import look_up, reach_linked, rename
from rexcc.lowering.text.library_calls import lower_library_calls
from rexcc.lowering.text.placing import comment_pragmas
from rexcc.lowering.text.roots import lower_roots
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.line_directives import OWN, line_directive
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field, replace

_PLACE = regex(r'#line (\d+) ("(?:[^"\\]|\\.)*")\n?')


@dataclass(frozen=True)
class Piece:
    """A part of the device file: sort key, text, the names it declares at file scope, and the user's text in it;
    whether it stands in a namespace of the system's."""

    key: Key
    text: str
    names: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    is_of_system: bool = False


def joined(texts: Sequence[str]) -> str:
    """Return the texts of pieces, each of whole lines, one behind the other.

    A blank line stands between two, but not between definitions of macros, nor where the user's file has none: where a
    piece begins in the line behind the one before.
    """
    found = list(texts[:1])
    for one, other in pairwise(texts):
        place = _place_of(other)
        follows = (place is not None and place == _place_behind(one)) or _are_macros(one, other)
        found.append(other if follows else f"\n{other}")
    return "".join(found)


def _are_macros(*texts: str) -> bool:
    return all(text.startswith(("#define ", "#undef ")) and "\n#line " not in text for text in texts)


def _place_of(text: str) -> tuple[str, int] | None:
    """Return the path and the number of a piece's first line, if that is the user's."""
    said = _PLACE.match(text)
    return (said[2], int(said[1])) if said else None


def _place_behind(text: str) -> tuple[str, int] | None:
    """Return the path and the number of the line behind a piece, if its last line is the user's."""
    lines = text.split("\n")[:-1]
    last = next((at for at in reversed(range(len(lines))) if lines[at].startswith("#line ")), None)
    said = _PLACE.match(lines[last]) if last is not None and lines[last] != OWN else None
    return (said[2], int(said[1]) + len(lines) - 1 - last) if said and last is not None else None


@dataclass(frozen=True, eq=False)
class SliceOptions:
    """What the slice needs to know of the kernels.

    ``skipped`` are the ranges per file that the preprocessor left out, ``opened`` the classes whose private members
    kernels name (by hash), ``called`` the places of the functions that they call, ``together`` those that all
    threads of a team call together, ``host`` those of the methods of which devices need no body, ``pointer_calls``
    the calls through pointers of ``indirect`` functions, ``virtual_names`` the names of virtual functions that
    become others, ``members`` what stands behind a method's declaration, ``shared`` the functions that units have
    in common on the device (by the hash of their first declaration), ``packing`` how ``#pragma pack`` and options
    lay types out, ``types`` the classes whose layout host and device share (by hash), ``variables`` those that
    kernels use, ``objects`` the constant members of classes that need storage on the device, ``reached`` the
    variables that lambdas of kernels reach through pointers, ``mark`` what tells the unit from others where linkers
    may join their code.
    """

    skipped: dict[str, list[tuple[int, int]]]
    opened: frozenset[int]
    called: frozenset[Place]
    host: Container[Place] = frozenset()
    pointer_calls: frozenset[CallPlace] = frozenset()
    virtual_names: frozenset[NamePlace] = frozenset()
    members: Mapping[Place, str] = field(default_factory=dict)
    shared: frozenset[int] = frozenset()
    packing: Packing | None = None
    types: frozenset[int] = frozenset()
    together: frozenset[Place] = frozenset()
    variables: frozenset[Variable] = frozenset()
    objects: MemberObjects = field(default_factory=MemberObjects)
    reached: frozenset[Variable] = frozenset()
    mark: str = ""


class SliceContext:
    """The declarations that kernels need, and what their writers share; ``reached`` grows with what they write."""

    def __init__(
        self, unit: ParsedUnit, places: Places, declared: DeclareTarget, closure: Closure, options: SliceOptions
    ) -> None:
        self.unit = unit
        self.places = places
        self.declared = declared
        self.closure = closure
        self.options = options
        self.reached: frozenset[Variable] = options.reached

    @cached_property
    def declarators(self) -> dict[tuple[str, int], list[Node]]:
        """The variables of file and namespace scope by where their declarations begin."""
        found: dict[tuple[str, int], list[Node]] = {}
        for node in file_scope(self.unit.declarations):
            if node.kind == "VAR_DECL" and node.file in self.unit.files:
                found.setdefault((node.file, node.start), []).append(node)
        return found

    def piece(self, node: Node, start: int, text: str) -> Piece:
        """Return the piece of a declaration, whose text begins at ``start``."""
        file = self.unit.files[node.file]
        line = file.scan.source.users_line(start)
        heads = namespaces_written(node.cursor)
        alone = own_namespaces(self.unit, (), self.options.mark).alone
        if alone and node.kind == "VAR_DECL" and is_of_unit_alone(node.cursor) and not types.is_constant(node.type):
            heads.append(f"inline namespace {alone}")
        shared = int(node.cursor.canonical.hash) in self.options.shared
        if shared and symbol(self.unit, node.cursor) == node.spelling:
            heads.append('extern "C"')  # files of C and of C++ have it in common
        scoped = "".join(f"{h} {{ " for h in heads) + text + " }" * len(heads)
        is_type = node.kind != "VAR_DECL"  # whose type has a piece of its own
        layouts = layout_lines(self.unit, node, self.options.types) if is_type else ""
        placed = f"{line_directive(line, file.scan.source.users_path(start))}\n{scoped}{layouts}\n"
        placed = self.options.packing.around(node.file, start, placed) if self.options.packing else placed
        is_member = kind_of(node.cursor.semantic_parent) in RECORD_KINDS
        names = () if node.kind.startswith("USING") or is_member else (node.spelling,)
        behind = (c.end for c in node.children if c.kind.endswith("_ATTR"))  # clang's ranges end at the brace
        end = max(file.original(max(node.end, *behind, node.end)), start)
        spaces = namespaces_around(node.cursor)
        of_system = is_in_std(node.cursor) or any(library.in_system_header(space.canonical) for space in spaces[-1:])
        return Piece(self.places.key(node.file, start), placed, names, (Use(node.file, start, end),), of_system)

    def body(self, node: Node) -> DeviceBody:
        """Return the text around a declaration, to be edited."""
        return DeviceBody(self.unit, self.unit.files[node.file])

    def blank(self, body: DeviceBody, start: int, end: int) -> None:
        """Leave out what the preprocessor does."""
        blank_conditionals(body, start, end, self.options.skipped.get(body.file.scan.source.path, []))

    def finished(self, body: DeviceBody, start: int, end: int) -> str:
        """Return the edited text of a range."""
        self.blank(body, start, end)
        lower_extremes(body, start, end)
        lower_choices(body, start, end)
        lower_library_calls(body, start, end)
        lower_ends(body, start, end)
        lower_roots(body, start, end)
        mark_lines(body, start, end)
        comment_pragmas(body, start, end)
        return body.edited(start, end).rstrip()

    def reach(self, body: DeviceBody, node: Node) -> None:
        """Name the variables of a declaration's code that the image has no storage of through their pointers."""
        self.reached |= reach_linked(body, node, self.declared.linked)

    def look_up(self, body: DeviceBody, node: Node) -> None:
        """Find what a declaration's code calls through pointers or by an object's class, and members' storage."""
        calls = (c for c in self.options.pointer_calls if c[0] == node.file and node.start <= c[1] < node.end)
        look_up(body, ((body.file.original(start), body.file.original(end)) for _, start, end in calls))
        named = (c for c in self.options.virtual_names if c[0] == node.file and node.start <= c[1] < node.end)
        rename(body, ((body.file.original(start), length, name) for _, start, length, name in named))
        self.options.objects.name_in(body, node)


def in_front_of_block(context: SliceContext, node: Node, piece: Piece) -> Piece:
    """Return the piece of a declaration, in front of the function of which a block declares it."""
    around = node.cursor.lexical_parent
    if kind_of(around) not in FUNCTION_KINDS:
        return piece
    function = context.unit.tree.node(around)
    start = context.body(function).start(function)
    return replace(piece, key=context.places.key(function.file, max(start - 1, 0)))
