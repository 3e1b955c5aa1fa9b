"""Which loops in front of a shared one a group of threads folds: each thread computes terms, all of them add them up.

In: a loop that stands in an iteration in front of the loop that a group shares (:mod:`.group_rules`). Out:
:class:`Fold`, or why it stays. A softmax of rows has two such loops::

    float most = in[i * m];
    for (int j = 1; j < m; j++) most = fmaxf(most, in[i * m + j]);
    float sum = 0;
    for (int j = 0; j < m; j++) sum += expf(in[i * m + j] - most);
    for (int j = 0; j < m; j++) out[i * m + j] = expf(in[i * m + j] - most) / sum;

All threads of a group have a variable like ``sum``, and each would execute the whole loop. Instead each computes the
terms of its own part of the iterations, ``expf(…)``, and hands them to the others, which add them up in the loop's
order. So each thread does to its variable what the loop does, with the same values in the same order. What must hold:

* the loop counts up by one, between bounds that nothing in it changes, and is left nowhere;
* its body declares numbers that never change and are made without the one that it changes, and ends with one statement
  that gives this number of the thread's own a new value, made of its old one and of the term;
* the term is a pure value (:mod:`rexcc.lowering.cleanups.pure_values`), the same expression wherever it stands in the
  statement, and does not name that number; what each iteration evaluates of it once, it evaluates there, too;
* text can stand in the term's place (:mod:`.fold_text`);
* nothing in the loop writes memory. What other loops of the group write waits until all have read (:mod:`.groups`).
"""

from __future__ import annotations

import re

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import library, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import NOWHERE, initialiser
from rexcc.lowering.cleanups.pure_values import computes_value, library_function, meaning_of
from rexcc.lowering.cleanups.syntax import is_unconditional
from rexcc.lowering.loops.affine import Slopes
from rexcc.lowering.loops.fold_text import stands_alone
from rexcc.lowering.loops.inner_loop import InnerLoop
from rexcc.lowering.loops.light_parts import ASSIGNMENTS, ELEMENTS
from rexcc.lowering.loops.single_iteration import is_known_to_host
from rexcc.lowering.model.geometry import host_tripcount
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass

FEWEST = 64
"""``REX_FEWEST_FOLDED`` of ``rex_geometry.h``: iterations of a loop with fewer are executed by one thread each."""

_MOST_NODES = 100
_HIGHEST = 1 << 62
"""The greatest first value of an index of 64 bits: no loop goes on from there to where such a number ends."""

_FORM = "this loop in front of the inner one is no sum or extreme of terms"
_TERM_PARTS = frozenset(
    {
        "PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR",
        "UNARY_OPERATOR", "BINARY_OPERATOR", "CALL_EXPR", "CONDITIONAL_OPERATOR", "ARRAY_SUBSCRIPT_EXPR",
        "DECL_REF_EXPR", "INTEGER_LITERAL", "FLOATING_LITERAL", "TYPE_REF", "NAMESPACE_REF", "COMPOUND_STMT", "IF_STMT",
        "COMPOUND_ASSIGNMENT_OPERATOR", "DECL_STMT", "VAR_DECL",
    }
)  # fmt: skip
"""What the body of such a loop may consist of."""

_AROUND = _TERM_PARTS - {"ARRAY_SUBSCRIPT_EXPR", "DECL_STMT", "VAR_DECL"}
"""What may stand around a term and the variable."""

_SIGNED, _UNSIGNED = frozenset({"INT", "LONG", "LONGLONG"}), frozenset({"UINT", "ULONG", "ULONGLONG"})
_JOINED = ("sin", "cos")
"""Beginnings of functions that a clean-up computes in front of the statement."""


@dataclass(frozen=True, eq=False)
class Fold:
    """A loop with the declarations of its body, and the places of the term."""

    loop: CanonicalLoop
    declarations: tuple[Node, ...]
    terms: tuple[Node, ...]


def folds_of(context: CleanupContext, statements: list[Node], shared: CanonicalLoop) -> tuple[Fold, ...] | Reason:
    """Return the loops among the statements in front of a shared loop, or why the group does not fold one of them."""
    loops = [one.bare() for one in statements if one.bare().kind == "FOR_STMT" and not context.is_directive(one.bare())]
    if loops and not _is_long(context, shared):
        return Reason("the host does not know that the inner loop is long", shared.statement)
    found: list[Fold] = []
    for statement in loops:
        fold = _fold_of(context, statement)
        if isinstance(fold, Reason):
            return fold
        found.append(fold)
    return tuple(found)


def _is_long(context: CleanupContext, shared: CanonicalLoop) -> bool:
    """Whether the host may find the shared loop long enough (``rex_geometry.h``, 19)."""
    region, bound = context.kernel.region, evaluate_integer(shared.bound.cursor)
    is_short = bound is not None and shared.lower_value == 0 and bound < FEWEST
    is_counted = is_known_to_host(region, context.kernel.data, shared) and bool(host_tripcount(region, shared))
    return is_counted and not is_short


def _fold_of(context: CleanupContext, statement: Node) -> Fold | Reason:
    try:
        loop = canonical_loop(context.kernel.region.unit, statement)
    except CompileError as problem:
        return Reason(problem.diagnostic.message, statement)
    return _Rules(context, loop).decide()


class _Rules:
    def __init__(self, context: CleanupContext, loop: CanonicalLoop) -> None:
        self.context = context
        self.provenance = context.memory.provenance
        self.loop = loop
        self.inner = InnerLoop(context, loop, strict=False)

    def decide(self) -> Fold | Reason:
        """Return the fold, or the first precondition that fails."""
        loop, inside, body = self.loop, self.inner.inside, self.context.body
        if not self._is_in_text(loop.statement) or not body.text.startswith("for", body.start(loop.statement)):
            return Reason("a macro or a comment has a part in this loop in front of the inner one", loop.statement)
        if not self._is_counted():
            return Reason("the bounds of this loop in front of the inner one are not fixed", loop.statement)
        if len(inside) > _MOST_NODES or not all(map(self._is_plain, inside)):
            return Reason(_FORM, loop.statement)
        if self.context.memory.effects(loop.statement).written != NOWHERE:
            return Reason("this writes memory in front of the inner loop, or in its header", loop.statement)
        *declarations, last = loop.body.children if loop.body.kind == "COMPOUND_STMT" else [loop.body]
        if not all(one.kind == "DECL_STMT" and self._are_fixed(one) for one in declarations):
            return Reason(_FORM, loop.statement)
        variable = self._changed(last)
        if variable is None or any(_names(one, variable) for one in declarations):
            return Reason(_FORM, last)
        terms = self._terms(last, variable)
        if not terms or None in terms or not self._is_one(found := [term for term in terms if term is not None]):
            return Reason(_FORM, last)
        if not self._goes_along_rows():
            return Reason("neighbouring iterations of this loop do not access neighbouring elements", loop.statement)
        return Fold(loop, tuple(declarations), tuple(found))

    def _is_counted(self) -> bool:
        loop, unit = self.loop, self.context.kernel.region.unit
        is_number = (
            loop.is_integer and not loop.type_text and loop.step.value == 1 and loop.increasing and loop.declares
        )
        changes = self.provenance.changes(loop.index)
        if (
            not is_number
            or loop.relation not in ("<", "<=")
            or not self._has_order()
            or changes.exposed
            or len(changes.writes) != 1
            or types.is_volatile(loop.index.type)
        ):
            return False
        bounds = (loop.lower, loop.bound)
        is_pure = all(unit.is_whole(b) and meaning_of(self.context.body, b) is not None for b in bounds)
        return is_pure and all(map(self.inner.is_fixed, bounds))

    def _has_order(self) -> bool:
        """Whether the index and the bound compare as the numbers that they are."""
        index, bound = (
            types.kind_name(types.canonical(kind)) for kind in (self.loop.index_type, self.loop.bound.bare().type)
        )
        lower = self.loop.lower_value
        if self.loop.is_wide and (lower is None or abs(lower) > _HIGHEST or (lower < 0 and index in _UNSIGNED)):
            return False  # the threads count in signed numbers of 64 bits, up to a few steps behind the bound
        if index in _UNSIGNED:
            return bound in _UNSIGNED
        return index in _SIGNED and (bound in _SIGNED or (bound in _UNSIGNED and lower is not None and lower >= 0))

    def _is_plain(self, node: Node) -> bool:
        if node.kind not in _TERM_PARTS or types.is_volatile(node.type) or self.context.is_directive(node):
            return False
        if node.kind != "CALL_EXPR":
            variable = named_variable(node)
            return variable is None or not types.is_reference(variable.type)  # it may be the number's other name
        return computes_value(node) and not library_function(node).startswith(_JOINED)

    def _are_fixed(self, statement: Node) -> bool:
        declared = [n for n in statement.children if n.kind == "VAR_DECL"]
        return all(map(self._is_fixed, declared))

    def _is_fixed(self, variable: Node) -> bool:
        """Whether a variable is a number that never changes, with a value that stands in the user's text."""
        value = initialiser(variable)
        if value is None or not variable.start < value.start or not self._is_in_text(value):
            return False
        if not stands_alone(self.context, value):
            return False
        is_number = types.kind_name(types.canonical(variable.type)) in ELEMENTS
        is_own = not library.has_global_storage(variable.cursor)
        return is_number and is_own and self.provenance.is_constant(Variable(variable.cursor))

    def _changed(self, statement: Node) -> Variable | None:
        """Return the thread's own number to which the statement gives a value, and which nothing else here changes."""
        changing = [n for n in self.loop.body.walk() if n.operator in (*ASSIGNMENTS, "++", "--", "p++", "p--")]
        top = statement.bare()
        if top.kind == "IF_STMT":
            if len(top.children) != 2:
                return None
            inner = top.children[1]
            statements = inner.children if inner.kind == "COMPOUND_STMT" else [inner]
            top = statements[0].bare() if len(statements) == 1 else top
        variable = named_variable(top.children[0].bare()) if changing == [top] else None
        if variable is None or variable in self.inner.declared or variable not in self.provenance.declared:
            return None
        kind = types.kind_name(types.canonical(variable.type))
        is_own = kind in ELEMENTS and not variable.is_global and not self._has_other_name(variable)
        return variable if is_own and variable != self.loop.index else None

    def _has_other_name(self, variable: Variable) -> bool:
        """Whether a pointer, one to what it may not change, too, may lead to a variable; the loop names no references.

        The loop itself makes none: what it calls are functions of values.
        """
        uses = (n for n in self.provenance.uses.get(variable, ()) if not n.is_inside(self.loop.body))
        return self.provenance.changes(variable).exposed or any(map(address_leaves, uses))

    def _terms(self, node: Node, variable: Variable) -> list[Node | None]:
        """Return the largest parts of a statement that name what each iteration has anew, and not the variable.

        None is among them where the variable is part of anything but what may stand around a term, or where a macro
        makes both of one text.
        """
        if not _names(node, variable):
            return [node] if any(map(self._is_anew, node.walk())) else []
        if node.bare().kind == "DECL_REF_EXPR":
            return []
        if node.kind not in _AROUND:
            return [None]
        found = [term for child in node.children for term in self._terms(child, variable)]
        is_hidden = any(term is not None and (term.start, term.end) == (node.start, node.end) for term in found)
        return [None] if is_hidden else found

    def _is_anew(self, node: Node) -> bool:
        named = named_variable(node)
        return named is not None and (named == self.loop.index or named in self.inner.declared)

    def _is_one(self, terms: list[Node]) -> bool:
        """Whether all are one pure value of a type of numbers, in the user's text, that each iteration evaluates."""
        body = self.context.body
        meanings = {meaning_of(body, term) for term in terms}
        kinds = {types.kind_name(types.canonical(term.type)) for term in terms}
        if len(meanings) != 1 or None in meanings or len(kinds) != 1 or not kinds <= ELEMENTS:
            return False
        if not all(self._is_in_text(term) and stands_alone(self.context, term) for term in terms):
            return False
        return any(is_unconditional(self.context, term, self.loop.body) for term in terms)

    def _is_in_text(self, node: Node) -> bool:
        """Whether code stands in the user's text as it is parsed, without comments: no macro has a part in it."""
        body = self.context.body
        if node.file != body.file.scan.source.path or not body.unit.is_whole(node):
            return False
        if body.unit.macro_uses.holds(node.file, body.file.original(node.start), body.file.original(node.end)):
            return False
        return re.search(r"//|/\*|#|\\", body.original(node)) is None

    def _goes_along_rows(self) -> bool:
        """Whether neighbouring iterations access neighbouring elements, and neighbours of the outer loop none."""
        outer = Slopes(self.context.kernel.region.loops[-1].index, self.inner.locals)
        inner = Slopes(self.loop.index, self.inner.locals)
        found = [s for access in self.inner.accesses if (s := next(access.subscripts, None)) is not None]
        by_inner = [inner.of(subscript) for subscript in found]
        by_outer = [outer.of(subscript) for subscript in found]
        if not all(slope is not None and (slope.is_one or slope.is_zero) for slope in by_inner):
            return False
        return any(s is not None and s.is_one for s in by_inner) and not any(
            s is not None and s.is_one for s in by_outer
        )


def _names(node: Node, variable: Variable) -> bool:
    return any(named_variable(n) == variable for n in node.walk())
