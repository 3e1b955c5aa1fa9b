"""The parts of a team's code: what its initial thread does between the parallels, and the parallels themselves.

In: the statement of a teams or target construct, with its constructs. Out: a tree of :class:`Part`. Statements that
hold a parallel, or leave an enclosing loop, are taken apart; all others are leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers, iteration_of, loop_nest, rectangular_part
from rexcc.analysis.regions import collapse_depth, effective_leaves
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass, field

_LABELS = frozenset({"CASE_STMT", "DEFAULT_STMT"})
_JUMPS = {"GOTO_STMT": "'goto'", "INDIRECT_GOTO_STMT": "'goto'", "LABEL_STMT": "a label", "RETURN_STMT": "'return'"}
"""Jumps and their ends, in words."""
_ALWAYS_LEAVE = frozenset({"RETURN_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT"})
_TEAM_LEAVES = frozenset({"parallel", "distribute"})


class Form(Enum):
    """What a part is."""

    LEAF = "statements of the initial thread"
    DECLARATION = "a declaration of the initial thread"
    BLOCK = "a compound statement"
    CONTROL = "a statement that chooses or repeats its bodies"
    PARALLEL = "a construct that all threads execute"
    DISTRIBUTE = "a loop shared among teams, without a parallel of its own"
    RETURN = "the end of a function that the team has been called with"


@dataclass(frozen=True, eq=False)
class Part:
    """A statement of a team's code.

    ``node`` is the statement (for a construct its probe); ``conditions`` and ``steps`` the expressions that control a
    CONTROL part, ``parts`` what is in it; ``construct`` the construct of a PARALLEL or DISTRIBUTE part,
    ``constructs`` those in a LEAF, whose parallels stand in lambdas, and in lambdas of a DECLARATION and of expressions
    that control, ``indices`` the variables that a DISTRIBUTE counts with. ``calls`` are the names in a LEAF,
    DECLARATION or RETURN of functions that all threads call together (:mod:`.team_functions`).
    """

    form: Form
    node: Node
    parts: tuple[Part, ...] = ()
    first: Node | None = None
    conditions: tuple[Node, ...] = ()
    steps: tuple[Node, ...] = ()
    construct: Construct | None = None
    constructs: tuple[Construct, ...] = field(default=())
    indices: tuple[Variable, ...] = ()
    calls: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Part]:
        """Yield this part and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()


def _no_calls(code: Node) -> tuple[Node, ...]:
    return ()


class Planner:
    """Takes one team's code apart; ``calls`` finds the names in it of functions that all threads call together,
    ``returns``: the code is a function's, which it may leave."""

    def __init__(
        self, unit: ParsedUnit, constructs: tuple[Construct, ...],
        calls: Callable[[Node], tuple[Node, ...]] = _no_calls, returns: bool = False,
    ) -> None:  # fmt: skip
        self.unit = unit
        self.calls, self.returns = calls, returns
        self.every = [c for top in constructs for c in top.walk()]
        self.at = {(c.node.file, c.node.start, c.node.kind): c for c in self.every}
        self.headers: list[Node] = []

    def plan_iteration(self, loops: tuple[CanonicalLoop, ...], otherwise: Node) -> Part:
        """Return the parts of what one iteration of shared loops executes; ``otherwise`` where there are no loops."""
        if not loops:
            return self.plan(otherwise)
        self.headers += [loop.statement for loop in inner_headers(loops)]
        return self.plan(iteration_of(loops))

    def plan(self, statement: Node) -> Part:
        """Return the parts of a statement; raises CompileError for jumps that cannot be followed."""
        if statement in self.headers:
            return self._made(statement, statement.children[3:])
        construct = self.at.get((statement.file, statement.start, statement.kind))
        if construct is not None:
            return self._construct(construct)
        if statement.kind == "DECL_STMT":
            return self._statement(Form.DECLARATION, statement)
        if statement.kind == "RETURN_STMT" and self.returns:
            return self._statement(Form.RETURN, statement)
        if statement.kind == "COMPOUND_STMT" and self._is_written(statement) and self._is_taken_apart(statement):
            return Part(Form.BLOCK, statement, tuple(self.plan(c) for c in statement.children))
        if statement.kind not in _LABELS and not self._is_structural(statement):
            return self._statement(Form.LEAF, statement)
        return self._control(statement)

    def _statement(self, form: Form, statement: Node) -> Part:
        return Part(form, statement, constructs=self._inside(statement), calls=self.calls(statement))

    def _inside(self, *nodes: Node) -> tuple[Construct, ...]:
        """Return the outermost constructs in statements or expressions."""
        inside = [c for c in self.every if any(node.start <= c.node.start < node.end for node in nodes)]
        return tuple(c for c in inside if c.parent not in inside)

    def _construct(self, construct: Construct) -> Part:
        leaves = effective_leaves(construct)
        if "parallel" in leaves:
            return Part(Form.PARALLEL, construct.node, construct=construct)
        if "distribute" in leaves:
            return self._distribute(construct)
        if any(_TEAM_LEAVES & set(effective_leaves(c)) for c in construct.descendants()):
            raise error(
                "unsupported-construct",
                f"a parallel inside '{construct.directive.name}' outside of any parallel cannot be lowered yet; "
                f"leave out '{construct.directive.name}', for one thread executes the code around a parallel anyway",
                construct.span,
            )
        return Part(Form.LEAF, construct.node, constructs=(construct,))

    def _distribute(self, construct: Construct) -> Part:
        assert construct.body is not None
        loops = loop_nest(self.unit, construct.body, collapse_depth(construct))
        shared = loops[: rectangular_part(loops)]
        bounds = tuple(n for loop in shared for n in (loop.lower, loop.bound))
        indices = tuple(loop.index for loop in loops)
        return Part(
            Form.DISTRIBUTE, construct.node, (self.plan_iteration(shared, construct.body),), conditions=bounds,
            construct=construct, constructs=self._inside(*bounds), indices=indices,
        )  # fmt: skip

    def _is_written(self, statement: Node) -> bool:
        """Whether a block's end stands in the user's text: it is not the expansion of a macro."""
        file = self.unit.files[statement.file]
        return file.scan.source.text.startswith("}", file.original(statement.end) - 1)

    def _is_taken_apart(self, block: Node) -> bool:
        """Whether the statements of a block are planned one by one: a block that stands among others is as a whole one
        thread's if it may be, and around the body of a loop or construct stands what belongs to that."""
        is_nested = block.parent is not None and block.parent.kind == "COMPOUND_STMT"
        return not is_nested or self._is_structural(block)

    def _is_structural(self, statement: Node) -> bool:
        inside = (c for c in self.every if statement.start <= c.node.start < statement.end)
        if any(_TEAM_LEAVES & set(effective_leaves(c)) and not _is_called(c.node, statement) for c in inside):
            return True
        if not statement.cursor.kind.is_expression() and self.calls(statement):
            return True
        return _is_entered(statement) or next(_leaving_jumps(statement), None) is not None

    def _control(self, statement: Node) -> Part:
        children = statement.children
        match statement.kind:
            case "IF_STMT":
                return self._made(statement, children[1:], conditions=children[:1])
            case "WHILE_STMT" | "SWITCH_STMT":
                return self._made(statement, children[-1:], conditions=children[:-1])
            case "DO_STMT":
                return self._made(statement, children[:1], conditions=children[1:])
            case "FOR_STMT" if len(children) == 4:
                return self._made(statement, children[3:], children[0], children[1:2], children[2:3])
            case "CXX_FOR_RANGE_STMT":
                return self._made(statement, children[-1:])
            case kind if kind in _LABELS:
                return self._made(statement, children[-1:])
            case "BREAK_STMT" | "CONTINUE_STMT":
                return Part(Form.CONTROL, statement)
        what = _JUMPS.get(statement.kind)
        message = f"{what or 'this statement'} around a parallel cannot be lowered yet; "
        message += (
            "in place of the jump leave loops by 'break', or set a variable that an 'if' behind them asks for"
            if what is not None
            else "use if, for with all three parts, while, do or switch"
        )
        raise error("unsupported-control-flow", message, self.unit.span(statement))

    def _made(
        self, node: Node, bodies: tuple[Node, ...], first: Node | None = None, conditions: tuple[Node, ...] = (),
        steps: tuple[Node, ...] = (),
    ) -> Part:  # fmt: skip
        if any(c.kind in ("VAR_DECL", "DECL_STMT") for c in conditions):
            raise error(
                "unsupported-control-flow",
                "a declaration in the condition around a parallel cannot be lowered yet; put it in front",
                self.unit.span(node),
            )
        inside = self._inside(*conditions, *steps, *([first] if first is not None else []))
        parts = tuple(self.plan(b) for b in bodies)
        return Part(Form.CONTROL, node, parts, first, conditions, steps, constructs=inside)


def _is_called(node: Node, statement: Node) -> bool:
    """Whether a node stands in called code of a statement, as a lambda's, which is one thread's as a whole."""
    above: Node | None = node
    while above is not None and above is not statement:
        if above.is_called_code:
            return True
        above = above.parent
    return False


def _is_entered(statement: Node) -> bool:
    """Whether a ``switch`` around a statement has a label inside of it: its threads all come there."""
    stack = [statement]
    while stack:
        node = stack.pop()
        if node.kind in _LABELS:
            return True
        if node.kind != "SWITCH_STMT" and not node.is_called_code:
            stack.extend(node.children)
    return False


def _leaving_jumps(statement: Node) -> Iterator[Node]:
    """Yield the jumps in a statement that leave it."""
    labels = {node.spelling for node in statement.walk() if node.kind == "LABEL_STMT"}
    stack = [(statement, False, False)]
    while stack:
        node, in_loop, in_switch = stack.pop()
        if node.is_called_code:
            continue
        if node.kind in _ALWAYS_LEAVE and not _goes_to(node, labels):
            yield node
        if (node.kind == "BREAK_STMT" and not (in_loop or in_switch)) or (node.kind == "CONTINUE_STMT" and not in_loop):
            yield node
        inside_loop = in_loop or node.kind in LOOP_KINDS
        stack.extend((c, inside_loop, in_switch or node.kind == "SWITCH_STMT") for c in node.children)


def _goes_to(jump: Node, labels: set[str]) -> bool:
    return jump.kind == "GOTO_STMT" and any(c.kind == "LABEL_REF" and c.spelling in labels for c in jump.children)
