"""Macros by which compilers tell who they are: libclang is another compiler than the host's, and a device's is too.

In: the text of a user's file. Out: the bytes that libclang reads. There the macros have other names of the same length,
which are defined as the host's compiler defines them, so that the branches that libclang takes and the values it knows
are those of the program. System headers ask for libclang's own, by which they choose what it can read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rexcc.source.lexical import COMMENT, RAW_STRING, STRING
from rexcc.source.patterns import regex
from rexcc.source.text import to_bytes

NAMES = frozenset({
    "__clang__", "__clang_major__", "__clang_minor__", "__clang_patchlevel__", "__clang_version__", "__llvm__",
    "__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__", "__GNUG__", "__VERSION__",
})  # fmt: skip
QUESTIONS = ("__has_feature", "__has_extension", "__has_warning", "__is_identifier", "__has_declspec_attribute")
"""Questions of clang's own: ``#ifdef`` and programs that define them themselves see whether the compiler has them."""
_OF_GCC = {"__has_feature": 14, "__has_extension": 14}
"""The first gcc that has one of them."""
_WORDS = "|".join(sorted({*NAMES, *QUESTIONS}))
_MENTION = regex(rf"\b(?:{_WORDS})\b")
_TOKEN = regex(rf"{COMMENT}|{RAW_STRING}|{STRING}|\b(?P<name>{_WORDS})\b")

_PARTS = ("__clang", "__llvm__", "__GNU", "__VERSION__", "__has_", "__is_identifier")
"""Every name has one of these: most texts have none, and a string is found faster than a pattern."""

Macros = tuple[tuple[str, str], ...]
"""Macros of :data:`NAMES` that the host's compiler defines, and their values; none where nobody knows."""


def for_libclang(text: str) -> bytes:
    """Return the bytes of a user's file as libclang reads it."""
    if not any(part in text for part in _PARTS) or _MENTION.search(text) is None:
        return to_bytes(text)
    return to_bytes(_TOKEN.sub(lambda match: _other_name(match[0]) if match["name"] else match[0], text))


def arguments(macros: Macros, language: str) -> list[str]:
    """Return clang's arguments that define the other names; where nobody knows the host's compiler, as its own.

    The answers to questions are libclang's, where the host's compiler has the questions.
    """
    asked = [f"-D{_other_name(name)}(...)={name}(__VA_ARGS__)" for name in QUESTIONS if _has(dict(macros), name)]
    if not macros:
        own = NAMES if language == "c++" else NAMES - {"__GNUG__"}
        return [*(f"-D{_other_name(name)}={name}" for name in sorted(own)), *asked]
    return [*(f"-D{_other_name(name)}={value}" for name, value in macros), *asked]


def _has(macros: Mapping[str, str], question: str) -> bool:
    """Whether a compiler with some macros has a question."""
    if not macros or "__clang__" in macros:
        return True
    version = macros.get("__GNUC__", "")
    return question in _OF_GCC and version.isdigit() and int(version) >= _OF_GCC[question]


def definitions(macros: Macros, texts: Iterable[str]) -> list[str]:
    """Return directives that define, behind all headers of a device file, the macros that the user's texts mention."""
    mentioned: Collection[str] = {name for text in texts for name in _MENTION.findall(text)} if macros else ()
    values = dict(macros)
    lines: list[str] = []
    for name in sorted(mentioned):
        if name in QUESTIONS and _has(values, name):  # nothing is there for a compiler that cannot be asked
            lines += [f"#ifndef {name}", f"#define {name}(...) 0", "#endif"]
            continue
        lines.append(f"#undef {name}")
        if name in values:
            lines.append(f"#define {name} {values[name]}")
    return lines


def _other_name(name: str) -> str:
    """Return a name of the same length that is nobody else's: those of an underscore and a capital are reserved."""
    return f"_R{name[2:]}"
