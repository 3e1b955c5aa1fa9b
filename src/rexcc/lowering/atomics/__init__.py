"""``atomic`` in device code (OpenMP 5.2, 15.8.4).

In: an ``atomic`` construct in a device body. Out: an edit that turns its statement into a call of a ``rex_atomic_*``
function, its operands' text as the user wrote it, with fences for the memory order. ``x[i] += f(y);`` becomes
``rex_atomic_add(&x[i], f(y));``. An operation on what only one thread has stays as it is.
"""

from __future__ import annotations

from rexcc.lowering.atomics.forms import read_form
from rexcc.lowering.atomics.operand_ranges import find_written
from rexcc.lowering.atomics.operands import call_text, check_operands
from rexcc.lowering.atomics.orders import check_clauses, fences
from rexcc.lowering.atomics.thread_private import is_private
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.constructs import Construct
from rexcc.source.edits import Content, Quote, content, listed


def lower_atomic(body: DeviceBody, construct: Construct) -> None:
    """Rewrite the statement of an atomic construct.

    Raises CompileError where the statement has none of the forms that the specification allows, where a clause or the
    type of an operand does not fit, and where a macro hides the form.
    """
    form = read_form(body, construct)
    check_clauses(construct, form)
    check_operands(body, construct, form)
    written = find_written(body, construct, form)
    before, after = fences(body.unit, construct.directive)
    if is_private(body.unit.tree, construct, form.target):
        if not before and not after:
            return
        text = content(Quote(written.start, _before_semicolon(body, written.end)), ";")
    else:
        text = content(call_text(body, form, written), ";")
    if before or after:
        fence = [body.unit.target.words.fence]
        text = listed(["{", *(fence if before else []), text, *(fence if after else []), "}"], " ")
    _replace(body, max(construct.probe.site.end, written.start - 1), written.start, written.end, text)


def _before_semicolon(body: DeviceBody, end: int) -> int:
    """Return the end of a statement without its semicolon, behind which other edits put what is no part of it."""
    return end - 1 if body.text[end - 1 : end] == ";" else end


def _replace(body: DeviceBody, before: int, start: int, end: int, text: Content) -> None:
    """Put a text in place of a statement, with as many lines.

    The range begins at the blank in front of the statement, so that the edits of its first operand are inside.
    """
    lines = "\n" * body.text.count("\n", start, end)
    body.edits.rewrite(before, end, content(body.text[before:start], text, lines))
