"""The variable of a mapper in C, whose function knows it by a pointer of its name (C has no references).

In: the construct of a mapper, as the user wrote it. Out: the same with his expressions as they are said of a pointer:
``v.n`` is ``v->n``, ``v`` is ``(*v)``. The bases of list items stay, for ``item_paths`` reads them part by part.
"""

from __future__ import annotations

import re

from rexcc.openmp.model import Clause, Expression, ListItem, MapClause, Modifier, Section
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import error
from rexcc.source.patterns import regex
from rexcc.source.records import replace

_TOKEN = regex(r"\s+|\w+|->|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|.", re.DOTALL)
_NAMES_OTHERS = frozenset({".", "->", "struct", "union", "enum"})
"""What stands in front of a word that is a name of something else."""


def pointed(construct: Construct, variable: Variable) -> Construct:
    """Return a construct whose clauses know a variable by a pointer to it.

    Raises CompileError where a macro hides the variable (``unsupported-item``).
    """
    name = variable.name
    for expression, node in construct.expressions.items():
        hidden = not re.search(rf"\b{re.escape(name)}\b", expression.text)
        if hidden and any(named_variable(part) == variable for part in node.walk()):
            message = f"'{expression.text.strip()}' names the mapper's variable '{name}' in a macro; write it out"
            raise error("unsupported-item", message, expression.span)
    directive = replace(construct.directive, clauses=tuple(_clause(c, name) for c in construct.directive.clauses))
    expressions = {_expression(e, name): node for e, node in construct.expressions.items()} | construct.expressions
    return replace(construct, directive=directive, expressions=expressions, pointed=variable)


def _clause(clause: Clause, name: str) -> Clause:
    if not isinstance(clause, MapClause):
        return clause
    items = tuple(_item(item, name) for item in clause.items)
    return replace(clause, items=items, modifiers=tuple(_modifier(m, name) for m in clause.modifiers))


def _item(item: ListItem, name: str) -> ListItem:
    return replace(item, sections=tuple(_section(section, name) for section in item.sections))


def _section(section: Section, name: str) -> Section:
    parts = (section.lower, section.length, section.stride)
    lower, length, stride = (_expression(part, name) if part is not None else None for part in parts)
    return Section(lower, length, stride, section.is_index)


def _modifier(modifier: Modifier, name: str) -> Modifier:
    if modifier.name != "iterator" or modifier.argument is None:
        return modifier
    return replace(modifier, argument=_expression(modifier.argument, name))


def _expression(expression: Expression, name: str) -> Expression:
    return replace(expression, text=through(expression.text, name))


def through(text: str, name: str) -> str:
    """Return an expression of the user's in which a variable, an object, has become a pointer to it."""
    tokens = _TOKEN.findall(text)
    for position, token in enumerate(tokens):
        before = _beside(tokens, position, -1)
        after = _beside(tokens, position, 1)
        if token != name or (before >= 0 and tokens[before] in _NAMES_OTHERS):
            continue
        if after < len(tokens) and tokens[after] == ".":
            tokens[after] = "->"
        else:
            tokens[position] = f"(*{name})"
    return "".join(tokens)


def _beside(tokens: list[str], position: int, step: int) -> int:
    """Return the position of the next token, or the one before, that is not blank."""
    position += step
    while 0 <= position < len(tokens) and not tokens[position].strip():
        position += step
    return position
