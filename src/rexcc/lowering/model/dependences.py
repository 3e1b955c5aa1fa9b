"""What a construct's ``nowait`` and ``depend`` clauses ask of its target task, as arguments of the runtime's.

In: a directive. Out: the lines that declare ``__rex_task``: whether the task is deferred, and for each list item where
it begins and how the task uses it (OpenMP 5.2, 15.9.5). The user's expressions are evaluated there, when the task is
made.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.lowering.model.host_values import address_text, may_name_private_copies
from rexcc.openmp.iterators import iterators
from rexcc.openmp.model import DependClause, Directive, ExpressionClause, ListItem
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error
from rexcc.source.patterns import regex

_KINDS = {
    "in": "REX_DEPEND_IN",
    "out": "REX_DEPEND_OUT",
    "inout": "REX_DEPEND_INOUT",
    "mutexinoutset": "REX_DEPEND_MUTEXINOUTSET",
    "inoutset": "REX_DEPEND_INOUTSET",
    "depobj": "REX_DEPEND_DEPOBJ",
}
_PLAIN = regex(r"[\w.:\[\]]+(?:->[\w.\[\]]+)*")
_WIDTH = 118


def is_task(directive: Directive) -> bool:
    """Whether a construct's target task may be deferred, or has to wait for others."""
    return directive.has("nowait") or directive.has("depend")


def deferred(directive: Directive) -> str:
    """Return whether the encountering thread need not wait, as an expression; OpenMP 6.0 lets ``nowait`` have one."""
    argument = directive.expression("nowait")
    if argument is not None:
        return f"({argument.text.strip()}) != 0"
    return "1" if directive.has("nowait") else "0"


def is_counted_at_run_time(directive: Directive) -> bool:
    """Whether iterators make the number of dependences one of the run, so that their list has to be given back."""
    return any(iterators(clause.modifiers) for clause in directive.of_type(DependClause))


def task_lines(construct: Construct, indent: str) -> list[str]:
    """Return the declaration of ``__rex_task`` and what it needs."""
    directive = construct.directive
    clauses = list(directive.of_type(DependClause))
    waits = deferred(directive)
    if is_counted_at_run_time(directive):
        opening = f"{indent}struct rex_task __rex_task = {{{waits}, 0, 0, 0}};"
        return [opening, *(f"{indent}{line}" for clause in clauses for line in _added(construct, clause))]
    spelled = "{{rex_address({}), {}}}" if may_name_private_copies(construct) else "{{{}, {}}}"
    rows = [spelled.format(address, kind) for clause in clauses for address, kind in _rows(construct, clause)]
    if not rows:
        return [f"{indent}struct rex_task __rex_task = {{{waits}, 0, 0, 0}};"]
    return [
        *_array(f"{indent}struct rex_depend __rex_depends[] = {{", rows, indent),
        f"{indent}struct rex_task __rex_task = {{{waits}, {len(rows)}, __rex_depends, 0}};",
    ]


def _added(construct: Construct, clause: DependClause) -> list[str]:
    """Return the statements that add a clause's dependences one by one, in the loops of its iterators."""
    loops = "".join(f"{iterator.header} " for iterator in iterators(clause.modifiers))
    return [f"{loops}rex_depend_on(&__rex_task, {address}, {kind});" for address, kind in _rows(construct, clause)]


def _rows(construct: Construct, clause: DependClause) -> list[tuple[str, str]]:
    return [_row(construct, clause, item) for item in clause.items]


def _row(construct: Construct, clause: DependClause, item: ListItem) -> tuple[str, str]:
    if item.base.text.strip() == "omp_all_memory":
        return "0", "REX_DEPEND_ALL_MEMORY"
    return _address(construct, item), _KINDS[clause.depend_type]


def _address(construct: Construct, item: ListItem) -> str:
    """Return the address of a list item's first element."""
    base = item.base.text.strip()
    if base.startswith("(["):
        message = f"'{base}' in 'depend' cannot be lowered yet; name the array's first element"
        raise error("unsupported-item", message, item.whole.span)
    firsts = "".join(f"[{section.lower.text.strip() if section.lower else '0'}]" for section in item.sections)
    node = construct.node_of(item.base)
    kind = types.shape_of(node.type).element if node is not None else None
    return address_text(f"{base if _PLAIN.fullmatch(base) else f'({base})'}{firsts}", kind)


def _array(opening: str, rows: list[str], indent: str) -> list[str]:
    lines = [opening]
    for position, row in enumerate(rows):
        piece = row + (", " if position < len(rows) - 1 else "};")
        if len(lines[-1]) + len(piece) > _WIDTH:
            lines[-1] = lines[-1].rstrip()
            lines.append(f"{indent}    ")
        lines[-1] += piece
    return lines


def host_clauses(directive: Directive) -> str:
    """Return the clause that makes a host task undeferred where the construct is, empty where it never is."""
    argument = next((c for c in directive.of_type(ExpressionClause) if c.name == "nowait"), None)
    if argument is not None:
        return f"if({argument.expression.text.strip()})"
    return "" if directive.has("nowait") else "if(0)"
