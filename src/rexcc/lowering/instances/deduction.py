"""What the parameters of a partial specialisation mean in an instantiation: its arguments are parts of the class's.

In: the class's arguments as the specialisation is written for them and as they are given, both as clang prints types
without typedefs: ``Box<type-parameter-0-1 *, N>`` and ``in::Box<float *, 4>``. Out: the parts of the given ones at the
parameters' places. In these texts a parameter that is a type has a number; one that is a template has no name at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rexcc.source.patterns import regex

_TOKEN = regex(r"[\w$:~-]+|'(?:\\.|[^'\\])+'|\.\.\.|&&|[^\s]")
_CLOSING = {"<": ">", "(": ")", "[": "]", "{": "}"}


class _Group:
    """A bracket with its lists of items, which commas part."""

    def __init__(self, bracket: str) -> None:
        self.bracket = bracket
        self.lists: list[list[str | _Group]] = [[]]


def deduced(
    parameters: Sequence[tuple[str, str]], written: Iterable[str], given: Iterable[str]
) -> dict[str, str] | None:
    """Return the text of each parameter's argument, None where that cannot be told.

    ``parameters`` are names and kinds (``type``, ``value``, ``template``); a pack's argument has commas.
    """
    matching = _Matching(parameters)
    pattern, types = (_parsed(", ".join(texts)) for texts in (written, given))
    return matching.found if matching.lists(pattern.lists, types.lists) else None


class _Matching:
    def __init__(self, parameters: Sequence[tuple[str, str]]) -> None:
        kinds = [kind for _, kind in parameters]
        self._names = {f"type-parameter-0-{i}": name for i, (name, kind) in enumerate(parameters) if kind == "type"}
        self._names |= {name: name for name, kind in parameters if kind == "value" and name}
        self._template = next((n for n, kind in parameters if kind == "template"), "")
        self._knows_template = kinds.count("template") == 1
        self.found: dict[str, str] = {}

    def lists(self, pattern: list[list[str | _Group]], given: list[list[str | _Group]]) -> bool:
        """Match the parts of two lists."""
        given = [part for part in given if part]
        pattern = [part for part in pattern if part]
        if pattern and pattern[-1][-1] == "...":
            rest = given[len(pattern) - 1 :]
            single = pattern[-1][:-1]
            if len(single) == 1 and isinstance(single[0], str) and single[0] in self._names:
                if not self._bind(self._names[single[0]], ", ".join(map(_text, rest))):
                    return False
            elif any(isinstance(item, _Group) or item in self._names for item in single):
                return False  # each of the pack's arguments is a part of one of the class's
            pattern, given = pattern[:-1], given[: len(pattern) - 1]
        return len(pattern) == len(given) and all(map(self._part, pattern, given))

    def _part(self, pattern: list[str | _Group], given: list[str | _Group]) -> bool:
        """Match items one by one; one parameter may mean several items."""
        if self._is_template(pattern) and (template := self._template_of(given)) is not None:
            behind, name = template
            return (
                (not self._template or self._bind(self._template, name))
                and self._item(pattern[0], given[behind])
                and self._part(pattern[1:], given[behind + 1 :])
            )
        at = next((i for i, item in enumerate(pattern) if isinstance(item, str) and item in self._names), None)
        if at is None:
            return len(pattern) == len(given) and all(map(self._item, pattern, given))
        end = len(given) - (len(pattern) - at - 1)
        if end <= at or not all(map(self._item, pattern[:at], given[:at])):
            return False
        return self._bind(self._names[str(pattern[at])], _text(given[at:end])) and self._part(
            pattern[at + 1 :], given[end:]
        )

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
        return pattern == given or given.endswith(f"::{pattern}") or pattern.endswith(f"::{given}")

    def _bind(self, name: str, text: str) -> bool:
        return self.found.setdefault(name, text) == text


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
