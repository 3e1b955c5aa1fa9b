"""The JSON form of what was inspected.

In: values of :mod:`rexcc.inspection.model`. Out: objects with the fields of these classes, places as objects with file,
line and column (both from 1, columns in bytes as in messages). The form has a version that counts incompatible changes.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from rexcc.inspection.model import KernelList, OpenMPTree, PragmaList
from rexcc.source.records import names_of_fields
from rexcc.source.text import Span, readable

VERSION = 1


def json_text(units: Sequence[PragmaList | OpenMPTree | KernelList]) -> str:
    """Return all units of a command as one document."""
    json = importlib.import_module("json")
    return str(json.dumps({"version": VERSION, "units": [_form(unit) for unit in units]}, indent=2))


def _form(value: object) -> Any:
    if isinstance(value, Span):
        return _place(value)
    if isinstance(value, tuple):
        return [_form(member) for member in value]
    names = names_of_fields(value)
    if names is not None:
        return {name: _form(getattr(value, name)) for name in names}
    return readable(value) if isinstance(value, str) else value


def _place(span: Span) -> dict[str, str | int]:
    end = Span(span.source, span.end, span.end)
    return {
        "file": readable(span.source.path),
        "line": span.line,
        "column": span.column,
        "end_line": end.line,
        "end_column": end.column,
    }
