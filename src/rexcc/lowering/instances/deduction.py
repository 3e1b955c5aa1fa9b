"""What the parameters of a partial specialisation mean in an instantiation: its arguments are parts of the class's.

In: the class's arguments as the specialisation is written for them and as they are given, both as clang prints types
without typedefs: ``Box<type-parameter-0-1 *, N>`` and ``in::Box<float *, 4>``. Out: the parts of the given ones at the
parameters' places. In these texts a parameter that is a type has a number; one that is a template has no name at all.
One that is a value may have a name that another template gives to a parameter, so only its order tells which it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from rexcc.source.patterns import regex

_TOKEN = regex(r"[\w$:~-]+|'(?:\\.|[^'\\])+'|\.\.\.|&&|[^\s]")
_TRUTH = {"true": "1", "false": "0"}
_ASKING = ("typename", "decltype")
"""How a type begins that asks another one, or an expression: nothing is deduced from it (C++20, [temp.deduct.type])."""
_CLOSING = {"<": ">", "(": ")", "[": "]", "{": "}"}


class _Group:
    """A bracket with its lists of items, which commas part."""

    def __init__(self, bracket: str) -> None:
        self.bracket = bracket
        self.lists: list[list[str | _Group]] = [[]]


def deduced(
    parameters: Sequence[tuple[str, str]],
    written: Iterable[str],
    given: Iterable[str],
    values: Sequence[str] = (),
    packs: Collection[str] = (),
) -> dict[str, str] | None:
    """Return the text of each parameter's argument, None where that cannot be told.

    ``parameters`` are names and kinds (``type``, ``value``, ``template``); an argument of one of the ``packs`` has
    commas. ``values`` are the names of those that are values, in the order in which the specialisation mentions them.
    """
    matching = _Matching(parameters, packs)
    pattern, types = (_parsed(", ".join(texts)) for texts in (written, given))
    is_told = matching.lists(pattern.lists, types.lists) and matching.name_values(values)
    return matching.found if is_told else None


class _Matching:
    def __init__(self, parameters: Sequence[tuple[str, str]], packs: Collection[str]) -> None:
        self._parameters, self._packs = parameters, packs
        kinds = [kind for _, kind in parameters]
        self._names = {f"type-parameter-0-{i}": name for i, (name, kind) in enumerate(parameters) if kind == "type"}
        self._template = next((n for n, kind in parameters if kind == "template"), "")
        self._knows_template = kinds.count("template") == 1
        self._has_values = "value" in kinds
        self._value_names = {name for name, kind in parameters if kind == "value"}
        self._values: list[list[str] | None] = []  # None where a parameter's name tells nothing
        self.found: dict[str, str] = {}

    def name_values(self, names: Sequence[str]) -> bool:
        """Give the values their parameters, which are mentioned in the same order."""
        pairs = zip(names, self._values, strict=False)
        return len(names) == len(self._values) and all(v is None or self._bind_all(n, v) for n, v in pairs)

    def lists(self, pattern: list[list[str | _Group]], given: list[list[str | _Group]]) -> bool:
        """Match the parts of two lists."""
        given = [part for part in given if part]
        pattern = [part for part in pattern if part]
        if not pattern or pattern[-1][-1] != "...":
            return len(pattern) == len(given) and all(map(self._part, pattern, given))
        single, first = pattern.pop()[:-1], len(pattern)
        return (
            len(given) >= first and all(map(self._part, pattern, given[:first])) and self._pack(single, given[first:])
        )

    def _pack(self, single: list[str | _Group], given: list[list[str | _Group]]) -> bool:
        """Take the arguments of a pack, or what they are parts of."""
        if len(single) == 1 and isinstance(single[0], str):
            texts = list(map(_text, given))
            if single[0] in self._names:
                return self._bind_all(self._names[single[0]], texts)
            self._values.append(texts)
            return True
        if not single or not given:
            return not single  # which parameters have no arguments shows nowhere
        each = [_Matching(self._parameters, self._packs) for _ in given]
        if not all(one._part(single, part) for one, part in zip(each, given, strict=True)):
            return False
        self._values += [
            None if None in same else [text for one in same for text in one or ()]
            for same in zip(*(m._values for m in each), strict=True)
        ]
        return all(self._bind_all(name, [one.found[name] for one in each]) for name in each[0].found)

    def _part(self, pattern: list[str | _Group], given: list[str | _Group]) -> bool:
        """Match items one by one; one parameter may mean several items. What is asked of other types tells nothing."""
        if pattern and pattern[0] in _ASKING:
            self._values += [None for word in _words(pattern) if word in self._value_names]
            return True
        if self._is_template(pattern) and (template := self._template_of(given)) is not None:
            behind, name = template
            return (
                (not self._template or self._bind(self._template, name))
                and self._item(pattern[0], given[behind])
                and self._part(pattern[1:], given[behind + 1 :])
            )
        at = next((i for i, item in enumerate(pattern) if isinstance(item, str) and item in self._names), None)
        if at is None:
            return self._items(pattern, given) or self._is_value(pattern, given)
        given = _extents_last(given, pattern[at + 1 :])
        end = len(given) - (len(pattern) - at - 1)
        if end <= at or not all(map(self._item, pattern[:at], given[:at])):
            return False
        return self._bind(self._names[str(pattern[at])], _text(given[at:end])) and self._part(
            pattern[at + 1 :], given[end:]
        )

    def _items(self, pattern: list[str | _Group], given: list[str | _Group]) -> bool:
        return len(pattern) == len(given) and all(map(self._item, pattern, given))

    def _is_value(self, pattern: list[str | _Group], given: list[str | _Group]) -> bool:
        """Whether a parameter that is a value meets its argument, which is kept."""
        if not self._has_values or len(pattern) != 1 or not _is_name(pattern[0]):
            return False
        self._values.append([_text(given)])
        return True

    def _is_template(self, pattern: list[str | _Group]) -> bool:
        first = pattern[0] if pattern else ""
        return self._knows_template and isinstance(first, _Group) and first.bracket == "<"

    def _template_of(self, given: list[str | _Group]) -> tuple[int, str] | None:
        for at, item in enumerate(given):
            if isinstance(item, _Group):
                return (at, _text(given[:at])) if item.bracket == "<" and at else None
        return None

    def _item(self, pattern: str | _Group, given: str | _Group) -> bool:
        if isinstance(pattern, _Group) and isinstance(given, _Group):
            return pattern.bracket == given.bracket and self.lists(pattern.lists, given.lists)
        if isinstance(pattern, _Group) or isinstance(given, _Group):
            return False
        pattern, given = _TRUTH.get(pattern, pattern), _TRUTH.get(given, given)
        return pattern == given or given.endswith(f"::{pattern}") or pattern.endswith(f"::{given}")

    def _bind_all(self, name: str, texts: list[str]) -> bool:
        """Take the arguments of a pack; one of another parameter is the same each time."""
        if name in self._packs:
            return self._bind(name, ", ".join(texts))
        return len(set(texts)) == 1 and self._bind(name, texts[0])

    def _bind(self, name: str, text: str) -> bool:
        return self.found.setdefault(name, text) == text


def _extents_last(given: list[str | _Group], behind: list[str | _Group]) -> list[str | _Group]:
    """Return the items of a type with what stands behind a parameter at their end: ``T[N]`` means by ``char[3][4]``
    three of ``char[4]``, for the first extent is the outermost, and so does ``T (*)[N]`` by ``char (*)[3][4]``."""
    around = [item for item in behind if not _is_extent(item)]
    is_around = bool(around) and isinstance(around[0], _Group) and around[0].bracket == "("
    if len(around) > 1 or (around and not (is_around and behind[0] is around[0])):
        return given
    first = next((i for i in range(len(given), 0, -1) if not _is_extent(given[i - 1])), 0)
    outer = first + len(behind) - len(around)
    base = first - len(around)
    return given[: max(base, 0)] + given[outer:] + given[max(base, 0) : outer]


def _words(items: Iterable[str | _Group]) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            yield item
        else:
            for part in item.lists:
                yield from _words(part)


def _is_extent(item: str | _Group) -> bool:
    return isinstance(item, _Group) and item.bracket == "["


def _is_name(item: str | _Group) -> bool:
    return isinstance(item, str) and item.isidentifier()


def _parsed(text: str) -> _Group:
    stack = [_Group("")]
    for token in _TOKEN.findall(text):
        if token in _CLOSING:
            stack.append(_Group(token))
        elif len(stack) > 1 and token == _CLOSING[stack[-1].bracket]:
            group = stack.pop()
            stack[-1].lists[-1].append(group)
        elif token == ",":
            stack[-1].lists.append([])
        else:
            stack[-1].lists[-1].append(token)
    return stack[0]


def _text(items: Sequence[str | _Group]) -> str:
    parts = []
    for item in items:
        if isinstance(item, str):
            parts.append(item)
        else:
            parts.append(f"{item.bracket}{', '.join(map(_text, item.lists))}{_CLOSING[item.bracket]}")
    return re.sub(r" (?=[<\[])|(?<=[*&]) (?=[*&])", "", " ".join(parts))
