"""Which kernel of a unit an entry of ``--tuned=FILE`` is for.

In: a unit with the entries for its architecture. Out: the key of each target construct, its choice, and whether an
entry is of an earlier text. An entry is found by file, function and the text of the construct, wherever that has moved
to; where a function has the same text twice, the number of the directive tells them apart. Constructs in templates have
one key for all instantiations, because one text launches all of their kernels.
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath

from rexcc.analysis.device_constructs import all_constructs, is_kernel
from rexcc.program.constructs import Construct
from rexcc.program.optimisations import Optimisation
from rexcc.program.tuned import USUAL, Choice, Entry, KernelKey
from rexcc.program.unit import ParsedUnit
from rexcc.source.digests import sha256

_DIGITS = 16
_Place = tuple[str, int]


def key_of(unit: ParsedUnit, construct: Construct) -> KernelKey:
    """Return the key of a target construct."""
    return unit.kept(_keys)[_place(construct)]


def choice_of(unit: ParsedUnit, construct: Construct) -> Choice:
    """Return what is chosen for the target construct that a construct is, or stands in."""
    entry = _entry_of(unit, construct) if unit.tuned else None
    return entry.choice if entry is not None else USUAL


def left_out_of(unit: ParsedUnit, construct: Construct) -> frozenset[Optimisation]:
    """Return the optimisations that a construct's kernel does without."""
    return unit.left_out | choice_of(unit, construct).left_out


def stale_entry(unit: ParsedUnit, construct: Construct) -> Entry | None:
    """Return the entry for an earlier text of a target construct that has none for its own."""
    if not unit.tuned or _entry_of(unit, construct) is not None:
        return None
    keys, own = unit.kept(_keys), key_of(unit, construct)
    texts = {key.text for key in keys.values() if (key.file, key.function) == (own.file, own.function)}
    place = (own.file, own.function, own.directive)
    former = (e for e in unit.tuned if (e.key.file, e.key.function, e.key.directive) == place)
    return next((entry for entry in former if entry.key.text not in texts), None)


def _entry_of(unit: ParsedUnit, construct: Construct) -> Entry | None:
    top = next((one for one in (construct, *construct.around()) if is_kernel(one)), None)
    if top is None:
        return None
    keys, own = unit.kept(_keys), key_of(unit, top)
    alike = [e for e in unit.tuned if (e.key.file, e.key.function, e.key.text) == (own.file, own.function, own.text)]
    exact = next((entry for entry in alike if entry.key.directive == own.directive), None)
    same_text = Counter((key.file, key.function, key.text) for key in keys.values())
    is_only = same_text[own.file, own.function, own.text] == 1 and len(alike) == 1
    return exact or (alike[0] if is_only else None)


def _place(construct: Construct) -> _Place:
    site = construct.probe.site
    return site.source.path, site.start


def _keys(unit: ParsedUnit) -> dict[_Place, KernelKey]:
    """Return the keys of all target constructs, by the places of their directives."""
    found = {_place(one): one for one in all_constructs(unit) if is_kernel(one)}
    counts: Counter[tuple[str, str]] = Counter()
    keys: dict[_Place, KernelKey] = {}
    for place, construct in sorted(found.items(), key=lambda item: item[0]):
        site = construct.probe.site
        name = PurePath(site.source.users_path(site.start)).name
        function = str(construct.function.cursor.spelling) or "lambda"
        counts[name, function] += 1
        keys[place] = KernelKey(name, function, counts[name, function], _hash(unit, construct))
    return keys


def _hash(unit: ParsedUnit, construct: Construct) -> str:
    """Return a hash of a construct's text, of which the spaces do not count."""
    assert construct.body is not None
    text = f"{construct.probe.site.original} {unit.user_text(construct.body)}"
    words = " ".join(text.split()).encode("latin-1", "surrogateescape")
    return sha256(words).hexdigest()[:_DIGITS]
