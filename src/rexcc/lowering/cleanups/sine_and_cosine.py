"""The sine and the cosine of one argument are computed together.

In: a kernel's body, after the other passes. Out: one call of ``rex_sincos`` (``rex_device_math.h``) for the sines and
cosines of a value in a sequence of statements. Before::

    float c = cosf(e), s = sinf(e);
    z[i] = sin(x[i] * k) + cos(x[i] * k);

after::

    float __rex_sin_e, __rex_cos_e;
    rex_sincos(e, &__rex_sin_e, &__rex_cos_e);
    float c = __rex_cos_e, s = __rex_sin_e;
    double __rex_sin, __rex_cos;
    rex_sincos(x[i] * k, &__rex_sin, &__rex_cos);
    z[i] = __rex_sin + __rex_cos;

Both reduce their argument in the same way, which is most of the work and has a branch for large arguments: compilers do
not merge such calls. Where the declaration that has the first call also declares a variable of the argument, the call
stands in its place: ``(rex_sincos(e, &__rex_sin_e, &__rex_cos_e), __rex_cos_e)``.

What must hold:

* the functions are those of the C or C++ library for ``float`` or ``double``, in the user's own text, no macro's;
* the argument is a pure value (:mod:`.pure_values`), and nothing between the first statement's start and the last call
  changes what it reads: no write of a variable or of memory that may be the same. What happens with the results of all
  calls, such as an assignment of their sum, comes behind them;
* the argument is not known when the program is compiled: the device's compiler then knows the results of ``sinf`` and
  ``cosf``, but not those of ``sincosf``;
* whenever the first statement is executed all the calls are: the statements stand in one block, no label between them
  and no jump, and none of the calls is under a condition, in a loop or a lambda inside of its statement.
"""

from __future__ import annotations

import re

from rexcc.analysis.constant_values import is_repeatable
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_range
from rexcc.kernel.ir import (
    Block,
    Code,
    Declare,
    DeclareAll,
    Do,
    UserSlot,
)
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import initialiser, parts
from rexcc.lowering.cleanups.pure_values import Meaning, library_function, meaning_of
from rexcc.lowering.cleanups.syntax import is_evaluated, is_unconditional
from rexcc.lowering.cleanups.value_changes import value_changes
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.text.placing import place_in_lines
from rexcc.program.variables import Variable, named_variable
from rexcc.source.edits import content
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

SINES = {"sin": "sin", "sinf": "sin", "cos": "cos", "cosf": "cos"}
"""The functions by the names that programs give them."""

_TYPES = {"FLOAT": "float", "DOUBLE": "double"}
_SINGLE = frozenset({"DECL_STMT", "RETURN_STMT", "IF_STMT"})
"""Statements that evaluate expressions of theirs once; what is no statement by its kind is an expression."""

_UNKNOWN = frozenset({"CALL_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "CXX_THIS_EXPR"})
"""Values that are read from memory, or come from a function."""

_LABELS = frozenset({"LABEL_STMT", "CASE_STMT", "DEFAULT_STMT"})
_JUMPS = frozenset({"BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT", "RETURN_STMT"})


@dataclass(frozen=True, eq=False)
class _Call:
    """A call of a sine or cosine, which ``function`` says: its type and argument, and the statement it stands in."""

    node: Node
    function: str
    type: str
    argument: Node
    statement: Node

    @property
    def block(self) -> Node:
        """The statements among which that of the call is one: a block's, or it alone."""
        above = self.statement.parent
        return above if above is not None and above.kind == "COMPOUND_STMT" else self.statement

    def is_last_in(self, statements: list[Node]) -> bool:
        """Whether the call stands in the last of some statements."""
        return self.statement is statements[-1]


def join_sines_and_cosines(context: CleanupContext) -> None:
    """Join the calls that qualify, one for each value and sequence of statements."""
    if context.kernel.packs:
        return
    code: dict[Node, list[Code]] = {}
    for calls in _groups(context):
        run: list[_Call] = []
        for call in calls:
            reason = _first_failed(context, [*run, call]) if run else None
            if reason is not None:
                _explain(context, run[0], call, reason)
                _join(context, run, code)
                run = []
            run.append(call)
        _join(context, run, code)
    for statement, lines in code.items():
        _place(context, statement, tuple(line for one in lines for line in one))


def _groups(context: CleanupContext) -> list[list[_Call]]:
    """Return the calls with one argument in one block, in source order, where both functions are called."""
    found: dict[tuple[Node, str, Meaning], list[_Call]] = {}
    places: dict[tuple[int, int], int] = {}
    for node in context.scope.walk():
        if node.kind != "CALL_EXPR" or library_function(node) not in SINES:
            continue
        place = (context.body.start(node), context.body.end(node))
        places[place] = places.get(place, 0) + 1
        call = _call(context, node)
        meaning = meaning_of(context.body, call.argument) if call is not None else None
        if call is not None and meaning is not None and not _is_known(context, call.argument):
            found.setdefault((call.block, call.type, meaning), []).append(call)
    repeated = {place for place, count in places.items() if count > 1}  # a macro's argument that it uses again
    groups = [
        [c for c in calls if (context.body.start(c.node), context.body.end(c.node)) not in repeated]
        for calls in found.values()
    ]
    return [calls for calls in groups if _has_both(calls)]


def _is_known(context: CleanupContext, value: Node) -> bool:
    """Whether a value is made of literals, and of constants and unchanged local variables with such values."""
    if value.kind in _UNKNOWN:
        return False
    if value.kind != "DECL_REF_EXPR" or value.referenced is None:
        return all(_is_known(context, part) for part in value.children)
    variable = named_variable(value)
    if variable is None or not types.is_scalar(variable.type):
        return variable is None
    declared = context.memory.provenance.declared.get(variable)
    if declared is None:
        return variable.is_global and is_repeatable(value.referenced)
    first = None if value.is_inside(declared) else initialiser(declared)
    return first is not None and context.memory.provenance.is_constant(variable) and _is_known(context, first)


def _has_both(calls: list[_Call]) -> bool:
    return len({call.function for call in calls}) == 2


def _call(context: CleanupContext, node: Node) -> _Call | None:
    """Return a call that can be edited and that each execution of its statement evaluates."""
    arguments = parts(node)[1:]
    kind, statement = _TYPES.get(types.kind_name(types.canonical(node.type))), _statement(context, node)
    if len(arguments) != 1 or kind is None or statement is None:
        return None
    function = SINES[library_function(node)]
    if not stands_here(context, node, arguments[0]) or not is_evaluated(node):
        return None
    if not is_unconditional(context, node, statement):
        return None
    return _Call(node, function, kind, arguments[0], statement)


def stands_here(context: CleanupContext, call: Node, argument: Node) -> bool:
    """Whether a call is the user's own text, name and parentheses, which no edit of another stage has a part in."""
    body = context.body
    if call.file != body.file.scan.source.path:
        return False
    (start, end), (low, high) = ((body.start(n), body.end(n)) for n in (call, argument))
    name = re.escape(call.spelling)
    if not (start <= low <= high <= end) or body.text[high:end].strip() != ")":
        return False
    if not re.fullmatch(rf"(?:::\s*)?(?:std\s*::\s*)?{name}\s*\(\s*", body.text[start:low]):
        return False
    return not body.unit.macro_uses.holds(body.file.scan.source.path, start, end)


def _statement(context: CleanupContext, node: Node) -> Node | None:
    """Return the statement that a call is a part of, where lines can be put in front of it."""
    below = node
    for above in node.ancestors():
        if below is context.scope or _is_statement_of(context, above, below):
            break
        if above.is_called_code:
            return None
        below = above
    is_single = below.kind in _SINGLE or not below.kind.endswith("_STMT")
    return below if is_single and _can_be_preceded(context, below) else None


def _is_statement_of(context: CleanupContext, above: Node, below: Node) -> bool:
    """Whether a node stands where another one has a statement: in a block, as a body, as what an ``if`` does."""
    if above.kind == "COMPOUND_STMT":
        return True
    if above.kind == "DO_STMT":
        return above.children[0] is below
    is_last = len(above.children) > 1 and above.children[-1] is below
    return is_last and (above.kind == "IF_STMT" or context.is_loop(above))


def _can_be_preceded(context: CleanupContext, statement: Node) -> bool:
    """Whether lines can be put in front of a statement: no directive, ``switch`` or lambda takes it as it is."""
    path = context.body.file.scan.source.path
    place = (context.body.start(statement), context.body.end(statement))
    if statement.file != path or context.body.unit.macro_uses.holds(path, *place):
        return False
    for above in (statement, *statement.ancestors()):
        if above is context.scope.parent:
            break
        if above.is_called_code or (context.is_directive(above) and above.children[-1].kind != "FOR_STMT"):
            return False
    block = statement.parent
    in_block = block is not None and block.kind == "COMPOUND_STMT"
    return not (in_block and block is not None and block.parent is not None and block.parent.kind == "SWITCH_STMT")


def _first_failed(context: CleanupContext, run: list[_Call]) -> Reason | None:
    """Return why the calls of a run cannot be one, None where they can; all but the last are known to be."""
    first, last = run[0], run[-1]
    statements = _between(first, last)
    jump = next((n for s in statements for n in s.walk() if _is_in_the_way(context, s, n)), None)
    if jump is not None:
        return Reason("this may leave the statements between them, or come to them", jump)
    behind = _around_all([call for call in run if call.is_last_in(statements)])
    change = next(value_changes(context.memory, first.argument, statements, behind), None)
    if change is not None:
        return Reason("this may change what the argument reads", change)
    if _is_declared_in(first) and not _is_sequenced(run):
        return Reason("the declaration has the argument's variable and both calls in one value", last.node)
    return None


def _between(first: _Call, last: _Call) -> list[Node]:
    """Return the statements from that of a call to that of another one."""
    if first.statement is last.statement:
        return [first.statement]
    below = first.block.children
    return list(below[below.index(first.statement) : below.index(last.statement) + 1])


def _is_in_the_way(context: CleanupContext, statement: Node, node: Node) -> bool:
    """Whether a node of a statement is a jump out of it or a label that others jump to."""
    if node.kind in _LABELS:
        return node.kind == "LABEL_STMT" or node is statement
    if node.kind not in _JUMPS:
        return False
    around = next((a for a in node.ancestors() if a is statement.parent or _takes(context, node, a)), None)
    return around is statement.parent


def _takes(context: CleanupContext, jump: Node, above: Node) -> bool:
    """Whether a jump goes no further than to a statement around it."""
    if jump.kind == "RETURN_STMT":
        return above.is_called_code
    is_loop = context.is_loop(above)
    return (jump.kind == "BREAK_STMT" and (is_loop or above.kind == "SWITCH_STMT")) or (
        jump.kind == "CONTINUE_STMT" and is_loop
    )


def _around_all(calls: list[_Call]) -> frozenset[Node]:
    """Return the nodes that are around all of some calls: what they do comes behind the calls."""
    around = [frozenset(call.node.ancestors()) for call in calls]
    return frozenset.intersection(*around)


def _is_declared_in(call: _Call) -> bool:
    """Whether the statement of a call declares a variable of its argument."""
    declared = {Variable(n.cursor) for n in call.statement.walk() if n.kind == "VAR_DECL"}
    return any(named_variable(n) in declared for n in call.argument.walk())


def _is_sequenced(run: list[_Call]) -> bool:
    """Whether the first call is evaluated before the others: those of its declaration are in variables behind it."""
    own = _declaration(run[0])
    return all(call.statement is not run[0].statement or _declaration(call) is not own for call in run[1:])


def _declaration(call: _Call) -> Node | None:
    """Return the variable in whose value a call stands."""
    return next((above for above in call.node.ancestors() if above.kind == "VAR_DECL"), None)


def _join(context: CleanupContext, run: list[_Call], code: dict[Node, list[Code]]) -> None:
    """Edit the calls of a run; the lines in front of its first statement go to ``code``."""
    if not _has_both(run):
        return
    first, body = run[0], context.body
    variable = named_variable(first.argument.bare())
    names = {f: context.name(related(f, variable.name) if variable else f"__rex_{f}") for f in ("sin", "cos")}
    declared = DeclareAll(first.type, tuple(Declare(name, name) for name in names.values()))
    addresses = ", ".join(f"&{name}" for name in names.values())
    in_place = _is_declared_in(first)
    if in_place:
        text = content("(rex_sincos(", body.quoted(first.argument), f", {addresses}), {names[first.function]})")
        body.edits.rewrite(body.start(first.node), body.end(first.node), text)
        code.setdefault(first.statement, []).append((declared,))
    else:
        together = Do(f"rex_sincos({body.edited_node(first.argument)}, {addresses});")
        code.setdefault(first.statement, []).append((declared, together))
    for call in run[1:] if in_place else run:
        body.edits.rewrite(body.start(call.node), body.end(call.node), names[call.function])
    context.tell(f"the sine and the cosine of '{body.original(first.argument)}' are computed together", first.node)


def _place(context: CleanupContext, statement: Node, lines: Code) -> None:
    """Put lines in front of a statement, in a block with it where it is no block's."""
    body, code = context.body, (*lines, UserSlot())
    if statement.parent is None or statement.parent.kind != "COMPOUND_STMT":
        code = (Block("", code),)
    place_in_lines(body, *statement_range(body.file, statement), code)


def _explain(context: CleanupContext, first: _Call, second: _Call, reason: Reason) -> None:
    """Tell why the sine and cosine of a value are computed one by one."""
    if first.function != second.function:
        text = context.body.original(first.argument)
        context.tell(f"the sine and the cosine of '{text}' are computed one by one", second.node, reason)
