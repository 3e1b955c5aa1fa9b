"""Integers that an iteration declares with a sum and leaves as they are: ``const int at = row * n + i;``.

In: a loop. Out: those locals, and the declarations that an address found by them needs where it is computed apart from
the iteration. Whoever uses a local asks that all it is computed from is the index, another such local, or what the loop
does not change (:func:`names_behind`): then its value is the same there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_written
from rexcc.clang import library, types
from rexcc.clang.tree import NAME_KINDS, Node
from rexcc.kernel.ir import Declare
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.cleanups.syntax import is_free, value_type
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.variables import Variable, named_variable

_INTEGERS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"})
_SUMS = frozenset({"+", "-", "*"})

FixedLocals = Mapping[Variable, Node]
"""The locals by declaration, in the order of the text."""


def fixed_locals(body: DeviceBody, loop: CanonicalLoop) -> FixedLocals:
    """Return the integers that an iteration declares with a sum and never changes, and whose names mean nothing else
    in it: where the declarations stand beside each other, none may hide another name."""
    uses, declared = list(_uses(loop.body)), {}
    for node in loop.body.walk():
        if node.kind == "VAR_DECL":
            declared[Variable(node.cursor)] = node
    changed = {named for node, named in uses if is_written(node) or is_exposed(node)}
    meant = Counter(variable.name for variable in {loop.index, *declared, *(named for _, named in uses)})
    meant.update({node.spelling.split(" ")[-1].split("::")[-1] for node in loop.body.walk() if node.kind in NAME_KINDS})
    return {
        variable: node
        for variable, node in declared.items()
        if variable not in changed and meant[variable.name] == 1 and _is_fixed(body, node)
    }


def _uses(statement: Node) -> Iterator[tuple[Node, Variable]]:
    """Yield the names of variables in a statement, and what they name."""
    for node in statement.walk():
        named = named_variable(node) if node.kind == "DECL_REF_EXPR" else None
        if named is not None:
            yield node, named


def _is_fixed(body: DeviceBody, declaration: Node) -> bool:
    value = initialiser(declaration)
    kind = types.canonical(declaration.type)
    if value is None or types.kind_name(kind) not in _INTEGERS or types.is_volatile(declaration.type):
        return False
    return not library.has_global_storage(declaration.cursor) and is_sum(value) and _is_written_out(body, value)


def _is_written_out(body: DeviceBody, value: Node) -> bool:
    """Whether an initialiser stands in one line between ``=`` and its declarator's end, and nothing in it is edited."""
    if value.file != body.file.scan.source.path:
        return False
    start, end = body.start(value), body.end(value)
    is_whole = body.text[:start].rstrip().endswith("=") and body.text[end:].lstrip().startswith((",", ";"))
    return is_whole and "\n" not in body.text[start:end] and is_free(body, start, end)


def is_sum(node: Node) -> bool:
    """Whether an expression consists of names and numbers: it reads no memory that is found by them."""
    bare = node.bare()
    if bare.kind == "ARRAY_SUBSCRIPT_EXPR":
        return types.is_array(bare.type) and all(map(is_sum, bare.children))
    if bare.kind == "BINARY_OPERATOR":
        return bare.operator in _SUMS and all(map(is_sum, bare.children))
    if bare.kind == "CSTYLE_CAST_EXPR":
        return is_sum(bare.children[-1])
    return bare.kind == "INTEGER_LITERAL" or (named_variable(bare) is not None and not types.is_volatile(bare.type))


def names_behind(node: Node, known: FixedLocals) -> Iterator[Variable]:
    """Yield the variables that an expression is computed from, also those of the known locals in it, in their order."""
    for inner in node.walk():
        named = named_variable(inner)
        if named is None:
            continue
        value = initialiser(known[named]) if named in known else None
        if value is not None:
            yield from names_behind(value, known)
        yield named


def declarations(body: DeviceBody, nodes: Iterable[Node], known: FixedLocals) -> tuple[Declare, ...]:
    """Return the declarations of the known locals that expressions are computed from, each behind what it needs."""
    needed = dict.fromkeys(name for node in nodes for name in names_behind(node, known) if name in known)
    return tuple(_declared(body, known[name], name) for name in needed)


def _declared(body: DeviceBody, declaration: Node, variable: Variable) -> Declare:
    value = initialiser(declaration)
    assert value is not None
    kind = value_type(declaration.type, body.unit.is_cplusplus)
    return Declare(f"{kind} {variable.name}", variable.name, body.original(value))
