"""Options of a command line, as a target sees them: its own, and what becomes of the host compilers' in device code.

In: nothing. Out: types for the tables of targets. The driver makes rows of its table of options from the first kind,
and asks a target's tool chain about the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from rexcc.source.records import dataclass
from rexcc.target.commands import Arguments, Given


class Meaning(Enum):
    """What one of a target's own options does."""

    FOLDER = "names the folder of the tools"
    WORDS = "is for the compiler of device files"
    ARCHITECTURES = "names architectures"
    FAST_MATH = "lets device code compute approximately"
    IGNORED = "has no effect"


@dataclass(frozen=True)
class OwnOption:
    """An option of a target's tools.

    A spelling that ends in ``=`` is followed by the value, any other by the value as the next argument, but for one
    that ``is_flag``. ``value`` and ``help`` are for ``--help``, which lists options that have the latter; ``about`` is
    what ``--help=all`` says of others. Of an ignored option ``help`` is empty and ``reason`` says what ``-v`` tells.
    ``pattern`` finds the architectures in a value, ``form`` makes names of them.
    """

    spelling: str
    meaning: Meaning
    value: str = ""
    help: str = ""
    reason: str = ""
    pattern: str = ""
    form: str = "{}"
    is_flag: bool = False
    about: str = ""


@dataclass(frozen=True)
class Spelling:
    """What becomes of an option in device code.

    ``words`` are the compiler's for it, with ``{}`` for its value. An option with a ``note`` loses something: the user
    is told that, with ``{}`` for the option, until he takes it back by the opposite option, and its words are given
    once. It may be one that device code cannot be compiled with (``is_refused``).
    """

    words: Arguments = ()
    note: str = ""
    is_refused: bool = False


Spellings = Mapping[str, Spelling]


def translated(given: Iterable[Given], spellings: Spellings) -> Arguments:
    """Return a compiler's words for options that lose nothing, in their order."""
    found: list[str] = []
    for option in given:
        spelling = spellings.get(option.spelling)
        if spelling is not None and not spelling.note:
            found += [word.replace("{}", option.value) for word in spelling.words]
    return tuple(found)


def lost(given: Iterable[Given], spellings: Spellings) -> tuple[tuple[Spelling, str], ...]:
    """Return the options that lose something, as written, each with what becomes of it.

    An option counts until it is given again, or its opposite is.
    """
    found: list[tuple[Spelling, str]] = []
    for option in given:
        name = option.argument.partition("=")[0]
        taken_back = (name, _opposite(name))
        found = [entry for entry in found if entry[1].partition("=")[0] not in taken_back]
        spelling = spellings.get(option.spelling)
        if spelling is not None and spelling.note:
            found.append((spelling, option.argument))
    return tuple(found)


def words_of_lost(given: Iterable[Given], spellings: Spellings) -> Arguments:
    """Return a compiler's words for options that lose something, those of each kind once."""
    kinds = dict.fromkeys(spelling.words for spelling, _ in lost(given, spellings))
    return tuple(_flat(kinds))


def _flat(groups: Iterable[Arguments]) -> Iterator[str]:
    for words in groups:
        yield from words


def _opposite(name: str) -> str:
    return re.sub(r"^-([fm])(no-)?", lambda m: f"-{m[1]}" if m[2] else f"-{m[1]}no-", name)
