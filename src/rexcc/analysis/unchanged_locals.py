"""Locals of a function that have one value as long as they live, and which that is.

In: a function and a variable. Out: the number that its declaration gives it, where nothing in the function does more
than to read it. A kernel that names it needs no argument for it, and has the number as a constant expression::

    int dimensions = 3;    ->    const int dimensions = 3;

What is read is seen in clang's tree: a conversion of the variable to its value, a value of an array's list, an extent,
an argument of the C++ library's functions of which a value is left, and operands that nobody evaluates. All other uses
may change it: assignments, references also to constants, for the variable is none, addresses, captures, operands of
``asm``, and list items of clauses, but those that only say who shares the variable or has a copy of it.

It cannot be noticed: whoever reads the variable reads that number, and no other code can have its address.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.kept_addresses import is_own
from rexcc.clang import library, types
from rexcc.clang.standard_library import is_of_cxx_library
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.clang.unevaluated import leaves_unevaluated
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable, variable_of

_INTEGERS = frozenset(
    {
        "BOOL", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG", "LONGLONG",
        "ULONGLONG",
    }
)  # fmt: skip
_SHARING = frozenset({"shared", "private", "firstprivate"})
"""Clauses with list items whose originals nothing changes."""


def unchanged_value(unit: ParsedUnit, function: ConstructFunction, variable: Variable) -> int | None:
    """Return the value that a local integer of a function has from its declaration on, None if there is none, or if it
    may change."""
    cursor = variable.cursor
    kind = types.canonical(cursor.type)
    if kind_of(cursor) != "VAR_DECL" or types.kind_name(kind) not in _INTEGERS or types.is_volatile(kind):
        return None
    if library.initialiser(cursor) is None or not is_own(unit, function.node, cursor):
        return None
    value = library.evaluate_integer(cursor)
    return value if value is not None and unit.kept(_Changes).never(function, variable) else None


class _Changes:
    """Which variables functions of a unit may change, each function looked at once."""

    def __init__(self, unit: ParsedUnit) -> None:
        self.listed = {variable for construct in all_constructs(unit) for variable in _listed(construct)}
        self.changed: dict[ConstructFunction, set[Variable]] = {}

    def never(self, function: ConstructFunction, variable: Variable) -> bool:
        """Whether a function only reads a variable of its own."""
        if variable in self.listed:
            return False
        changed = self.changed.get(function)
        if changed is None:
            changed = self.changed[function] = _changed_in(function.node)
        return variable not in changed


def _listed(construct: Construct) -> Iterator[Variable]:
    """Yield the variables that list items of clauses are, where the clause may say that the original changes."""
    for item in construct.items_of(*(c for c in construct.directive.clauses if c.name not in _SHARING)):
        if item.variable is not None:
            yield item.variable


def _changed_in(function: Node) -> set[Variable]:
    """Return the variables that a function does more with than to read them."""
    found: set[Variable] = set()
    for node in function.walk():
        if node.kind == "VARIABLE_REF":  # a capture
            captured = variable_of(node.referenced)
            found |= {captured} if captured is not None else set()
        elif node.kind == "DECL_REF_EXPR" and not _is_read(node):
            named = named_variable(node)
            found |= {named} if named is not None else set()
    return found


def _is_read(use: Node) -> bool:
    """Whether a name stands for its variable's value, or for nothing that is evaluated."""
    top = use.in_parentheses()
    above = top.parent
    if above is None or leaves_unevaluated(above, top):
        return True
    if above.kind == "CSTYLE_CAST_EXPR" and types.kind_name(above.type) == "VOID":
        return True
    if above.kind in VARIABLE_KINDS:
        return types.is_array(above.type)  # an extent
    if above.kind == "INIT_LIST_EXPR":  # libclang shows no conversion in one
        return types.is_array(above.type) and types.is_scalar(types.innermost(above.type))
    if not _is_conversion(above, top):
        return False
    return not types.is_constant(above.type) or _is_read_by_library(above)


def _is_conversion(above: Node, below: Node) -> bool:
    """Whether an expression is an implicit conversion of a scalar: it has the text of what it converts. To a value it
    leads away from the variable, to a constant it is the variable still, which ``const_cast`` may change."""
    if above.kind != "UNEXPOSED_EXPR" or not types.is_scalar(above.type) or types.is_volatile(above.type):
        return False
    return (above.start, above.end) == (below.start, below.end)


def _is_read_by_library(constant: Node) -> bool:
    """Whether a constant is an argument of a function of the C++ library of which nothing but a value is left
    (``std::min(d, n) + 1``)."""
    call = constant.in_parentheses().parent
    callee = call.referenced if call is not None and call.kind == "CALL_EXPR" else None
    if call is None or callee is None or kind_of(callee) not in FUNCTION_KINDS or not is_of_cxx_library(callee):
        return False
    result = callee.result_type
    if not types.is_reference(result):
        return types.is_scalar(result) or types.kind_name(types.canonical(result)) == "VOID"
    above = call.in_parentheses().parent
    return above is not None and _is_conversion(above, call.in_parentheses()) and not types.is_constant(above.type)
