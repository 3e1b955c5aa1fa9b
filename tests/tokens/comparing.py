"""The comparison: what the preprocessor makes of each copied token, in the user's file and in the generated one.

In: the streams of both and the origins. Out: :class:`Difference` values, each with both places and both tokens.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rexcc.transformation.device_words import other_name
from tokens.lexing import Lexed
from tokens.origins import Key, Origins, Users
from tokens.streams import Expanded, Place, Stream

_BY_EDIT = "\0edit"
_FUNCTION_NAMES = frozenset({"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"})
_DIALECT = {
    "restrict": "__restrict__", "register": "", "typeof": "__typeof__", "_Bool": "bool", "__null": "NULL",
    "_Static_assert": "static_assert", "_Alignas": "alignas", "_Alignof": "alignof", "_Thread_local": "thread_local",
    "true": "1", "false": "0", "complex": "_Complex",
}  # fmt: skip
"""C's words as kernels, which are C++, have them (``rex_nvidia.h``); in C ``NULL`` is a cast
and ``true`` a number."""
_DIGRAPHS = {"<%": "{", "%>": "}", "<:": "[", ":>": "]", "%:": "#", "%:%:": "##"}
_COMPLEX = frozenset({"I", "_Complex_I", "complex", "_Complex"})
"""What a class of ours stands for in device code made from C."""
_UNIVERSAL = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


@dataclass(frozen=True)
class Difference:
    """A place in the user's file and one in a generated file, and what the compiler reads at each."""

    users: str
    generated: str
    token: str
    wanted: tuple[str, ...]
    found: tuple[str, ...]

    def __str__(self) -> str:
        here = f"{self.users}: '{self.token}' is {_shown(self.wanted)}"
        return f"{here}\n    {self.generated}: {_shown(self.found)}"


def _shown(tokens: tuple[str, ...]) -> str:
    return f"«{' '.join(tokens)}»" if tokens else "nothing"


@dataclass
class Sides:
    """What was read: the user's files by path, as clang spells them, and the generated ones."""

    users: Users
    generated: Mapping[str, Origins]
    paths: Mapping[str, str]
    """The absolute path of each user's file to its path in the compiler."""
    on_device: bool = False
    from_c: bool = False
    """Whether the generated files are C++ and the user's are C."""
    spelling: dict[str, str] = field(default_factory=dict)
    """What the compiler calls names that device code cannot have."""


def compared(sides: Sides, original: Stream, generated: Stream) -> Iterator[Difference]:
    """Yield the differences."""
    for origins in sides.generated.values():
        for number, word in origins.renamed.items():
            sides.spelling[word] = origins.text.tokens[number].text
    kept = {key for origins in sides.generated.values() for key in origins.keys.values()}
    passes = _of_users(sides, original, kept)
    found = _of_generated(sides, generated)
    copies: dict[Key, list[tuple[str, int]]] = defaultdict(list)
    for path, origins in sides.generated.items():
        for number, key in sorted(origins.keys.items()):
            copies[key].append((path, number))
    for key, places in copies.items():
        yield from _difference(sides, key, places, passes, found)


def _is_listed(origins: Origins, number: int, found: Mapping[int, list[str]], on_device: bool) -> bool:
    """Whether an edit has given a name another spelling or meaning, or switched it off."""
    if number in origins.renamed:
        return True
    if on_device and number in origins.alignments:
        return True
    return not on_device and (number in origins.switched_off or _BY_EDIT in found.get(number, ()))


Passes = Mapping[str, dict[int, list[tuple[int, str]]]]


def _difference(
    sides: Sides, key: Key, places: list[tuple[str, int]], passes: Passes,
    found: Mapping[str, dict[int, list[str]]],
) -> Iterator[Difference]:  # fmt: skip
    if sides.from_c and sides.users.files[key[0]].tokens[key[1]].text in _COMPLEX:
        return
    if any(_is_listed(sides.generated[p], n, found[p], sides.on_device) for p, n in places):
        return
    path, first, behind = key
    is_use = first != behind
    by_pass: dict[int, list[str]] = defaultdict(list)
    for number in range(first, behind if is_use else first + 1):
        for turn, text in passes[path].get(number, ()):
            by_pass[turn].append(text)
    whole = [text for turn in sorted(by_pass) for text in by_pass[turn]]
    each = [found[p].get(n, []) for p, n in places]
    joined = [text for one in each for text in one]
    if is_use:
        each = [joined]
    if _same(sides, joined, whole) or (is_use and _is_part(sides, joined, whole)):
        return
    known = list(by_pass.values()) or [[]]
    for (where, number), one in zip(places, each, strict=is_use is False):
        if any(_same(sides, one, wanted) for wanted in (*known, whole)):
            continue
        text = sides.users.files[path]
        line, column = text.place(first)
        its_line, its_column = sides.generated[where].text.place(number)
        wanted = known[0] if sides.on_device else whole
        yield Difference(
            f"{path}:{line}:{column}", f"{where}:{its_line}:{its_column}", text.tokens[first].text,
            tuple(wanted), tuple(one),
        )  # fmt: skip


def _same(sides: Sides, found: list[str], wanted: list[str]) -> bool:
    if found == wanted:
        return True
    left, right = _in_one_dialect(sides, found), _in_one_dialect(sides, wanted)
    return len(left) == len(right) and all(_is_same(a, b) for a, b in zip(left, right, strict=True))


def _is_same(found: str, wanted: str) -> bool:
    """Whether a token is what it should be; the name of a function is a string in a kernel.

    Names that headers of kernels have become others, in macros too (``transformation/device_words``).
    """
    return found in (wanted, other_name(wanted)) or (wanted in _FUNCTION_NAMES and found.startswith('"'))


def _in_one_dialect(sides: Sides, tokens: Sequence[str]) -> list[str]:
    """Return tokens as device code has them, and names without escapes."""
    plain = [_escaped(sides.spelling.get(text, text)) for text in tokens]
    if sides.from_c:
        text = "\0".join(plain).replace("\0".join("((void*)0)".replace("void", "@")).replace("@", "void"), "NULL")
        plain = [_DIALECT.get(text, text) for text in text.split("\0")] if plain else []
    return [text for text in plain if text]


def _escaped(text: str) -> str:
    """Return a name with the characters for which universal character names stand, and what a digraph stands for."""
    if text in _DIGRAPHS:
        return _DIGRAPHS[text]
    if text[:1] in "\"'" or "\\" not in text:
        return text
    return _UNIVERSAL.sub(lambda m: chr(int(m[1] or m[2], 16)).encode().decode("latin-1"), text)


def _is_part(sides: Sides, found: list[str], wanted: list[str]) -> bool:
    """Whether tokens are all of a use's but for those that edits have replaced."""
    rest = iter(sides.spelling.get(text, text) for text in wanted)
    return bool(found) and all(any(_is_same(sides.spelling.get(text, text), one) for one in rest) for text in found)


def _of_users(sides: Sides, stream: Stream, kept: set[Key]) -> Passes:
    """Return what each token of the user's files becomes, each time that the file is read."""
    single = {key[:2] for key in kept if key[1] == key[2]}
    ranges: dict[str, list[Key]] = defaultdict(list)
    for key in kept:
        if key[1] != key[2]:
            ranges[key[0]].append(key)
    whole = {path: Origins(text).in_directives for path, text in sides.users.files.items()}
    result: dict[str, dict[int, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
    turns: dict[str, tuple[int, tuple[int, int]]] = {}
    for token in stream.tokens:
        path = sides.paths[token.place.path]
        turn, last = turns.get(path, (0, (0, 0)))
        here = (token.place.line, token.place.column)
        turn += here < last
        turns[path] = (turn, here)
        if token.spelt is not None and token.spelt.path in sides.paths:
            its = sides.paths[token.spelt.path]
            number = _number(sides.users.files[its], token.spelt)
            in_use = any(first <= number < behind for _, first, behind in ranges.get(its, ()))
            if (its, number) not in single and not in_use and number not in whole[its]:
                continue  # an edit has replaced it, in a macro's argument
        result[path][_number(sides.users.files[path], token.place)].append((turn, token.text))
    return result


def _of_generated(sides: Sides, stream: Stream) -> dict[str, dict[int, list[str]]]:
    result: dict[str, dict[int, list[str]]] = {path: defaultdict(list) for path in sides.generated}
    for token in stream.tokens:
        path = token.place.path
        if path not in sides.generated:
            continue
        number = _number(sides.generated[path].text, token.place)
        if number not in sides.generated[path].keys or _is_edit(sides, token):
            continue
        result[path][number].append(_BY_EDIT if _is_defined_by_edit(sides, token) else token.text)
    return result


def _is_defined_by_edit(sides: Sides, token: Expanded) -> bool:
    """Whether the text of a macro that an edit defines has a token; device code has all definitions that way."""
    if sides.on_device or token.spelt is None or token.spelt.path not in sides.generated:
        return False
    return _number(sides.generated[token.spelt.path].text, token.spelt) not in sides.generated[token.spelt.path].keys


def _is_edit(sides: Sides, token: Expanded) -> bool:
    """Whether an edit in a macro's argument has brought a token."""
    if token.spelt is None or token.spelt.path not in sides.generated:
        return False
    origins = sides.generated[token.spelt.path]
    number = _number(origins.text, token.spelt)
    return number not in origins.keys and number not in origins.in_directives


class LexersDisagreeError(Exception):
    """clang sees a token where this check sees none."""


def _number(text: Lexed, place: Place) -> int:
    number = text.number_at(place.line, place.column)
    if number is None:
        raise LexersDisagreeError(f"{place.path}:{place.line}:{place.column}")
    return number
