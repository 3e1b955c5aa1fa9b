"""What each name means to the preprocessor at every place of a translation unit.

In: the user's files with their directives, and what the preprocessor left out. Out: :class:`MacroStates`, which answers
for a place which of the user's macros are defined there, in the order in which the preprocessor met the directives:
definitions, undefinitions, and the values that ``push_macro`` and ``pop_macro`` keep and bring back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rexcc.frontend.files import UserFiles
from rexcc.frontend.scan import MacroChange
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

State = Mapping[str, str | None]
"""The names that directives of the user's have changed: the text of the definition, None where there is none."""

TOKEN = regex(
    r"//(?:\\\r?\n|[^\n])*|/\*[\s\S]*?\*/"
    r"|\b(?:L|u8|u|U)?R\"(?P<delimiter>[^()\\\s]{0,16})\([\s\S]*?\)(?P=delimiter)\""
    r"|\"(?:\\[\s\S]|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\[\s\S]|[^'\\\n])+'"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|['.\w])*)|(?P<word>(?!\d)[\w$]+)|(?P<paste>\#\#|%:%:)"
)
_DEPTH = 200


@dataclass(frozen=True)
class Use:
    """A range of a user's file whose text stands in the device file."""

    path: str
    start: int
    end: int


def _whole_lines(definition: str) -> str:
    """Return a macro's definition without the empty lines that it is continued in, so that any text may follow it."""
    text = definition.rstrip()
    while text.endswith("\\"):
        text = text[:-1].rstrip()
    return text


def words(text: str) -> set[str]:
    """Return the identifiers of a text; comments and literals have none."""
    return {m["word"] for m in TOKEN.finditer(text) if m["word"]}


class MacroStates:
    """Answers which macros are defined at a place; a file that is read several times counts as read the first time.

    ``undefined`` are the names that some directive undefines, ``kept`` those whose meaning one keeps, ``alone`` the
    places of the only directives that change a name.
    """

    def __init__(self, files: UserFiles, unit: ParsedUnit) -> None:
        self._files = files
        self._unit = unit
        self._changes: list[tuple[str, MacroChange]] = []
        self._order: dict[str, tuple[list[int], list[int]]] = {}
        self._states: dict[int, dict[str, str | None]] = {}
        self._again = _read_again(unit)
        for name in (*files.forced, files.main):
            self._read(name, 0)
        self.undefined = frozenset(c.name for _, c in self._changes if c.kind == "undef")
        self.kept = frozenset(c.name for _, c in self._changes if c.kind == "push")
        times = Counter(c.name for _, c in self._changes)
        self.alone = {c.name: (path, c.start) for path, c in self._changes if times[c.name] == 1}

    def _read(self, path: str, depth: int) -> None:
        """Note the changes of a file and of those that it includes, in the order of the preprocessor."""
        if depth > _DEPTH or path not in self._files.scans:
            return
        first = path not in self._order
        offsets, numbers = self._order.setdefault(path, ([], []))
        scan, skipped = self._files.scans[path], self._unit.skipped.get(path, [])
        included = {line.start: target for line, target in self._files.included[path]}
        changes = {change.start: change for change in scan.changes}
        for start in sorted({*included, *changes}):
            if any(low <= start < high for low, high in skipped):
                continue
            if first:
                offsets.append(start)
                numbers.append(len(self._changes))
            target = included.get(start)
            if start in changes:
                self._changes.append((path, changes[start]))
            elif target is not None and (target not in self._order or target in self._again):
                self._read(target, depth + 1)
        if first:
            offsets.append(1 << 60)
            numbers.append(len(self._changes))

    def at(self, path: str, offset: int) -> State:
        """Return what names mean at a place of a user's file."""
        if path not in self._order:
            return {}
        offsets, numbers = self._order[path]
        number = numbers[bisect_left(offsets, offset)]
        if number not in self._states:
            self._states[number] = self._replayed(number)
        return self._states[number]

    def _replayed(self, number: int) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        kept: dict[str, list[tuple[bool, str | None]]] = {}
        for path, change in self._changes[:number]:
            name = change.name
            if change.kind == "define":
                found[name] = _whole_lines(self._files.source(path).text[change.start : change.end])
            elif change.kind == "undef":
                found[name] = None
            elif change.kind == "push":
                kept.setdefault(name, []).append((name in found, found.get(name)))
            elif kept.get(name):
                known, text = kept[name].pop()
                found[name] = text
                if not known:
                    del found[name]
        return found

    def used(self, uses: Iterable[Use]) -> tuple[dict[str, str | None], frozenset[str]]:
        """Return what the names in ranges mean where the first of them begins, as far as the user has changed them, and
        all these names; with those in the macros' own texts."""
        ranges = list(uses)
        state = self.at(ranges[0].path, ranges[0].start) if ranges else {}
        seen: set[str] = set()
        waiting = {word for use in ranges for word in self._words(use)}
        pasted = False
        while waiting:
            name = waiting.pop()
            seen.add(name)
            text = state.get(name)
            if text is not None:
                pasted = pasted or "##" in text or "%:%:" in text
                waiting |= words(text) - seen
            if pasted and not waiting:  # a pasted name begins with one of these
                waiting = {n for n in state if n not in seen and any(map(n.startswith, seen))}
        return {name: text for name, text in state.items() if name in seen}, frozenset(seen)

    def changed(self, uses: Iterable[Use]) -> Iterator[str]:
        """Yield the names whose meaning directives in ranges change, which may have gone with what is left out."""
        for use in uses:
            skipped = self._unit.skipped.get(use.path, [])
            for change in self._files.scans[use.path].changes:
                at = change.start
                if use.start <= at < use.end and not any(low <= at < high for low, high in skipped):
                    yield change.name

    def _words(self, use: Use) -> set[str]:
        """Return the identifiers in a range, without those that the preprocessor left out."""
        text, at, found = self._files.source(use.path).text, use.start, set[str]()
        for low, high in sorted(self._unit.skipped.get(use.path, [])):
            if at < high and low < use.end:
                found |= words(text[at : max(low, at)])
                at = max(at, high)
        return found | words(text[at : use.end])


def _read_again(unit: ParsedUnit) -> frozenset[str]:
    """Return the files that the preprocessor has read more than once: a definition in them was met again."""
    seen: set[tuple[str, int]] = set()
    found: set[str] = set()
    for node in unit.declarations:
        if node.kind in ("MACRO_DEFINITION", "MACRO_INSTANTIATION") and node.file in unit.files:
            if (node.file, node.start) in seen:
                found.add(node.file)
            seen.add((node.file, node.start))
    return frozenset(found)
