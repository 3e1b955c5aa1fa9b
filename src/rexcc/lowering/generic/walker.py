"""The code of a team's initial thread, walked by all threads of the block together.

In: the parts of a team's code with their classification. Out: edits. Statements that only one thread may execute stand
in a condition for it and a barrier, conditions with effects are broadcast, variables that parallels share
are in the memory of the team, parallels are executed where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from rexcc.analysis.regions import effective_leaves
from rexcc.clang import spelling
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.frontend.statements import statement_end
from rexcc.kernel.code import in_block
from rexcc.kernel.ir import Block, Declare, FromFirst, Guard
from rexcc.lowering.cleanups.memory import Places, union
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.loops import lower_loop
from rexcc.lowering.constructs.lower import lower_inside, lower_leaves
from rexcc.lowering.generic.declarations import lower_declaration
from rexcc.lowering.generic.guards import NOTHING, WAIT, GuardWriter, OpenGuard, State
from rexcc.lowering.generic.joined_later import JoinedLater, joined_later
from rexcc.lowering.generic.known_to_all import ends_with_reduction
from rexcc.lowering.generic.launch import Launch, threads_text
from rexcc.lowering.generic.plan import Form, Part
from rexcc.lowering.generic.scope import TeamScope
from rexcc.lowering.generic.team_calls import together_name, value_for_first
from rexcc.lowering.generic.unchanged import ends_with_parallel, leaves_unchanged
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.lambdas import capture_team_variables
from rexcc.lowering.text.placing import USER, place_around, place_construct, place_expression
from rexcc.lowering.text.team import SEQUENTIAL, Combine, Team, block, grid_of, league, part_of_block
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error
from rexcc.source.edits import Quote, content
from rexcc.source.own_names import related
from rexcc.source.records import replace

_LABELS = frozenset({"CASE_STMT", "DEFAULT_STMT"})
_CONDITIONAL = frozenset({"IF_STMT", "SWITCH_STMT"})


class TeamWriter(GuardWriter):
    """Writes the edits of one region's team code."""

    def __init__(self, body: DeviceBody, scope: TeamScope, launch: Launch, keeps_state: bool) -> None:
        super().__init__(body)
        self.words = body.unit.target.words
        self.scope = scope
        self.launch = launch
        self.keeps_state = keeps_state
        self.later: JoinedLater = joined_later(scope)
        self.meets = False
        body.needs.synchronises = True

    def write(self, part: Part, repeated: bool, followed: bool) -> None:
        """Write the body of a region; ``repeated``: it is a loop's body, ``followed``: code stands behind it."""
        capture_team_variables(self.body, part.node, self.scope.shared)
        self.state.read = self._reads_before(part) if repeated else NOTHING
        self._write(part, not repeated and not followed)
        self._close(*self._range(part.node), not repeated and not followed)

    def write_function(self, part: Part) -> None:
        """Write the body of a function that all threads call together. Whoever calls it may still be reading anything,
        and reads on without waiting."""
        capture_team_variables(self.body, part.node, self.scope.shared)
        self.state.read = None
        self._write(part, False)

    def _write(self, part: Part, last: bool) -> None:
        match part.form:
            case Form.BLOCK:
                self._block(part, last)
            case Form.DECLARATION:
                self._declaration(part)
            case Form.LEAF:
                self._leaf(part)
            case Form.CONTROL:
                self._control(part, last)
            case Form.PARALLEL:
                self._parallel(part)
            case Form.DISTRIBUTE:
                self._distribute(part)
            case Form.RETURN:
                self._return(part)
        if part.calls:
            self._call_together(part)

    def _block(self, part: Part, last: bool) -> None:
        self._close_guard()  # braces of a guard and of the block would cross
        outer, self.meets, around = self.meets, False, self.opened
        self.place = self.opened = self.body.start(part.node) + 1
        for position, child in enumerate(part.parts):
            self._write(child, last and position == len(part.parts) - 1)
            self.place = max(self.place, statement_end(self.body.file, child.node))
        start, end = self.body.start(part.node), self.body.end(part.node) - 1
        self._close(start + 1, self.place, last or self.meets)
        if self.meets:  # in the destructor of an array that ends here
            self.state = State()
        self.place = end + 1
        self.meets, self.opened = outer, around

    def _leaf(self, part: Part) -> None:
        if part.node.kind == "NULL_STMT":
            return
        call = value_for_first(part, self.scope)
        if call is not None and not self.scope.is_redundant(part):
            self._assign_value(part.node, call)
            return
        if self.scope.is_redundant(part):
            looked = self.scope.memory_read(part.node)
            self._before_all(part.node, looked != NOTHING)
            self.state.read = union(self.state.read, looked)
        else:
            self._open_guard(part.node, self.scope.memory_changed(part))
        own = part.constructs and part.constructs[0].node is part.node
        lower_inside(self.body, part.constructs, SEQUENTIAL, () if own else (part.node,))

    def _call_together(self, part: Part) -> None:
        """The functions that all threads call let nobody wait for what others still read."""
        for name in part.calls:
            end = self.body.end(name)
            self.body.edits.replace(end - len(name.spelling), end, together_name(name.spelling))
        self.state.read = None  # what callers of the function have read

    def _assign_value(self, statement: Node, call: Node) -> None:
        """The first thread assigns what all threads have called a function for."""
        self._before_all(statement)
        self._answer((statement,))
        start, end = self._ends(statement)
        first, last = self._ends(call)
        name = related("value", call.spelling)
        declared = f"{{ {spelling.declare(call.type, name)} = "
        parts = (declared, Quote(first, last), f"; if ({self.words.is_first}) {{ ", Quote(start, first), name)
        self.body.edits.rewrite(start, end, content(*parts, Quote(last, end), "; } }"))
        self.state = State(owed=True)

    def _return(self, part: Part) -> None:
        """All threads leave a function, with one value, when all that it does is done."""
        self._before_all(part.node)
        self._answer((part.node,), part.constructs)
        for value in part.node.children[:1]:
            if not self.scope.is_uniform(value):
                self._before_change(part.node, None)
                kind = spelling.spell_value(value.type)
                place_expression(self.body, *self._ends(value), FromFirst(USER, kind))
        self.state = State(read=None)

    def _answer(self, code: Iterable[Node], constructs: tuple[Construct, ...] = ()) -> None:
        """Answer the calls of OpenMP's routines in the initial thread's expressions; lower what their lambdas hold."""
        lower_inside(self.body, constructs, SEQUENTIAL, tuple(code))

    def _declaration(self, part: Part) -> None:
        self._answer((part.node,), part.constructs)
        change = lower_declaration(self.body, self.scope, part.node)
        if change.broadcasts or change.makes:
            reads_others = self.state.by_all and change.read != NOTHING  # the first thread, what the others have made
            if reads_others or change.read_by_all != NOTHING:
                self._before_all(part.node)
            self._before_change(part.node, self.scope.memory_changed(part))
        else:
            self._before_all(part.node, change.read != NOTHING)
        order = self.body.edits.next_order()
        change.apply(self.body)
        self.meets |= change.ends
        if change.guard is not None:
            self.guards.append(part.node)
            self.state.guard = OpenGuard(change.guard.start, self._range(part.node)[1], order, change.guard.before)
        self.state.owed |= change.owes
        self.state.read = union(self.state.read, change.read)

    def _control(self, part: Part, last: bool) -> None:
        node = part.node
        if node.kind in _LABELS:
            self._close(self.opened, self.body.start(node), False)
            self.state.read = None  # whoever jumps here may have read before
            self._write(part.parts[0], False)
            self._close(*self._range(node), False)
            return
        loops = node.kind in LOOP_KINDS
        looked = self._controls_read(part)
        looked = reduce(union, map(self._reads_before, part.parts), looked) if loops else looked
        self._before_all(node)
        self.state.read = union(self.state.read, looked)
        joined = self.later.opened(self.body.unit, part)
        if joined.opening:
            place_around(self.body, *self._range(node), in_block(joined.opening, USER, joined.closing))
        first = [part.first] if part.first is not None else []
        self._answer((*part.conditions, *part.steps, *first), part.constructs)
        self._first(part)
        for condition in part.conditions:
            self._condition(condition, node.kind == "SWITCH_STMT")
        for step in part.steps:
            self._step(step)
        before = self.state.read
        after = before
        for body in part.parts:
            self.state.read = before
            self._body(body, last and node.kind in _CONDITIONAL)
            after = union(after, self.state.read)
        self.state.read = after

    def _body(self, part: Part, last: bool) -> None:
        """Write a controlled statement, in braces of its own where it has none."""
        if part.form is Form.BLOCK:
            self._write(part, last)
            return
        order, self.place = self.body.edits.next_order(), 0
        self._write(part, last)
        self._close_guard()
        behind = WAIT if self.state.owed and not last else ()
        place_around(self.body, *self._range(part.node), (Block("", (*USER, *behind)),), order)
        self.state = State(read=NOTHING if self.state.owed else self.state.read)

    def _first(self, part: Part) -> None:
        """The first part of a ``for`` header: moved in front where one thread has to execute it."""
        first = part.first
        if first is None:
            return
        if first.kind == "DECL_STMT":
            change = lower_declaration(self.body, self.scope, first)
            if not change.broadcasts and not change.makes:
                change.apply(self.body)
                return
        elif self.scope.is_uniform(first):
            return
        raise error(
            "unsupported-control-flow",
            "the first part of this loop's header has effects that only one thread may have; put it in front of the "
            "loop",
            self.body.span(first),
        )

    def _condition(self, condition: Node, is_choice: bool) -> None:
        if self.scope.is_uniform(condition):
            return
        place_expression(self.body, *self._ends(condition), FromFirst(USER, is_truth=not is_choice))

    def _step(self, step: Node) -> None:
        if not self.scope.is_uniform(step):
            place_expression(self.body, *self._ends(step), FromFirst(USER, is_step=True))

    def _ends(self, expression: Node) -> tuple[int, int]:
        return self.body.start(expression), self.body.end(expression)

    def _controls_read(self, part: Part) -> Places:
        return reduce(union, (self.scope.memory_read(n) for n in (*part.conditions, *part.steps)), NOTHING)

    def _reads(self, part: Part) -> Places:
        """Return what all threads read in a part, outside of its parallels."""
        found = NOTHING
        for inner in part.walk():
            if inner.form in (Form.LEAF, Form.DECLARATION) and self.scope.is_redundant(inner):
                found = union(found, self.scope.memory_read(inner.node))
            found = union(found, self._controls_read(inner))
        return found

    def _reads_before(self, iteration: Part) -> Places:
        """Return what threads may still be reading of an iteration when the next one begins."""
        return NOTHING if ends_with_parallel(iteration) else self._reads(iteration)

    def _parallel(self, part: Part) -> None:
        construct = part.construct
        assert construct is not None and construct.body is not None
        self._before_all(part.node)
        if not leaves_unchanged(self.scope, construct, self.state.read):
            self._put_barrier(part.node)
            self.state = State()
        self._answer((part.node.children[0],))
        leaves = effective_leaves(construct)
        team, threads = self._team(construct)
        is_kept = id(construct) in self.later.kept
        for_all = self.scope.reduces_for_all(construct) and not is_kept
        if for_all or is_kept:
            team = replace(team, combine=Combine.KEPT if is_kept else Combine.FOR_ALL)
        distributed = grid_of(team) if "distribute" in leaves else team
        code = lower_leaves(self.body, construct, leaves, distributed, joined=True)
        if self.keeps_state:
            kind = "rex_linked_parallel" if self.body.needs.linked_state else "rex_parallel"
            code = in_block((Declare(f"{kind} __rex_level", "__rex_level", arguments=(team.threads,)),), code)
        if threads:
            number = Declare("const int __rex_parallel_threads", "__rex_parallel_threads", f"rex_narrow({threads})")
            code = in_block((number,), (Guard(f"(int){self.words.thread} < __rex_parallel_threads", code),))
        place_construct(self.body, construct, code)
        if for_all and not self.keeps_state and ends_with_reduction(construct):
            self.state = State()
        else:
            self.state = State(owed=True, by_all=True, read=self.state.read)

    def _team(self, construct: Construct) -> tuple[Team, str]:
        """Return the team that executes a parallel, and how many threads that are, empty for all of the block."""
        whole = block(self.words)
        if id(construct) in self.launch.whole:
            return whole, ""
        return part_of_block(self.words, "__rex_parallel_threads"), threads_text(Context(self.body, whole), construct)

    def _distribute(self, part: Part) -> None:
        """A loop shared among the teams whose body is again code of the initial thread."""
        construct = part.construct
        assert construct is not None
        if not all(self.scope.is_uniform(bound) for bound in part.conditions):
            raise error("unsupported-control-flow", "a bound of this loop has effects", construct.span)
        self._before_all(part.node)
        self.state.read = union(self.state.read, self._reads_before(part.parts[0]))
        before = self.state.read
        self._answer((part.node.children[0], *part.conditions), part.constructs)
        leaves = tuple(leaf for leaf in effective_leaves(construct) if leaf in ("distribute", "simd"))
        context = Context(self.body, league(self.words), together=frozenset(self.scope.shared))
        code = lower_loop(context, construct, leaves, True)
        self._body(part.parts[0], False)
        place_construct(self.body, construct, code)
        self.state.read = union(before, self.state.read)
        if any(c.name == "lastprivate" for c in construct.directive.clauses):
            self.state.owed = True
