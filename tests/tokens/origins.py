"""Which token of the user's files each token of a generated file is a copy of.

In: the trace of a translation and a generated text with its marks. Out: :class:`Origins`: by the number of a token, the
user's token, or the use of a macro that the compiler has expanded; nothing for what an edit has put there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from rexcc.source.text import SourceText
from tokens.lexing import Lexed, lexed
from tokens.tracing import Copy, Mark, Trace

_BROUGHT = frozenset({"__device__", "unsigned", "signed", "long", "short"})
_DROPPED = frozenset({"enum", "static", "extern", "inline"})
"""An enumeration has the name of its type, and a variable of the device no linkage of its own."""
_WORD = re.compile(r"[^\W\d]\w*$")
Key = tuple[str, int, int]
"""A token of a user's file by its number, twice, or the range of a macro's use: its first token and the one behind."""


@dataclass
class Origins:
    """``keys`` are the origins by the number of a generated token; ``renamed`` those whose characters have changed.

    ``lost`` are copies of which not all tokens were found again.
    """

    text: Lexed
    keys: dict[int, Key] = field(default_factory=dict)
    renamed: dict[int, str] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    @cached_property
    def in_directives(self) -> frozenset[int]:
        """The tokens that stand in lines of the preprocessor."""
        found, lines, number = set[int](), self.text.text, 0
        tokens = self.text.tokens
        while number < len(tokens):
            start = tokens[number].start
            before = lines[lines.rfind("\n", 0, start) + 1 : start]
            if tokens[number].text not in ("#", "%:") or before.strip():
                number += 1
                continue
            end = start
            while True:
                end = lines.find("\n", end + 1)
                if end < 0 or lines[:end].rstrip("\r")[-1:] != "\\":
                    break
            while number < len(tokens) and (end < 0 or tokens[number].start < end):
                found.add(number)
                number += 1
        return frozenset(found)

    @cached_property
    def alignments(self) -> frozenset[int]:
        """The tokens of ``_Alignof(…)`` and ``_Alignas(…)``, which are macros in device code."""
        found = set[int]()
        for number, token in enumerate(self.text.tokens):
            if token.text not in ("_Alignof", "_Alignas"):
                continue
            depth = 0
            for behind in range(number + 1, len(self.text.tokens)):
                depth += {"(": 1, ")": -1}.get(self.text.tokens[behind].text, 0)
                if depth == 0:
                    found.update(range(number, behind + 1))
                    break
        return frozenset(found)

    @cached_property
    def switched_off(self) -> frozenset[int]:
        """The tokens between conditions that edits have put around the user's text."""
        found, depth, since = set[int](), 0, -1
        tokens = self.text.tokens
        for number in sorted(self.in_directives):
            if tokens[number].text != "#" or number + 1 >= len(tokens):
                continue
            kind = tokens[number + 1].text
            if kind in ("if", "ifdef", "ifndef"):
                depth += 1
                if number not in self.keys and since < 0:
                    since, depth = number, 1
            elif kind == "endif":
                depth -= 1
                if since >= 0 and depth == 0:
                    found.update(range(since, number))
                    since = -1
        return frozenset(found)


class Users:
    """The user's files, as they lie there and as the compiler reads them."""

    def __init__(self, trace: Trace, sources: dict[str, SourceText], files: dict[str, bytes]) -> None:
        self._trace = trace
        self._sources = {id(s.text): s for s in sources.values()}
        self.same: dict[str, str] = {}
        """The one path of a file that is included by several."""
        self.files = {path: lexed(_as_read(data)) for path, data in files.items()}
        self._texts: dict[int, tuple[str, Lexed]] = {}

    def lexed(self, text: str) -> Lexed:
        """Return the tokens of a text that edits were applied to."""
        if id(text) not in self._texts:
            self._texts[id(text)] = (text, lexed(text))
        return self._texts[id(text)][1]

    def origin(self, text: str, number: int) -> Key | None:
        """Return where a token of such a text comes from; None for what a stage has made."""
        source = self._sources.get(id(text))
        if source is None:
            raise KeyError("edits were applied to a text that is not the user's")
        return self._followed(source, self.lexed(text).tokens[number].start)

    def _followed(self, source: SourceText, offset: int) -> Key | None:
        if id(source) in self._trace.rewritten:
            _, old, pieces = self._trace.rewritten[id(source)]
            at = 0
            for piece in pieces:
                if at <= offset < at + len(piece.text):
                    return self._followed(old, piece.original + offset - at) if piece.is_users else None
                at += len(piece.text)
            return None
        piece = source.piece_at(offset)
        if piece is None:
            return self._own(source, offset, None)
        if piece.is_copy:
            return self._followed(piece.place.source, piece.place.start + offset - piece.start)
        first, behind = piece.place.start, piece.place.end
        start = self._followed(piece.place.source, first)
        if start is None or start[1] != start[2]:
            return start
        root = _root(piece.place.source, behind - 1)
        return None if root is None else (start[0], start[1], self._number(root[0], root[1] + 1))

    def _own(self, source: SourceText, offset: int, end: int | None) -> Key:
        number = self._number(source, offset)
        return (self.same.get(source.path, source.path), number, number)

    def _number(self, source: SourceText, offset: int) -> int:
        return self.lexed(source.text).first_from(offset)


def _root(source: SourceText, offset: int) -> tuple[SourceText, int] | None:
    """Return the user's file and the offset there."""
    while True:
        piece = source.piece_at(offset)
        if piece is None:
            return source, offset
        delta = offset - piece.start if piece.is_copy else piece.place.end - piece.place.start - 1
        source, offset = piece.place.source, piece.place.start + delta


def _as_read(data: bytes) -> str:
    """Return a file's characters, one for each byte, without the mark of its encoding."""
    return (b"   " + data[3:] if data.startswith(b"\xef\xbb\xbf") else data).decode("latin-1")


def origins(users: Users, text: str, marks: list[Mark]) -> Origins:
    """Find the origins of a generated text's tokens."""
    found = Origins(lexed(text))
    by_copy: dict[int, list[Mark]] = defaultdict(list)
    open_marks: dict[int, Mark] = {}
    for mark in marks:
        if mark.kind == "start":
            open_marks[id(mark.copy)] = mark
        elif mark.kind == "end" and id(mark.copy) in open_marks:
            start = open_marks.pop(id(mark.copy))
            _between(users, found, mark.copy, start.at, mark.at)
        else:
            by_copy[id(mark.copy)].append(mark)
    for mark in open_marks.values():
        _forwards(users, found, mark.copy, mark.at, mark.offset)
    for several in by_copy.values():
        for mark in several:
            _backwards(users, found, mark.copy, mark.at, mark.offset)
            if mark.kind == "inside":
                _forwards(users, found, mark.copy, mark.at, mark.offset)
    return found


def _numbers(text: Lexed, start: int, end: int) -> range:
    return range(text.first_from(start), text.first_from(end))


def _between(users: Users, found: Origins, copy: Copy, start: int, end: int) -> None:
    wanted = _numbers(users.lexed(copy.text), copy.start, copy.end)
    _run(users, found, copy, list(wanted), list(_numbers(found.text, start, end)))


def _forwards(users: Users, found: Origins, copy: Copy, at: int, offset: int) -> None:
    wanted = list(_numbers(users.lexed(copy.text), offset, copy.end))
    first = found.text.first_from(at)
    _run(users, found, copy, wanted, list(range(first, min(first + 2 * len(wanted), len(found.text.tokens)))))


def _backwards(users: Users, found: Origins, copy: Copy, at: int, offset: int) -> None:
    wanted = list(reversed(_numbers(users.lexed(copy.text), copy.start, offset)))
    first = found.text.first_from(at) - 1
    _run(users, found, copy, wanted, list(range(first, max(first - 2 * len(wanted), -1), -1)))


def _run(users: Users, found: Origins, copy: Copy, wanted: list[int], there: list[int]) -> None:
    """Pair tokens, up to where they differ; what the compiler cuts off at the ends is brackets and semicolons.

    A name may have become another one, and ``enum colour`` the name of its type.
    """
    base = users.lexed(copy.text)
    at = 0
    for position, origin in enumerate(wanted):
        word = base.tokens[origin].text
        its = found.text.tokens[there[at]].text if at < len(there) else ""
        behind = at
        while its != word and its in _BROUGHT and behind + 1 < len(there):
            behind += 1  # a qualifier, or one of several words of a type
            its = found.text.tokens[there[behind]].text
        if word in _DROPPED and its != word:
            continue
        at = behind
        if its != word and not (_WORD.match(its) and _WORD.match(word)):
            left = [base.tokens[n].text for n in wanted[position:]]
            if set(left) - set("{};"):
                found.lost.append(" ".join(left)[:60])
            return
        _pair(users, found, there[at], copy, origin)
        at += 1


def _pair(users: Users, found: Origins, number: int, copy: Copy, origin: int) -> None:
    key = users.origin(copy.text, origin)
    if key is None:
        return
    found.keys[number] = key
    if found.text.tokens[number].text != users.lexed(copy.text).tokens[origin].text:
        found.renamed[number] = users.lexed(copy.text).tokens[origin].text
