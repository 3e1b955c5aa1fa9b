"""Values of the OpenMP model without their places, so that two texts of one directive compare equal."""

from __future__ import annotations

import dataclasses

from rexcc.openmp.model import Expression
from rexcc.openmp.unparse import expression_text
from rexcc.source.text import Span


def plain(value: object) -> object:
    """Return a value of the model without its places, expressions with single blanks."""
    if isinstance(value, Expression):
        return expression_text(value)
    if isinstance(value, Span):
        return None
    if isinstance(value, tuple):
        return tuple(plain(member) for member in value)
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return (type(value).__name__, *(plain(getattr(value, field.name)) for field in fields))
    return value
