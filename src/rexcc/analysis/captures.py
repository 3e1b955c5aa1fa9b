"""What a lambda's introducer says: ``[=, &x, this, y = f(x)]``.

In: the text of a lambda expression. Out: :class:`CaptureList`. libclang tells which variables a lambda captures, not
how.
"""

from __future__ import annotations

import re

from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_TOKEN = regex(r"/\*[\s\S]*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|[\s\S]")
_INITIALISED = regex(r"(&?\s*(?:\.\.\.\s*)?[^\W\d]\w*)\s*(?:=(.*)|([({].*[)}]))", re.DOTALL)
"""An init-capture: ``name = value``, ``name(value)`` or ``name{value}``; that of a pack has ``...`` in front."""
_OPEN, _CLOSE = "([{", ")]}"
_POINTED = regex(r"->|(?:^|[=({\[,?:!~+\-*/%<>&|^])\s*\*")
"""What a pointer points to, in an expression."""
_CHANGING = regex(r"\+\+|--|(?<![=!<>])=(?!=)")
_CALLED = regex(r"(\w+|[)\]}])\s*\(")
_CONVERSIONS = regex(r"sizeof|alignof|move|bool|char|short|int|long|unsigned|signed|float|double|size_t|\w+_cast")


@dataclass(frozen=True)
class CaptureList:
    """The captures as written: ``default`` is ``=``, ``&`` or empty, ``items`` the others.

    ``end`` is the offset behind the closing bracket.
    """

    default: str = ""
    items: tuple[str, ...] = ()
    end: int = 0

    @property
    def copies_this(self) -> bool:
        """Whether the object itself is copied, not its address."""
        return any(item.replace(" ", "") == "*this" for item in self.items)

    def by_reference(self, name: str) -> bool:
        """Whether the body means a variable of the function itself by its name, not a copy of it."""
        for item in self.items:
            if not initialiser(item) and _bare(item) == name:
                return item.startswith("&")
        return self.default == "&"

    def names(self, name: str) -> bool:
        """Whether a capture is a variable itself, not a value computed with it."""
        return any(_bare(item) == name for item in self.items if not initialiser(item))

    def declares(self, name: str) -> bool:
        """Whether a name is an init-capture's own."""
        return any(declared_name(item) == name for item in self.items if initialiser(item))


def declared_name(item: str) -> str:
    """Return the name that a capture has in the lambda's body."""
    made = _INITIALISED.fullmatch(item)
    return _bare(made[1] if made else item)


def initialiser(item: str) -> str:
    """Return what an init-capture computes, brackets included; empty for any other capture."""
    made = _INITIALISED.fullmatch(item)
    return (made[2] or made[3] or "") if made else ""


def bare_value(item: str) -> str:
    """Return what an init-capture computes, without brackets around all of it."""
    value = initialiser(item).strip()
    made = _INITIALISED.fullmatch(item)
    return value[1:-1].strip() if made is not None and made[3] else value


def capture_list(text: str) -> CaptureList:
    """Return the captures of a lambda expression that starts with its introducer."""
    parts, end = _split(text)
    items = [" ".join(part.split()) for part in parts]
    default = items[0] if items and items[0] in ("=", "&") else ""
    return CaptureList(default, tuple(i for i in items[1 if default else 0 :] if i), end)


def _split(text: str) -> tuple[list[str], int]:
    """Return the parts between the commas of the introducer, comments left out, and where it ends."""
    parts, depth, position = [""], 0, 0
    for token in _TOKEN.finditer(text):
        position = token.end()
        piece = token[0]
        if piece.startswith(("/*", "//")):
            continue
        depth += (piece in _OPEN) - (piece in _CLOSE)
        if depth == 0:
            break
        if depth == 1 and piece == "[" and token.start() == 0:
            continue
        if depth == 1 and piece == ",":
            parts.append("")
        else:
            parts[-1] += piece
    return _whole(parts), position


def _whole(parts: list[str]) -> list[str]:
    """Return the captures of which ``parts`` are what stands between commas: ``p = pair<int, int>(1, 2)`` has one.

    Angle brackets in front of a capture's ``=`` are those of such arguments, which have no ``=``.
    """
    found: list[str] = []
    for part in parts:
        opened, closed = _angles(_ASSIGNED.split(_without_inner(part))[0])
        if not found or not (opened or closed):
            found.append(part)
            continue
        while len(found) > 1 and closed > opened + _surplus(found[-1]):
            part = f"{found.pop()},{part}"
            opened, closed = _angles(_without_inner(part))
        found[-1] += f",{part}"
    return found


_INNER = regex(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|\([^(){}]*\)|\{[^(){}]*\}")
_ASSIGNED = regex(r"(?<![=!<>])=(?!=)")
_ANGLE = regex(r"->|<=|>=|[<>]")


def _without_inner(text: str) -> str:
    """Return a text without what is in parentheses, braces and quotes."""
    while (shorter := _INNER.sub("", text)) != text:
        text = shorter
    return text


def _surplus(part: str) -> int:
    """Return how many angle brackets stay open behind a part."""
    opened, closed = _angles(_without_inner(part))
    return opened - closed


def _angles(text: str) -> tuple[int, int]:
    """Return how many angle brackets a text opens and closes."""
    found = _ANGLE.findall(text)
    return found.count("<"), found.count(">")


def _bare(item: str) -> str:
    return item.removeprefix("&").strip().removeprefix("...").removesuffix("...").strip()


def may_have_effect(value: str) -> bool:
    """Whether evaluating an expression again may do more than to read: it calls a function or changes a variable."""
    called = any(not _CONVERSIONS.fullmatch(name) for name in _CALLED.findall(value))
    return called or _CHANGING.search(value) is not None


def reads_memory(value: str) -> bool:
    """Whether an expression reads what a pointer points to."""
    return _POINTED.search(value) is not None
