"""What the host's compiler prints of rewritten files, as if it had compiled the user's.

In: its text, and the user's files. Out: the text with the user's lines and columns. Lines keep their numbers in
rewritten files (``#line``), but a line may have more in it than the user wrote, which moves columns and which the
compiler shows. A warning about what he did not write is left out; an error about that is a defect of rexcc, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest

from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, replace

Read = Callable[[str], bytes | None]

_HEAD = regex(
    r"(?P<file><scratch space>|[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<kind>(?:fatal )?error|warning|note|remark): (?P<text>.*)"
)
_SHOWN = regex(r" *(?P<line>\d+) \| (?P<text>.*)")
_BELOW = regex(r" *\| (?P<text>.*)")
_AHEAD = regex(
    r"In file included from |                 from |\S.*: In (?:function|member|lambda|instantiation)|\S.*: At "
)
_COUNT = regex(r"(?:\d+ warnings?)?(?: and )?(?:\d+ errors?)? generated\.")
_GENERATED = regex(
    r"\b(?:__rex_|rex_|__tgt_|REX_|OUT__|_(?:num|threads_per)_block)|\b__(?:device_id|host_ptr|args?_\w+|args|kernel_args)\b"
)
_OWN_NAME = regex(r"'(?P<name>(?:__rex_|rex_|__tgt_|REX_|OUT__)\w*)'")
"""A name that generated code may have; the user may have such names, too."""
_PLACELESS = regex(r"(?P<message>(?:warning|remark): .*)")
_LOST = regex(r"note: could not determine the original source location for (?P<place>.+:\d+:\d+)")
"""What clang says of a place behind a ``#line`` of a file that it has not read, where its optimiser found something."""
_NAME = regex(r"\w+")
FIX = regex(
    r'fix-it:"(?P<file>[^"]+)":\{(?P<line>\d+):(?P<column>\d+)-(?P<end_line>\d+):(?P<end_column>\d+)\}:"(?P<text>.*)"'
)
"""A mending as compilers print it for programs (``-fdiagnostics-parseable-fixits``)."""
_LINE = regex(r'#line (?P<line>\d+) "(?P<file>[^"]+)"')
_NAMES = regex(r"'(\w+)'|‘(\w+)’")
_WORD = regex(r"\w+|\S")
_TAB = 8


@dataclass(frozen=True)
class _Message:
    """A message: lines in front of it that say where it is, its first line in parts, and what is shown of the text.

    gcc counts columns as they are displayed, clang counts bytes.
    """

    ahead: tuple[str, ...]
    file: str
    line: int
    column: int
    kind: str
    text: str
    shown: tuple[str, ...]
    is_displayed: bool = False

    def lines(self) -> tuple[str, ...]:
        head = f"{self.file}:{self.line}:{self.column}: {self.kind}: {self.text}"
        return (*self.ahead, head, *self.shown)


def as_users(text: str, read: Read, rewritten: Sequence[str] = ()) -> str:
    """Return what a compiler has printed with the user's lines; ``rewritten`` are the texts that it has compiled."""
    made = _made_lines(rewritten) if rewritten and _HEAD.search(text) else {}
    files: dict[str, list[str]] = {}

    def line_of(message: _Message) -> str | None:
        if message.file not in files:
            data = read(message.file)
            files[message.file] = data.decode("utf-8", "surrogateescape").splitlines() if data is not None else []
        lines = files[message.file]
        return lines[message.line - 1] if 0 < message.line <= len(lines) else None

    found: list[str] = []
    kept: list[str] = []
    is_dropped = False
    for part in _parts([_renumbered(line, rewritten) for line in _with_places(text.splitlines())]):
        if isinstance(part, str):
            if not _COUNT.fullmatch(part):
                found.append(part)
            continue
        is_note = part.kind == "note"
        message = None if is_note and is_dropped else _with_users_line(_as_made(part, made), line_of(part))
        if not is_note:
            is_dropped = message is None
        if message is not None:
            found += (
                part if message.column == part.column and part.shown[:1] == message.shown[:1] else message
            ).lines()
            kept.append(message.kind)
    if any(_COUNT.fullmatch(line) for line in text.splitlines()):
        found += _counted(kept)
    return "\n".join(found)


def _numbers(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield for each line of a rewritten file the user's file, his line, and the text."""
    file, line = "", 0
    for each in text.splitlines():
        yield file, line, each
        directive = _LINE.match(each)
        file, line = (directive["file"], int(directive["line"])) if directive is not None else (file, line + 1)


def _renumbered(printed: str, rewritten: Sequence[str]) -> str:
    """Return a line that is printed; one of a fix-it, for which clang counts its own lines, with the user's."""
    match = FIX.fullmatch(printed)
    if match is None:
        return printed
    for text in rewritten:
        numbers = list(_numbers(text))
        first, last = int(match["line"]), int(match["end_line"])
        if max(first, last) <= len(numbers) and numbers[first - 1][0] == match["file"]:
            start, end = numbers[first - 1][1], numbers[last - 1][1]
            return _fix(match, start, int(match["column"]), end, int(match["end_column"]))
    return printed


def _fix(match: re.Match[str], line: int, column: int, end_line: int, end_column: int) -> str:
    """Return a fix-it at another place."""
    return f'fix-it:"{match["file"]}":{{{line}:{column}-{end_line}:{end_column}}}:"{match["text"]}"'


def _with_places(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines; what clang tells without a place has the one that it gives in the note behind."""
    has_place = False
    for line, behind in zip_longest(lines, lines[1:], fillvalue=""):
        message, lost = _PLACELESS.fullmatch(line), _LOST.fullmatch(behind)
        if message is not None and lost is not None:
            yield f"{lost['place']}: {message['message']}"
        elif not has_place:
            yield line
        has_place = message is not None and lost is not None


def _parts(lines: Sequence[str]) -> Iterator[_Message | str]:
    """Yield messages, and lines that belong to none."""
    ahead: list[str] = []
    message: _Message | None = None
    for line in lines:
        head = _HEAD.fullmatch(line)
        is_part = _SHOWN.fullmatch(line) or _BELOW.fullmatch(line) or FIX.fullmatch(line)
        if message is not None and is_part and not ahead:
            message = replace(message, shown=(*message.shown, line))
            continue
        if message is not None:
            yield message
            message = None
        if head is not None:
            place = head["file"], int(head["line"]), int(head["column"])
            message = _Message(tuple(ahead), *place, head["kind"], head["text"], ())
            ahead.clear()
        elif _AHEAD.match(line):
            ahead.append(line)
        else:
            yield from (*ahead, line)
            ahead.clear()
    if message is not None:
        yield message
    yield from ahead


def _counted(kinds: Sequence[str]) -> list[str]:
    """Return how many warnings and errors there are, as clang says it."""
    numbers = ((kinds.count("warning"), "warning"), (sum(kind.endswith("error") for kind in kinds), "error"))
    words = [f"{number} {word}{'s' * (number > 1)}" for number, word in numbers if number]
    return [f"{' and '.join(words)} generated."] if words else []


def _with_users_line(message: _Message, users: str | None) -> _Message | None:
    """Return a message with the user's line; None for a warning or a note about what he did not write."""
    can_be_left_out = not message.kind.endswith("error")
    own = _OWN_NAME.search(message.text) if can_be_left_out else None
    if own is not None and own["name"] not in _NAME.findall(users or ""):
        return None
    shown = _SHOWN.fullmatch(message.shown[0]) if message.shown else None
    if users is None or shown is None or shown["text"] in (users, users.expandtabs(_TAB)):
        return message
    places = _places(shown["text"], users)
    at = places.get(_caret(message))
    if at is None:
        return None if can_be_left_out and _GENERATED.search(shown["text"]) else message
    displayed = {index: len(users[:place].expandtabs(_TAB)) for index, place in places.items()}
    moved = (_moved(line, displayed) if FIX.fullmatch(line) is None else _moved_fix(line, message, places)
             for line in message.shown[1:])  # fmt: skip
    below = tuple(line for line in moved if line is not None)
    first = f"{message.shown[0][: shown.start('text')]}{users.expandtabs(_TAB)}"
    front = users[:at].expandtabs(_TAB) if message.is_displayed else users[:at].encode("utf-8", "surrogateescape")
    column = len(front) + 1
    return replace(message, column=column, shown=(first, *below))


def _made_lines(texts: Sequence[str]) -> dict[tuple[str, int], list[str]]:
    """Return the lines of rewritten files by the user's file and line that they are known by."""
    found: dict[tuple[str, int], list[str]] = {}
    for file, line, text in (numbered for each in texts for numbered in _numbers(each)):
        if file:
            found.setdefault((file, line), []).append(text)
    return found


def _as_made(message: _Message, made: Mapping[tuple[str, int], list[str]]) -> _Message:
    """Return a message with the line that was compiled. gcc shows the user's, with the columns of the other one."""
    shown = _SHOWN.fullmatch(message.shown[0]) if message.shown else None
    lines = made.get((message.file, message.line), [])
    if shown is None or shown["text"].expandtabs(_TAB) in [line.expandtabs(_TAB) for line in lines]:
        return message
    names = {name for pair in _NAMES.findall(message.text) for name in pair}
    for line in lines:
        at = next((at for at in range(len(line)) if len(line[:at].expandtabs(_TAB)) == message.column - 1), len(line))
        word = _WORD.match(line, at)
        if word is not None and (word[0] in names or not names):
            first = f"{message.shown[0][: shown.start('text')]}{line.expandtabs(_TAB)}"
            margin = " " * (shown.start("text") - 2) + "| "
            below = f"{margin}{' ' * len(line[:at].expandtabs(_TAB))}^{'~' * (len(word[0]) - 1)}"
            return replace(message, shown=(first, below), is_displayed=True)
    return message


def _caret(message: _Message) -> int:
    """Return which character of the line that is shown has the caret."""
    below = (match["text"] for match in map(_BELOW.fullmatch, message.shown[1:]) if match is not None)
    return next((text.index("^") for text in below if "^" in text), message.column - 1)


def _places(shown: str, users: str) -> dict[int, int]:
    """Return which characters of a shown line are which of the user's, whatever blanks are between them.

    A line is the user's with something put into it, or a part of his, the rest of which is on other lines.
    """
    given, at_given = _squeezed(shown)
    wanted, at_wanted = _squeezed(users)
    found: dict[int, int] = {}
    part = given.strip()
    if part and wanted.count(part) == 1:
        moved = wanted.index(part) - given.index(part)
        found = {at: at + moved for at in range(given.index(part), len(given) + 1) if at + moved <= len(wanted)}
    else:
        front = _alike(given, wanted)
        behind = min(_alike(given[::-1], wanted[::-1]), len(wanted) - front, len(given) - front)
        found = {at: at for at in range(front)}
        if behind:
            more = len(given) - len(wanted)
            found |= {at: at - more for at in range(len(given) - behind, len(given) + 1)}
    return {at_given[at]: at_wanted[place] for at, place in found.items()}


def _squeezed(text: str) -> tuple[str, list[int]]:
    """Return a text with one blank for several, and where each of its characters was, and its end."""
    kept = [at for at, c in enumerate(text) if not (c in " \t" and at and text[at - 1] in " \t")]
    return "".join(" " if text[at] == "\t" else text[at] for at in kept), [*kept, len(text)]


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _moved_fix(line: str, message: _Message, places: dict[int, int]) -> str | None:
    """Return a fix-it of the line that is shown at the user's columns; None where he did not write what it is for."""
    match = FIX.fullmatch(line)
    if match is None or {int(match["line"]), int(match["end_line"])} != {message.line}:
        return None
    start, end = (places.get(int(match[name]) - 1) for name in ("column", "end_column"))
    if start is None or end is None:
        return None
    return _fix(match, message.line, start + 1, message.line, end + 1)


def _moved(line: str, places: dict[int, int]) -> str:
    """Return what stands below a line with each of its characters below the user's."""
    match = _BELOW.fullmatch(line)
    if match is None:
        return line
    found: dict[int, str] = {}
    last = 0
    for at, character in enumerate(match["text"]):
        if at in places:
            last = places[at] - at
        if character != " ":
            found[at + last] = character
    text = "".join(found.get(at, " ") for at in range(max(found, default=-1) + 1))
    return f"{line[: match.start('text')]}{text}".rstrip()
