"""What stands for a directive in the text that clang parses.

In: a directive. Out: its :class:`Form`: a statement around the next one, a statement of its own, or nothing.
"""

from __future__ import annotations

from enum import Enum

from rexcc.openmp.directives import Association
from rexcc.openmp.model import Directive
from rexcc.openmp.selectors import WhenClause
from rexcc.openmp.tables import association_of


class Form(Enum):
    """The shape of a probe."""

    BODY = "wraps the statement that follows"
    STANDALONE = "a statement of its own"
    BLANK = "declarative: nothing"


_EXECUTABLE = frozenset(
    {
        "target enter data", "target exit data", "target update", "barrier", "taskwait", "taskyield", "flush",
        "cancel", "cancellation point", "interop", "depobj", "scan", "ordered", "task_iteration",
    }
)  # fmt: skip
_BODY = frozenset({Association.BLOCK, Association.LOOP, Association.LOOP_SEQUENCE})


METADIRECTIVES = frozenset({"metadirective", "begin metadirective"})


def _form_of_variants(directive: Directive) -> Form:
    """Return the form that suits all directives among which a metadirective chooses: one with a body, if there is."""
    variants = [clause.variant for clause in directive.of_type(WhenClause) if clause.variant is not None]
    forms = {form_of(variant) for variant in variants}
    return next((form for form in (Form.BODY, Form.STANDALONE) if form in forms), Form.BLANK)


def form_of(directive: Directive) -> Form:
    """Return the form of a directive's probe."""
    if directive.name in METADIRECTIVES:
        return _form_of_variants(directive)
    association = association_of(directive)
    if association in _BODY:
        return Form.BODY
    if association is Association.NONE and directive.name in _EXECUTABLE:
        return Form.STANDALONE
    return Form.BLANK
