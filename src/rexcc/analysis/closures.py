"""Lambdas from outside of a region, as a kernel has them: :class:`Closures`."""

from __future__ import annotations

from rexcc.analysis.captures import CaptureList
from rexcc.analysis.references import UsedVariable
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, field


@dataclass(frozen=True, eq=False)
class KeptValue:
    """A value that a lambda captured, of which the host keeps a copy beside the lambda.

    ``captured`` is the variable that has it in the lambda's body: one of the function, or an init-capture's own.
    ``expression`` is what it is made of, ``name`` that of the copy.
    """

    captured: UsedVariable
    expression: str
    name: str


@dataclass(frozen=True, eq=False)
class Closure:
    """A lambda that a region calls.

    ``definition`` is its expression, or the name of the lambda that it is a copy of. ``kept`` are the values that it
    captured and that cannot be had in the kernel; ``this_uses`` are its uses of the object that the region's ``this``
    means as well.
    """

    variable: UsedVariable
    definition: Node
    captures: CaptureList
    kept: tuple[KeptValue, ...] = ()
    this_uses: tuple[Node, ...] = ()


@dataclass
class Closures:
    """The lambdas of a region by their variable, in the order in which they must be defined.

    ``referred`` are variables that lambdas capture by reference and that change, each with a lambda that does;
    ``mapped`` are those of them that the region itself does not name, ``may_change`` those that a lambda may change.
    """

    defined: dict[Variable, Closure] = field(default_factory=dict)
    referred: dict[Variable, UsedVariable] = field(default_factory=dict)
    mapped: set[Variable] = field(default_factory=set)
    may_change: set[Variable] = field(default_factory=set)


def is_closure(variable: Variable) -> bool:
    """Whether a variable's type is a lambda's."""
    kind = types.canonical(types.without_reference(variable.cursor.type))
    return holds_closure(variable) and types.is_record(kind) and kind.get_num_template_arguments() <= 0


def holds_closure(variable: Variable) -> bool:
    """Whether a variable's type is, or is made with, a lambda's."""
    return "(lambda at" in str(types.canonical(variable.type).spelling)
