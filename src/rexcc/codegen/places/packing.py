"""What ``#pragma pack`` and options say about the layout of the user's types.

In: the user's files in the unit's order, and clang's arguments. Out: the packing in force at any place, with which a
piece of device text is written, and the type of enumerations that are smaller than an ``int``. GPUs' compilers have no
option for either, so that device text says itself what the command line says to the host compiler.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from rexcc.clang.tree import Node
from rexcc.codegen.places.unit_order import Key, Places
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.source.lexical import BLOCK_COMMENT
from rexcc.source.patterns import regex

_PACK = regex(
    r"//(?:\\\r?\n|[^\n])*|/\*[\s\S]*?\*/"
    r"|^[ \t]*(?:\#|%:)[ \t]*define\b(?:\\\r?\n|[^\n])*"
    r"|^[ \t]*(?:\#|%:)[ \t]*pragma[ \t]+pack[ \t]*\((?P<line>[^)\n]*)\)"
    r"|\b_Pragma[ \t]*\([ \t]*\"[ \t]*pack[ \t]*\((?P<operator>[^)\n]*)\)[ \t]*\"[ \t]*\)"
    r"|\"(?:\\[\s\S]|[^\"\\\n])*\"",
    re.MULTILINE,
)
_IN_MACRO = regex(r"\b_Pragma\s*\(\s*\"\s*pack\s*\(([^)]*)\)\s*\"\s*\)")
_COMMENT = regex(r"//[^\n]*|/\*[\s\S]*?\*/")


class Packing:
    """The state of ``#pragma pack`` in one unit."""

    def __init__(self, unit: ParsedUnit, places: Places, arguments: Sequence[str]) -> None:
        self._places = places
        self._numbers = {
            m.name: m.body for f in unit.files.values() for m in f.scan.macros if m.parameters is None and m.body
        }
        self._default = _default(arguments)
        self._keys: list[Key] = []
        self._values: list[int] = []
        stack: list[tuple[str, int]] = []
        now = self._default
        for key, text in sorted(_changes(unit, places)):
            now = self._changed(text, now, stack)
            self._keys.append(key)
            self._values.append(now)

    def at(self, file: str, offset: int) -> int:
        """Return the greatest alignment that members have at a place of the user's text, 0 where nothing says one."""
        if not self._keys:
            return self._default
        found = bisect_right(self._keys, self._places.key(file, offset))
        return self._values[found - 1] if found else self._default

    def around(self, file: str, offset: int, text: str) -> str:
        """Return lines with a definition in them, written with the packing of its place."""
        value = self.at(file, offset) if "{" in text else 0
        return f"#pragma pack(push, {value})\n{text}#pragma pack(pop)\n" if value else text

    def _changed(self, text: str, now: int, stack: list[tuple[str, int]]) -> int:
        """Return the state after one ``pack(…)``; the stack changes."""
        words = [w.strip() for w in _COMMENT.sub(" ", text).split(",")]
        action = words[0]
        if action == "show":
            return now
        if not action:
            return self._default
        values = [v for w in words if (v := self._number(w)) is not None]
        value = (values[-1] or self._default) if values else None
        label = next((w for w in words[1:] if self._number(w) is None), "")
        if action == "push":
            stack.append((label, now))
        elif action == "pop":
            now = _popped(stack, label, now)
        return now if value is None else value

    def _number(self, word: str) -> int | None:
        for _ in range(8):  # a macro may stand for another one
            if re.fullmatch(r"(?:0[xX][0-9A-Fa-f]+|\d+)[uUlL]*", word):
                return int(word.rstrip("uUlL"), 0)
            word = self._numbers.get(word, "").strip("() ")
        return None


def _popped(stack: list[tuple[str, int]], label: str, now: int) -> int:
    """Return what ``pop`` restores: the last state, or that of a label where there is one."""
    at = next((i for i in range(len(stack) - 1, -1, -1) if not label or stack[i][0] == label), None)
    if at is None:
        return now
    value = stack[at][1]
    del stack[at:]
    return value


def _default(arguments: Sequence[str]) -> int:
    """Return what ``-fpack-struct`` says."""
    value = 0
    for argument in arguments:
        if argument in ("-fpack-struct", "-fno-pack-struct"):
            value = int(argument == "-fpack-struct")
        elif argument.startswith("-fpack-struct="):
            number = argument.partition("=")[2]
            value = int(number) if number.isdecimal() else value
    return value


def _changes(unit: ParsedUnit, places: Places) -> list[tuple[Key, str]]:
    """Return the places at which the state changes, with what stands between the parentheses."""
    found: list[tuple[Key, str]] = []
    macros: dict[str, list[str]] = {}
    for name, file in unit.files.items():
        text = file.scan.source.text
        if "pack" not in text:
            continue
        macros |= {m.name: inner for m in file.scan.macros if (inner := _IN_MACRO.findall(m.body))}
        skipped = unit.skipped.get(name, [])
        for match in _PACK.finditer(text):
            said = match["line"] if match["line"] is not None else match["operator"]
            if said is not None and not any(a <= match.start() < b for a, b in skipped):
                found.append((places.key(name, match.start()), said))
    for node in unit.declarations if macros else ():
        if node.kind == "MACRO_INSTANTIATION" and node.file in unit.files:
            start = unit.files[node.file].original(node.start)
            found += [((*places.key(node.file, start), n), t) for n, t in enumerate(macros.get(node.spelling, ()))]
    return found


def size_enumerations(node: Node, body: DeviceBody) -> None:
    """Write the type of enumerations in a declaration that are smaller than an ``int``: by an option or attribute."""
    for enumeration in (n for n in node.walk() if n.kind == "ENUM_DECL"):
        kind = enumeration.cursor.enum_type
        start = body.start(enumeration)
        brace = body.text.find("{", start, body.end(enumeration))
        if brace < 0 or not 0 < kind.get_size() < 4 or ":" in body.text[start:brace].replace("::", ""):
            continue
        body.edits.insert(brace, f": {kind.get_canonical().spelling} ")


def definition_end(node: Node, body: DeviceBody) -> int:
    """Return where the definition of a type ends, the attributes behind its brace included; clang leaves them out."""
    text, end = body.text, body.end(node)
    behind = [body.start(c) for c in node.children if c.kind.endswith("_ATTR") and body.start(c) >= end]
    while match := _ATTRIBUTE.match(text, end):
        at = match.end()
        is_macro = match["macro"] is not None
        if is_macro and not any(match.start("macro") <= b < _closed(text, at) for b in behind):
            break
        end = _closed(text, at)
    return end


_ATTRIBUTE = regex(
    rf"(?:\s|\\\r?\n|{BLOCK_COMMENT}|//[^\n]*\n)*"
    r"(?:(?:__attribute__|__attribute|__declspec)\b|(?P<macro>[^\W\d]\w*))"
)


def _closed(text: str, at: int) -> int:
    """Return the end of the parentheses that follow an offset, the offset itself where none do."""
    match = re.compile(r"\s*\(").match(text, at)
    if match is None:
        return at
    depth, at = 1, match.end()
    while depth and at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at
