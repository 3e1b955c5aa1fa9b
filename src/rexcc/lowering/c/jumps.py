"""Jumps past initialisers, which C allows.

In: declarations with first values that a ``goto`` or ``switch`` may jump past. Out: the same declarations without
values, and assignments behind them.
"""

from __future__ import annotations

import re

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_range
from rexcc.lowering.c.declarations import name_start
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.text.extents import is_runtime_array, is_runtime_pointer
from rexcc.source.edits import Content, content, listed

_TARGETS = frozenset({"LABEL_STMT", "CASE_STMT", "DEFAULT_STMT"})


def split_declarations(edits: CEdits, top: Node) -> None:
    """Split the declarations below a node that jumps may go past."""
    every = list(top.walk())
    targets = [n for n in every if n.kind in _TARGETS]
    if not targets:
        return
    jumps = _jumps(every)
    for statement in every:
        if statement.kind == "DECL_STMT" and _is_passed(statement, targets, jumps):
            _split(edits, statement)


def _jumps(every: list[Node]) -> dict[str, list[Node]]:
    """Return the ``goto`` statements by the name of their label, those without one under an empty name."""
    found: dict[str, list[Node]] = {}
    for node in every:
        if node.kind == "GOTO_STMT":
            label = next((c.spelling for c in node.children if c.kind == "LABEL_REF"), "")
            found.setdefault(label, []).append(node)
        elif node.kind == "INDIRECT_GOTO_STMT":
            found.setdefault("", []).append(node)
    return found


def _is_passed(statement: Node, targets: list[Node], jumps: dict[str, list[Node]]) -> bool:
    """Whether a jump from before a declaration, or from outside its block, leads behind it."""
    block = statement.parent
    if block is None or block.kind in ("FOR_STMT", "WHILE_STMT", "IF_STMT", "SWITCH_STMT"):
        return False
    while block is not None and block.kind in _TARGETS:
        block = block.parent
    if block is None or not any(_has_value(c) for c in statement.children):
        return False
    for target in targets:
        if not (statement.end <= target.start < block.end):
            continue
        if target.kind == "LABEL_STMT":
            sources = [*jumps.get(target.spelling, ()), *jumps.get("", ())]
            if any(not statement.end <= jump.start < block.end for jump in sources):
                return True
        else:
            switch = next((a for a in target.ancestors() if a.kind == "SWITCH_STMT"), None)
            if switch is not None and switch.start < statement.start:
                return True
    return False


def _has_value(variable: Node) -> bool:
    if variable.kind != "VAR_DECL" or variable.cursor.storage_class.name in ("STATIC", "EXTERN"):
        return False
    return value_of(variable) is not None


def value_of(variable: Node) -> Node | None:
    """Return the first value that a declaration of a variable has."""
    last = variable.children[-1] if variable.children else None
    if last is None or not (last.kind.endswith(("_EXPR", "_LITERAL", "OPERATOR")) or last.kind == "StmtExpr"):
        return None
    return last if last.end == variable.end else None


def _split(edits: CEdits, statement: Node) -> None:
    body = edits.body
    own = [c for c in statement.children if c.kind == "VAR_DECL"]
    if not edits.is_reachable(statement, inside=True):
        return
    if any(is_runtime_array(v.type) or is_runtime_pointer(v.type) for v in own):
        return
    assigned: list[Content] = []
    for variable in own:
        value = value_of(variable)
        if value is None or not _has_value(variable):
            continue
        name = name_start(body, variable)
        equals = body.text.rfind("=", name, body.start(value))
        if equals < 0:
            return
        text = body.quoted(value)
        if types.is_array(variable.type) or value.kind == "INIT_LIST_EXPR":
            assigned.append((f"rex_set({variable.spelling}, {{", text, "});"))
        else:
            assigned.append((f"{variable.spelling} = ", text, ";"))
        body.edits.rewrite(equals, body.end(value), "")
    for variable in own:
        if _is_constant(variable):
            low, high = body.start(variable), name_start(body, variable)
            for word in re.finditer(r"\bconst\b", body.text[low:high]):
                after = body.text[low + word.end() : high]
                before = body.text[low : low + word.start()]
                if "*" not in after and (not types.is_pointer(variable.type) or "*" in before):
                    body.edits.replace(low + word.start(), low + word.end(), "")
    body.edits.after(*statement_range(body.file, statement), content(" ", listed(assigned, " ")))


def _is_constant(variable: Node) -> bool:
    return types.is_constant(variable.type)
