"""What an iteration does with an array of its own: whether subscripts alone name it, and who knows their values.

In: the declaration of an array and the iteration. Out: whether the elements may lie apart from each other, and whether
an index differs from thread to thread, so that no compiler knows it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.references import is_written
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.lowering.cleanups.pure_values import library_function
from rexcc.lowering.cleanups.syntax import is_load
from rexcc.lowering.model.geometry import constant_trips
from rexcc.program.variables import Variable, named_variable

_AROUND = frozenset({"PAREN_EXPR", "UNEXPOSED_EXPR"})
_STATEMENTS = frozenset({"COMPOUND_STMT", "FOR_STMT", "IF_STMT", "WHILE_STMT", "DO_STMT"})
_BY_REFERENCE = frozenset({"swap", "min", "max"})
"""Functions of the C++ library that get references and look at no element beside."""
_OF_TWO_VALUES = frozenset({"<", ">", "<=", ">=", "==", "!=", "&&", "||", "!"})


def is_subscripted(declared: Node, region: TargetRegion) -> bool:
    """Whether an array is named for its elements alone, outside of lambdas, and nothing finds one from another."""
    variable = Variable(declared.cursor)
    uses = [n for n in region.iteration.walk() if n.kind == "DECL_REF_EXPR" and n.spelling == declared.spelling]
    return all(named_variable(use) == variable and _is_element(use, region) for use in uses)


def _is_element(use: Node, region: TargetRegion) -> bool:
    array = next(n for n in (use, *use.ancestors()) if n.parent is None or n.parent.kind not in _AROUND)
    element = array.parent
    if element is None or element.kind != "ARRAY_SUBSCRIPT_EXPR" or element.children[0] is not array:
        return False
    return not any(n.kind == "LAMBDA_EXPR" for n in use.ancestors()) and _is_used_alone(element, region)


def _is_used_alone(place: Node, region: TargetRegion) -> bool:
    """Whether all that is done with an object is to read and to write it: nothing keeps where it is."""
    if is_load(place):
        return True
    top = place.in_parentheses()
    above = top.parent
    if above is None:
        return False
    if is_written(place):
        is_value = not region.unit.is_cplusplus or above.operator.startswith("p") or above.kind == "CALL_EXPR"
        return is_value or _is_used_alone(above, region)
    if above.kind == "VAR_DECL":
        return types.is_reference(above.type) and _is_reference_used_alone(Variable(above.cursor), region)
    if above.kind == "CALL_EXPR":
        return library_function(above) in _BY_REFERENCE and _is_used_alone(above, region)
    if above.kind == "UNEXPOSED_EXPR":
        return _is_used_alone(above, region)
    if above.operator == ",":
        return top is above.children[0] or _is_used_alone(above, region)
    return above.kind in _STATEMENTS


def _is_reference_used_alone(variable: Variable, region: TargetRegion) -> bool:
    uses = (n for n in region.iteration.walk() if n.kind == "DECL_REF_EXPR" and named_variable(n) == variable)
    return all(not any(n.kind == "LAMBDA_EXPR" for n in u.ancestors()) and _is_used_alone(u, region) for u in uses)


class Indices:
    """What of an iteration differs from thread to thread, so that no compiler knows it."""

    def __init__(self, region: TargetRegion) -> None:
        self.region = region
        self.differing = {loop.index for loop in region.loops}
        self.asked: set[Variable] = set()

    def find(self, array: Variable) -> bool:
        """Whether values find an array's elements, in loops: one that is looked up once is chosen from registers."""
        subscripts = (n for n in self.region.iteration.walk() if n.kind == "ARRAY_SUBSCRIPT_EXPR")
        own = (n for n in subscripts if named_variable(n.children[0].bare()) == array)
        return any(self._is_often(n, array) and self._is(n.children[1]) for n in own)

    def _is_often(self, place: Node, array: Variable) -> bool:
        """Whether a place is reached as often as an array has elements, as far as loops between constants say it."""
        count, times = types.constant_extent(array.type) or 0, 1
        for above in _within(place, array):
            if above.kind in LOOP_KINDS:
                trips = constant_trips(self.region, above) if above.kind == "FOR_STMT" else None
                if trips is None:
                    return True
                times *= trips
        return 1 < count <= times

    def _is(self, expression: Node) -> bool:
        """Whether a value differs, and is not one of two or three constants."""
        if expression.kind == "DECL_REF_EXPR":
            variable = named_variable(expression)
            return variable is not None and self._is_variable(variable)
        if expression.operator in _OF_TWO_VALUES:
            return False
        parts = expression.children
        if expression.kind == "CONDITIONAL_OPERATOR" and not any(_names_variables(p) for p in parts[1:]):
            return False
        return any(map(self._is, parts))

    def _is_variable(self, variable: Variable) -> bool:
        if variable in self.differing:
            return True
        if variable in self.asked:
            return False
        self.asked.add(variable)
        if any(self._changes(n, variable) for n in self.region.iteration.walk()):
            self.differing.add(variable)
        return variable in self.differing

    def _changes(self, node: Node, variable: Variable) -> bool:
        """Whether a node gives a variable a value that differs, or does so in some threads alone."""
        if node.kind == "VAR_DECL":
            return Variable(node.cursor) == variable and any(map(self._is, node.children))
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            base = named_variable(node.children[0].bare())
            return base == variable and is_written(node) and self._is_given(node, variable)
        if node.kind != "DECL_REF_EXPR" or not is_written(node) or named_variable(node) != variable:
            return False
        return self._is_given(node, variable)

    def _is_given(self, place: Node, variable: Variable) -> bool:
        above = place.in_parentheses().parent
        values = above.children[1:] if above is not None else []
        if any(map(self._is, values)):
            return True
        if _operator(place) == "=" and not any(map(_names_variables, values)):
            return False
        return any(map(self._depends, _conditions(place, variable)))

    def _depends(self, condition: Node) -> bool:
        names = (named_variable(n) for n in condition.walk() if n.kind == "DECL_REF_EXPR")
        return any(self._is_variable(name) for name in names if name is not None)


def _operator(place: Node) -> str:
    """Return the operator that writes a place."""
    above = place.in_parentheses().parent
    return "" if above is None else above.operator


def _names_variables(node: Node) -> bool:
    return any(n.kind == "DECL_REF_EXPR" and named_variable(n) is not None for n in node.walk())


def _within(place: Node, variable: Variable) -> Iterator[Node]:
    """Yield what is around a place, from inside to where a variable is declared."""
    for above in place.ancestors():
        yield above
        if any(s.kind == "DECL_STMT" and any(_declares(d, variable) for d in s.children) for s in above.children):
            return


def _conditions(place: Node, variable: Variable) -> Iterator[Node]:
    """Yield what decides whether a place is reached, from where a variable is declared on."""
    inner = place
    for above in _within(place, variable):
        if above.kind in ("IF_STMT", "SWITCH_STMT", "WHILE_STMT", "CONDITIONAL_OPERATOR"):
            if inner is not above.children[0]:
                yield above.children[0]
        elif above.kind == "FOR_STMT":
            yield from above.children[:-1]
        elif above.kind == "DO_STMT":
            yield above.children[-1]
        inner = above


def _declares(node: Node, variable: Variable) -> bool:
    return node.kind == "VAR_DECL" and Variable(node.cursor) == variable
