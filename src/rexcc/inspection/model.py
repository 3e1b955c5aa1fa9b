"""Directives and constructs, ready to print.

In: nothing; values made by ``pragmas`` and ``constructs``. Out: what ``text`` and ``json_form`` write. Texts are the
user's, one character per byte; places are spans of the user's files. The JSON form has the names of the fields.
"""

from __future__ import annotations

from rexcc.source.records import dataclass
from rexcc.source.text import Span


@dataclass(frozen=True)
class Applied:
    """What a directive applies to.

    ``kind`` is ``loop``, ``block``, ``statement``, ``directive`` (the next one, whose statement it is too),
    ``declaration``, ``end`` (everything up to that directive) or ``begin`` (which this directive closes); ``name`` is
    that of the declaration or directive.
    """

    kind: str
    place: Span | None
    name: str = ""


@dataclass(frozen=True)
class ClauseNode:
    """A clause in canonical spelling."""

    name: str
    text: str
    place: Span


@dataclass(frozen=True)
class DirectiveNode:
    """A directive of the user's text with the directives that stand inside of what it applies to.

    ``written`` is ``#pragma``, ``_Pragma`` or ``[[omp::]]``; ``executable`` tells constructs from declarative
    directives, ``association`` is what the directive's name asks for, such as ``loop``. An inactive directive is one
    that the preprocessor left out; of such a one only the text is known.
    """

    name: str
    place: Span
    written: str
    active: bool
    executable: bool
    argument: str
    clauses: tuple[ClauseNode, ...]
    association: str
    applies_to: Applied | None
    children: tuple[DirectiveNode, ...] = ()


@dataclass(frozen=True)
class VariableNode:
    """The attribute of a variable and why it has it.

    ``attribute`` is one word, such as ``map`` or ``firstprivate``, ``detail`` the whole of it, such as
    ``map(to: p[0:n])``; ``origin`` is ``predetermined``, ``explicit`` or ``implicit``; ``rule`` and ``section`` are
    OpenMP 5.2's; ``clause`` is the place of the clause that it rests on.
    """

    name: str
    type: str
    attribute: str
    detail: str
    origin: str
    rule: str
    section: str
    clause: Span | None
    declared: Span | None


@dataclass(frozen=True)
class LeafNode:
    """A leaf construct with the clauses that act on it, some of them implied, and the variables it has rules for."""

    name: str
    clauses: tuple[str, ...]
    variables: tuple[VariableNode, ...]


@dataclass(frozen=True)
class ConstructNode:
    """An executable construct.

    ``host`` is what a metadirective, in which the construct stands, makes of it on the host. ``others`` are the
    variables that it uses and has no rule for: they are what they are in the construct around it; ``inside`` are those
    declared in it, and in no construct further in. ``problem`` says why there are no attributes.
    """

    name: str
    place: Span
    host: str
    clauses: tuple[ClauseNode, ...]
    applies_to: Applied | None
    leaves: tuple[LeafNode, ...]
    others: tuple[str, ...]
    inside: tuple[VariableNode, ...]
    problem: str
    children: tuple[ConstructNode, ...]


@dataclass(frozen=True)
class FunctionNode:
    """A function with constructs; of a template each instantiation by itself, or the pattern if there is none."""

    name: str
    place: Span | None
    is_instantiation: bool
    constructs: tuple[ConstructNode, ...]


@dataclass(frozen=True)
class PragmaList:
    """All directives of a translation unit, file by file, the main file first."""

    file: str
    directives: tuple[DirectiveNode, ...]


@dataclass(frozen=True)
class KernelNode:
    """A kernel as it stands before it is printed.

    ``names`` are those of its entry points. ``within``, ``function``, ``directive`` and ``text`` are its file, its
    function, the number of its target construct in that, and the hash of the construct, by which a file of ``--tuned``
    names it. ``listing`` is for people.
    """

    names: tuple[str, ...]
    within: str
    function: str
    directive: int
    text: str
    listing: str


@dataclass(frozen=True)
class KernelList:
    """The kernels of a translation unit."""

    file: str
    kernels: tuple[KernelNode, ...]


@dataclass(frozen=True)
class OpenMPTree:
    """The OpenMP tree of a translation unit: declarative directives, then functions with their constructs."""

    file: str
    declarative: tuple[DirectiveNode, ...]
    functions: tuple[FunctionNode, ...]
