"""The parts of a lambda's text.

In: the text of a file and where a lambda stands in it. Out: :class:`LambdaText`: the ranges of its template parameters,
its parameters, what stands behind them, and its body; and the head of a call operator that is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.source.lexical import COMMENT
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_AUTO = regex(r"(?:\b(?!(?:const|volatile|register)\b)([\w:]+(?:<[^<>]*>)?)\s+)?\bauto\b(?=([\s&*]*\.\.\.)?)")
"""A parameter's placeholder, with the concept in front of it and the mark of a pack behind it."""

Range = tuple[int, int]


@dataclass(frozen=True)
class LambdaText:
    """Ranges of a lambda's text: template parameters in their brackets, parameters with their parentheses, what stands
    between them and the body, and the body. Those that it does not have are empty.
    """

    text: str
    template: Range
    parameters: Range
    between: Range
    body: Range

    @property
    def is_generic(self) -> bool:
        """Whether the call operator is a template."""
        return self.template[0] < self.template[1] or _AUTO.search(self.text[slice(*self.parameters)]) is not None

    @property
    def is_mutable(self) -> bool:
        """Whether a call may change what was captured by value."""
        return "mutable" in self.text[slice(*self.between)].partition("->")[0].split()

    @property
    def is_constexpr(self) -> bool:
        """Whether the lambda says that calls of it are constant expressions."""
        return "constexpr" in self.text[slice(*self.between)].partition("->")[0].split()

    @property
    def result(self) -> str:
        """The written result type with the arrow in front, or nothing."""
        _, arrow, result = self.text[slice(*self.between)].partition("->")
        return f"-> {result.strip()} " if arrow else ""

    def with_edits(self, edits: Iterable[tuple[int, int, str]]) -> LambdaText:
        """Return the parts in a text in which edits in front of the body are made."""
        text, ranges = self.text, [self.template, self.parameters, self.between, self.body]
        for start, end, new in sorted((e for e in edits if self.template[0] <= e[0] < self.body[0]), reverse=True):
            text = text[:start] + new + text[end:]
            longer = len(new) - (end - start)
            ranges = [(r[0] + longer * (r[0] > start), r[1] + longer * (r[1] > start)) for r in ranges]
        template, parameters, between, body = ranges
        return LambdaText(text, template, parameters, between, body)

    def named_parameters(self) -> tuple[str, list[str]]:
        """Return the parameters with their parentheses, with names for the types that are deduced, and the declarations
        of these names."""
        found: list[str] = []

        def named(auto: re.Match[str]) -> str:
            name = f"rex_a{len(found)}"
            found.append(f"{auto[1] or 'class'}{'...' if auto[2] else ''} {name}")
            return name

        return _AUTO.sub(named, self.text[slice(*self.parameters)] or "()"), found

    def operator(self, *, holds_packs: bool = False, is_constant: bool = False, result: str = "") -> str:
        """Return the head of a call operator that means the same, all of it but the body; where the object holds packs,
        the result type is that of the lambda inside; ``is_constant``: it may be ``constexpr``, as lambdas' are unsaid;
        ``result`` is the type that is written where the lambda has none.
        """
        parameters, found = self.named_parameters()
        written = self.text[slice(*self.template)].strip()[1:-1].strip()
        listed = ", ".join([*filter(None, [written]), *found])
        words = self.text[slice(*self.between)].partition("->")[0].split()
        before = "constexpr " if is_constant or "constexpr" in words else ""
        rest = " ".join(["" if self.is_mutable else "const", *(w for w in words if w not in ("constexpr", "mutable"))])
        kind = "decltype(auto)" if holds_packs else "auto"
        written_result = self.result or (f"-> {result}" if result else "")
        trailing = f" {written_result}".rstrip() if not holds_packs else ""
        header = f"template <{listed}> " if listed else ""
        return f"{header}{before}{kind} operator(){parameters}{' ' + rest.strip() if rest.strip() else ''}{trailing}"


def lambda_text(text: str, captured: int, begin: int, end: int) -> LambdaText | None:
    """Return the parts of a lambda whose captures end at ``captured`` and whose body is ``[begin, end)``.

    None where requirements stand between its parts.
    """
    between = _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text[captured:begin])
    text = text[:captured] + between + text[begin:]
    if "#" in between or re.search(r"\b(?:static|requires)\b", between):
        return None
    if text[begin : begin + 1] != "{" or text[end - 1 : end] != "}":
        return None
    opening = _behind_attributes(text, captured)
    template = (opening, opening)
    if text[opening] == "<":
        template = (opening, _closing(text, opening, begin, "<", ">"))
        opening = _behind_attributes(text, template[1])
    if text[opening] != "(":
        return (
            LambdaText(text, template, (opening, opening), (opening, begin), (begin, end)) if opening == begin else None
        )
    close = _closing(text, opening, begin, "(", ")")
    return LambdaText(text, template, (opening, close), (close, begin), (begin, end))


_COMMENT = regex(COMMENT)
_ATTRIBUTES = regex(r"\s*(?:[A-Za-z_]\w*\b\s*)*(?=[(<])|\s*")
"""The words that may stand in front of a lambda's parameters: macros for attributes, which hosts have none of."""


def _behind_attributes(text: str, at: int) -> int:
    words = _ATTRIBUTES.match(text, at)
    return words.end() if words is not None else at


def _closing(text: str, opening: int, limit: int, left: str, right: str) -> int:
    """Return where a bracket that opens is closed again."""
    depth = 0
    for at in range(opening, limit):
        depth += {left: 1, right: -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return limit
