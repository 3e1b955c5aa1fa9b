"""A unit's report as JSON, for the command that links the kernels' device code later and knows what they take.

In: :class:`StoredUnit`, or its document. Out: the other one. Both follow from the fields of the model's classes: one
that is added there needs nothing here. A document of another version of rexcc is none.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Any

from rexcc.report.model import UnitReport
from rexcc.report.profile import Profile
from rexcc.source.records import dataclass, names_of_fields
from rexcc.target.known import TARGETS
from rexcc.target.model import Target

VERSION = 1


@dataclass(frozen=True)
class StoredUnit:
    """A unit, the texts of the user's files that its page shows, as pairs with their paths, and a run's times."""

    unit: UnitReport
    texts: tuple[tuple[str, str], ...]
    profile: Profile

    @property
    def kernels(self) -> frozenset[str]:
        """The names of its kernels."""
        return frozenset(name for one in self.unit.constructs for kernel in one.kernels for name in kernel.names)


def document_of(stored: StoredUnit) -> dict[str, Any]:
    """Return a unit as JSON."""
    return {"version": VERSION, "stored": _plain(stored)}


def stored_of(document: Any, targets: Iterable[Target] = TARGETS) -> StoredUnit | None:
    """Return the unit in a document; None where that is of another version, or for a target that is not known."""
    if not isinstance(document, Mapping) or document.get("version") != VERSION:
        return None
    known = {target.name: target for target in targets}
    if document["stored"]["unit"]["target"] not in known:
        return None
    found: StoredUnit = _made(document["stored"], StoredUnit, known)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Target):
        return value.name
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    names = names_of_fields(value)
    return value if names is None else {name: _plain(getattr(value, name)) for name in names}


def _made(value: Any, kind: Any, targets: Mapping[str, Target]) -> Any:
    """Return the value of a type that stands in a document."""
    if kind is Target:
        return targets[value]
    if isinstance(kind, UnionType):
        (kind,) = (one for one in typing.get_args(kind) if one is not type(None))
        return None if value is None else _made(value, kind, targets)
    if typing.get_origin(kind) is tuple:
        kinds = typing.get_args(kind)
        kinds = kinds[:1] * len(value) if kinds[-1] is Ellipsis else kinds
        return tuple(_made(one, of, targets) for one, of in zip(value, kinds, strict=True))
    if isinstance(value, Mapping):
        of_fields = typing.get_type_hints(kind)
        return kind(**{name: _made(one, of_fields[name], targets) for name, one in value.items()})
    return value
