"""``atomic`` in device code (OpenMP 5.2, 15.8.4).

In: an ``atomic`` construct in a device body. Out: an edit that turns its statement into a call of a ``rex_atomic_*``
function, its operands' text as the user wrote it, with fences for the memory order. ``x[i] += f(y);`` becomes
``rex_atomic_add(&x[i], f(y));``. An operation on what only one thread has stays as it is.
"""

from __future__ import annotations

from rexcc.kernel.code import in_block
from rexcc.kernel.ir import Atomic, Do
from rexcc.lowering.atomics.forms import Form, read_form
from rexcc.lowering.atomics.operand_ranges import find_written
from rexcc.lowering.atomics.operands import check_operands, operation
from rexcc.lowering.atomics.orders import check_clauses, fences
from rexcc.lowering.atomics.thread_private import is_private
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_around, place_instead
from rexcc.program.constructs import Construct


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
    fence = Do(body.unit.target.words.fence)
    opening, closing = (fence,) * before, (fence,) * after
    if not is_private(body.unit.tree, construct, form.target):
        done = operation(body, form, written)
        if construct.probe.offset in body.bins:
            function, bins = body.bins[construct.probe.offset]
            done = Atomic(function, (bins, *done.arguments))
        code = in_block(opening, (done,), closing)
        place_instead(body, written.start, written.end, code)
    elif opening or closing:
        place_around(body, written.start, written.end, in_block(opening, USER, closing))


def lower_update(body: DeviceBody, construct: Construct, form: Form) -> None:
    """Rewrite the statement of a construct that changes a variable, none of one thread's own, in an atomic form."""
    written = find_written(body, construct, form)
    place_instead(body, written.start, written.end, (operation(body, form, written),))
