"""Directives between the pieces of a device file, so that each piece is preprocessed as the user's text was.

In: pieces in their order, and the states of macros. Out: the pieces, with the definitions in front that each needs: a
name means there what it meant at the piece's place in the unit, whatever pieces before it have left behind.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rexcc.codegen.places.macro_states import MacroStates, words
from rexcc.codegen.places.unit_order import Key, Places
from rexcc.codegen.slice.pieces import Piece
from rexcc.source.records import replace

_CHANGED = "changed in a piece"
"""Stands for the text of a definition that is not known: it may be there, or not."""


class Replay:
    """Follows what the user's names mean in the device file; others mean what the headers in front say."""

    def __init__(self, states: MacroStates, places: Places) -> None:
        self._states = states
        self._places = places
        self._now: dict[str, str | None] = {}
        self._kept: set[str] = set()
        self._words: list[set[str]] = []

    def pieces(self, found: Sequence[Piece]) -> list[Piece]:
        """Return the pieces, each behind the directives that it needs.

        A macro that is defined once stands where the user has put it, others where they are needed.
        """
        keys = [p.key for p in found]
        self._words = [words(p.text) for p in found]
        placed: list[Piece] = []
        made: list[Piece] = []
        for number, piece in enumerate(found):
            lines: list[str] = []
            for name, line in self._directives(number, piece):
                key = self._own_place(name, keys, number)
                placed += [Piece(key, f"{line}\n")] if key is not None else []
                lines += [f"{line}\n"] if key is None else []
            made.append(replace(piece, text="".join(lines) + piece.text) if lines else piece)
        return sorted([*placed, *made], key=lambda p: p.key)

    def _directives(self, number: int, piece: Piece) -> list[tuple[str, str]]:
        """Return the names that have to change in front of a piece, with the directives that do it."""
        wanted, seen = self._states.used(piece.uses)
        leaving = [n for n in self._now if n not in wanted and (n in seen or n in self._words[number])]
        lines = [(name, line) for name in leaving for line in self._leave(name)]
        lines += [(name, line) for name, text in wanted.items() for line in self._set(name, text)]
        self._now.update(dict.fromkeys(self._states.changed(piece.uses), _CHANGED))
        return lines

    def _own_place(self, name: str, keys: list[Key], number: int) -> Key | None:
        """Return the key of a macro's only definition, where no piece between it and the one that needs it has the
        name for something else."""
        if name not in self._states.alone or name not in self._now:
            return None
        key = self._places.key(*self._states.alone[name])
        first = bisect_left(keys, key)
        if first > number or any(name in self._words[n] for n in range(first, number)):
            return None
        return key

    def _leave(self, name: str) -> list[str]:
        """Return what makes a name mean again what the headers say."""
        text = self._now.pop(name)
        if name in self._kept:
            self._kept.remove(name)
            return [f'#pragma pop_macro("{name}")']
        return [f"#undef {name}"] if text is not None else []

    def _set(self, name: str, text: str | None) -> list[str]:
        """Return what gives a name a definition, or takes it away."""
        known = name in self._now
        if known and self._now[name] == text:
            return []
        lines: list[str] = []
        if not known and name in self._states.kept:
            self._kept.add(name)
            lines.append(f'#pragma push_macro("{name}")')
        if self._now.get(name) is not None or (not known and name in self._states.undefined):
            lines.append(f"#undef {name}")
        self._now[name] = text
        return lines if text is None else [*lines, text]
