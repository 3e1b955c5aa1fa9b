"""The macros that the user's files define, by name.

In: the scanned files and the macros of the command line. Out: :class:`MacroTable`: which names may be macros somewhere,
which of them may change the structure of the text (braces, statements, directives, ``main``), which make strings of
their arguments or join tokens, which depend on the text around them. What a use expands to is not decided here: the
preprocessor says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from rexcc.frontend.scan import OPENING, FileScan, MacroDefinition
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import Span

WORD = regex(r"(?!\d)[\w$]+")
_LITERAL = regex(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'")
_STRUCTURE = regex(rf"_Pragma\b|{OPENING}|[{{}};]|\b(?:for|main)\b|<%|%>")
_VALUES = regex(r"(?!.*/[/*])[\w(*&!~.+-](?:[-+*/%<>=&|^!~.()\[\]\w \t]*[\w).\]])?")
_TEXT = regex(r"\"[\w .]*\"")
_NUMBER = regex(rf"\d(?:[eEpP][+-]|[\w.])*|(?P<word>{WORD.pattern})")
_JOINS = regex(r"#")
_LAST = regex(r"[^\W\d]\w*$")
OF_LIBRARY = frozenset({"assert"})
"""The macros of the C library that make strings of their arguments."""
COUNTED = frozenset({"__COUNTER__", "__INCLUDE_LEVEL__", "__STDC_VERSION__", "__STRICT_ANSI__", "__TIMESTAMP__"})
"""The preprocessor's own whose value is another one where other text stands around them, or in generated C++."""
_COMMAND_LINE = regex(r"(?P<name>[^\W\d]\w*)(?P<parameters>\([^)]*\))?(?:=(?P<body>[\s\S]*))?")


@dataclass(frozen=True)
class MacroTable:
    """``bodies`` are the definitions of each name; ``places`` where they stand."""

    bodies: Mapping[str, tuple[MacroDefinition, ...]]
    places: Mapping[str, tuple[Span, ...]]

    @cached_property
    def structural(self) -> frozenset[str]:
        """The names that can expand to more than a part of an expression."""
        return self.users({n for n, found in self.bodies.items() if any(_is_structural(m) for m in found)})

    @cached_property
    def values(self) -> frozenset[str]:
        """The names without parameters that expand to a value or a variable, whichever of their definitions counts;
        words for which the user has no macros stand for themselves."""
        needs = {
            name: {word for macro in found for word in _needed_values(macro) if word in self.bodies}
            for name, found in self.bodies.items()
        }
        known: set[str] = set()
        while more := {name for name, words in needs.items() if words <= known} - known:
            known |= more
        return frozenset(known)

    @cached_property
    def only_calls(self) -> frozenset[str]:
        """The names that are no macros without arguments behind them."""
        return frozenset(n for n, found in self.bodies.items() if all(m.parameters is not None for m in found))

    @cached_property
    def joining(self) -> frozenset[str]:
        """The names that make strings or names of their arguments."""
        return self.users({n for n, found in self.bodies.items() if any(_joins(m) for m in found)})

    @cached_property
    def callable(self) -> frozenset[str]:
        """The names that may take arguments: those of macros with parameters, and those that end in one."""
        found = {name for name, macros in self.bodies.items() if any(m.parameters is not None for m in macros)}
        last = {n: {w for m in macros for w in _last_word(m.body)} for n, macros in self.bodies.items()}
        while more := {n for n, words in last.items() if n not in found and not found.isdisjoint(words)}:
            found |= more
        return frozenset(found)

    @cached_property
    def counted(self) -> frozenset[str]:
        """:data:`COUNTED` and the names that expand to one."""
        return self.users(set(COUNTED))

    @cached_property
    def _naming(self) -> dict[str, set[str]]:
        """The macros whose bodies name each word."""
        found: dict[str, set[str]] = {}
        for name, macros in self.bodies.items():
            for macro in macros:
                for word in WORD.findall(macro.body):
                    found.setdefault(word, set()).add(name)
        return found

    def definitions(self, name: str) -> tuple[Span, ...]:
        """Return where a macro and those that its body names are defined."""
        found: dict[str, None] = {name: None}
        for reached in iter_growing(found):
            for macro in self.bodies.get(reached, ()):
                found.update({word: None for word in WORD.findall(macro.body) if word in self.bodies})
        return tuple(place for reached in found for place in self.places.get(reached, ()))

    def users(self, names: set[str]) -> frozenset[str]:
        """Return some names and those of all macros whose bodies come to one of them."""
        known = dict.fromkeys(sorted(names))
        for name in iter_growing(known):
            known.update(dict.fromkeys(self._naming.get(name, ())))
        return frozenset(known)


def iter_growing(names: dict[str, None]) -> Iterable[str]:
    """Yield the keys of a dictionary, also those that are added meanwhile."""
    done: set[str] = set()
    while len(done) < len(names):
        for name in [n for n in names if n not in done]:
            done.add(name)
            yield name


def macro_table(scans: Iterable[FileScan], arguments: Sequence[str] = ()) -> MacroTable:
    """Return the macros of all files and of the command line."""
    bodies: dict[str, list[MacroDefinition]] = {}
    places: dict[str, list[Span]] = {}
    for scan in scans:
        for macro in scan.macros:
            bodies.setdefault(macro.name, []).append(macro)
            places.setdefault(macro.name, []).append(scan.source.span(macro.start, macro.end))
    for macro in _of_command_line(arguments):
        bodies.setdefault(macro.name, []).append(macro)
    return MacroTable(
        {name: tuple(found) for name, found in bodies.items()}, {name: tuple(found) for name, found in places.items()}
    )


def _of_command_line(arguments: Sequence[str]) -> list[MacroDefinition]:
    found: list[MacroDefinition] = []
    waiting = False
    for argument in arguments:
        text = argument if waiting else argument[2:] if argument.startswith("-D") else ""
        waiting = argument == "-D"
        match = _COMMAND_LINE.fullmatch(text)
        if match is not None:
            names = tuple(match["parameters"][1:-1].split(",")) if match["parameters"] else None
            found.append(MacroDefinition(match["name"], names, "1" if match["body"] is None else match["body"], 0, 0))
    return found


def _is_structural(macro: MacroDefinition) -> bool:
    body = _LITERAL.sub("0", macro.body) if "_Pragma" not in macro.body else macro.body
    return _STRUCTURE.search(body) is not None or not is_balanced(body)


def _needed_values(macro: MacroDefinition) -> Iterator[str]:
    """Yield the words that have to be values if a macro is one; of what is none for other reasons its own name."""
    body = _TEXT.sub("0", macro.body)
    if macro.parameters is not None or not _VALUES.fullmatch(body) or not is_balanced(body):
        yield macro.name
    yield from (match["word"] for match in _NUMBER.finditer(body) if match["word"])


def _last_word(text: str) -> list[str]:
    """Return the name that a text ends in, if it does."""
    return [word for part in text.rsplit(None, 1)[-1:] for word in _LAST.findall(part)]


def is_balanced(text: str) -> bool:
    """Whether all brackets of a text have their partners in it."""
    stack: list[str] = []
    bare = _LITERAL.sub("0", text).replace("<%", "{").replace("%>", "}").replace("<:", "[").replace(":>", "]")
    for bracket in re.findall(r"[][(){}]", bare):
        if bracket in "([{":
            stack.append({"(": ")", "[": "]", "{": "}"}[bracket])
        elif not stack or stack.pop() != bracket:
            return False
    return not stack


def _joins(macro: MacroDefinition) -> bool:
    return macro.parameters is not None and _JOINS.search(_LITERAL.sub("0", macro.body)) is not None
