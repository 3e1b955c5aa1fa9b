"""Folds: threads of a group compute the terms of a loop together, and each adds them up in the loop's order.

In: loops that :mod:`.fold_rules` lets through. Out: edits of them. Before and after::

    for (int j = 0; j < m; j++) {
      float d = in[i * m + j] - mean;
      sum += d * d;
    }

    rex_in_order<float, int>(__rex_group_member, __rex_group_size, 0, m,
        [&](long long __rex_j) { int j = (int)__rex_j; const float d = in[i * m + j] - mean; return d * d; },
        [&](long long __rex_j, const float __rex_term) {
      int j = (int)__rex_j;
      float d = in[i * m + j] - mean;
      sum += __rex_term;
    });

What the statement no longer needs of the declarations, the device compiler leaves out.
"""

from __future__ import annotations

from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import header_end
from rexcc.kernel.ir import Block
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.cleanups.syntax import value_type
from rexcc.lowering.loops.fold_rules import Fold
from rexcc.lowering.loops.loop_forms import Text, declare_index
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.placing import USER, place_header
from rexcc.source.own_names import own_name

TERM = "__rex_term"
"""What stands for the term in the user's statement."""


def place_folds(context: CleanupContext, folds: tuple[Fold, ...], text: Text) -> None:
    """Put each loop into the form in which a group executes it."""
    for fold in folds:
        _place(context, fold, text)
        context.tell(
            "groups of neighbouring threads compute the terms of this loop", fold.loop.statement, topic=Topic.LOOP
        )


def _place(context: CleanupContext, fold: Fold, text: Text) -> None:
    body, loop, term = context.body, fold.loop, fold.terms[0]
    kind = value_type(term.type, body.unit.is_cplusplus)
    position = own_name(loop.name)
    index = declare_index(loop, position, is_name=True)
    locals_ = "".join(f" {line}" for one in fold.declarations for line in _constants(one, text))
    computed = f"{{ {index.declared} = {index.value};{locals_} return {_in_line(text(term))}; }}"
    counted = spelling.spell_value(types.without_reference(loop.index_type))
    behind = " + 1LL" if loop.relation == "<=" else ""
    lower, bound = (_in_line(loop.value(one, text)) for one in (loop.lower, loop.bound))
    bounds = f"{lower}, (long long)({bound}){behind}"
    head = (
        f"rex_in_order<{kind}, {counted}>(__rex_group_member, __rex_group_size, {bounds},\n"
        f"    [&](long long {position}) {computed},\n"
        f"    [&](long long {position}, const {kind} {TERM})"
    )
    for one in fold.terms:
        body.edits.supersede(body.start(one), body.end(one), TERM)
    start, first = body.start(loop.statement), header_end(body.file, loop.statement)
    place_header(body, start, first, Block(head, (index, *USER), ");"), loop.body)


def _constants(statement: Node, text: Text) -> list[str]:
    """Return the declarations of a statement, each in a line of its own."""
    found = []
    for variable in (n for n in statement.children if n.kind == "VAR_DECL"):
        value = initialiser(variable)
        assert value is not None
        kind = spelling.declare_bare(types.without_reference(variable.type), variable.spelling)
        found.append(f"const {kind} = {_in_line(text(value))};")
    return found


def _in_line(text: str) -> str:
    return " ".join(text.split())
