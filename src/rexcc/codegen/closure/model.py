"""The declarations that kernels need, as a model: :class:`Closure`."""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.codegen.places.unit_order import Key
from rexcc.source.records import dataclass, field


@dataclass(eq=False)
class Closure:
    """Declarations by their hash, in the order found; macros by definition place; includes by sort key.

    ``forward`` are the declarations of classes and templates of C++ that are defined later. ``namespaces`` are those
    that using directives and aliases name: they must exist, be they empty. ``members`` are the definitions of constant
    static members outside of their classes, ``unevaluated`` the functions of which only a declaration is needed.
    ``undefined`` are the functions that this file calls and does not define, ``absent`` those that templates may mean.
    """

    declarations: dict[int, Node] = field(default_factory=dict)
    variables: dict[int, Node] = field(default_factory=dict)
    forward: dict[int, Node] = field(default_factory=dict)
    macros: dict[tuple[str, int], Node] = field(default_factory=dict)
    includes: dict[str, Key] = field(default_factory=dict)
    local_types: dict[int, Node] = field(default_factory=dict)
    namespaces: dict[int, Cursor] = field(default_factory=dict)
    undefined: dict[int, tuple[Cursor, Node]] = field(default_factory=dict)
    absent: set[int] = field(default_factory=set)
    members: dict[int, Node] = field(default_factory=dict)
    unevaluated: dict[int, Node] = field(default_factory=dict)

    def has_function(self, name: str) -> bool:
        """Whether device code has a function, or a template of functions, of a name."""
        return any(n.kind in FUNCTION_KINDS and n.spelling == name for n in self.declarations.values())
