"""Where a construct stands: its device text and the team that executes it.

In: what lowering knows on the way down. Out: :class:`Context`, and the helpers by which constructs read the user's
clauses and quote his expressions.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang.tree import Node
from rexcc.kernel.ir import Barrier, Code
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.team import Team
from rexcc.openmp.model import Clause, Expression, ReductionClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, Note, error
from rexcc.source.records import dataclass, replace


@dataclass(frozen=True)
class Context:
    """The text that is edited and the team that executes it.

    ``is_pattern``: the text is a template's, so types have no one spelling in it.
    ``together``: variables of whose private copies the threads of a block have one together. ``grouped``: the construct
    inside whose loop the threads of a group share (:mod:`.group_sums`).
    """

    body: DeviceBody
    team: Team
    is_pattern: bool = False
    together: frozenset[Variable] = frozenset()
    grouped: Construct | None = None

    @property
    def unit(self) -> ParsedUnit:
        """The translation unit."""
        return self.body.unit

    def of_team(self, team: Team) -> Context:
        """Return the context of another team."""
        return replace(self, team=team)

    def text(self, node: Node) -> str:
        """Return the device text of an expression; what is to be edited in it has been."""
        return self.body.edited_node(node)

    def expression(self, construct: Construct, expression: Expression) -> str:
        """Return the device text of a clause's expression."""
        text = expression.text.strip()
        if not construct.probe.site.text.exact:
            return text
        written = expression.span.text
        start = expression.span.start + len(written) - len(written.lstrip())
        return self.body.edited_expression(start, start + len(written.strip()))

    def barrier(self) -> Code:
        """Return the statement with which the team's threads wait for each other, nothing for one thread."""
        if not self.team.barrier:
            return ()
        self.body.needs.synchronises = True
        self.ask()
        return (Barrier("" if self.team.is_block else self.team.barrier),)

    def ask(self) -> None:
        """Note that the text asks the runtime for its team, where it is not known."""
        self.body.needs.state |= not self.team.known


def listed(construct: Construct, clauses: Iterable[Clause], *names: str) -> list[ResolvedItem]:
    """Return the items of those clauses of a construct's leaf that have one of these names, in order."""
    return list(construct.items_of(*(c for c in clauses if c.name in names)))


def reductions(clauses: tuple[Clause, ...]) -> tuple[ReductionClause, ...]:
    """Return the reduction clauses."""
    return tuple(c for c in clauses if isinstance(c, ReductionClause) and c.name == "reduction")


def has(clauses: tuple[Clause, ...], name: str) -> bool:
    """Whether a clause is there."""
    return any(c.name == name for c in clauses)


def unsupported(construct: Construct, what: str = "") -> CompileError:
    """Return the error for a construct in device code, or something of it, that no rule forbids."""
    region = construct.parent
    while region is not None and region.directive.leaves[0] != "target":
        region = region.parent
    where = f" inside a '{region.directive.name}' region" if region is not None else " in device code"
    message = f"{what or repr(construct.directive.name)}{where} cannot be lowered yet"
    if region is None and construct.directive.name.startswith("target"):
        message += "; call the function or lambda around it outside of target regions"
    notes = [Note("the region starts here", region.span)] if region is not None else []
    return error("unsupported-construct", message, construct.span, *notes)
