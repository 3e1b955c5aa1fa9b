"""Macros by which compilers tell who they are: libclang is another compiler than the host's, and a device's is too.

In: the text of a user's file. Out: the bytes that libclang reads. There the macros have other names of the same length,
which are defined as the host's compiler defines them, so that the branches that libclang takes and the values it knows
are those of the program. System headers ask for libclang's own, by which they choose what it can read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rexcc.source.compiler_questions import ANSWERED, ASKED, asking_in, joined
from rexcc.source.compiler_questions import definitions as definitions_of_answers
from rexcc.source.lexical import COMMENT, RAW_STRING, STRING
from rexcc.source.patterns import regex
from rexcc.source.text import to_bytes

NAMES = frozenset({
    "__clang__", "__clang_major__", "__clang_minor__", "__clang_patchlevel__", "__clang_version__", "__llvm__",
    "__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__", "__GNUG__", "__VERSION__",
})  # fmt: skip
OF_CLANG = ("__has_warning", "__is_identifier")
"""Questions of clang's own about what is no name of a feature: others see by ``#ifdef`` that they lack them."""
QUESTIONS = (*ASKED, *OF_CLANG)
_ALL = frozenset({*NAMES, *QUESTIONS})
_WORDS = "|".join(sorted(_ALL))
_MENTION = regex(rf"\b(?:{_WORDS})\b")
_TOKEN = regex(rf"{COMMENT}|{RAW_STRING}|{STRING}|\b(?P<name>{_WORDS})\b")

_PARTS = ("__clang", "__llvm__", "__GNU", "__VERSION__", "__has_", "__is_identifier")
"""Every name has one of these: most texts have none, and a string is found faster than a pattern."""

_NEWER = {
    "__builtin_popcountg": ("(x)", "__builtin_popcountll(x)"),
    "__builtin_clzg": ("(x,...)", "(__builtin_clzll(x)-64+8*(int)sizeof(x))"),
    "__builtin_ctzg": ("(x,...)", "__builtin_ctzll(x)"),
}
"""Built-in functions that programs take where the host's compiler has them, in libclang's words: those of clang 19."""

Macros = tuple[tuple[str, str], ...]
"""Macros of :data:`NAMES` that the host's compiler defines, and their values, and what it has answered to questions
(:data:`rexcc.source.compiler_questions.Answers`); none where nobody knows."""


def for_libclang(texts: Mapping[str, str]) -> list[tuple[str, bytes]]:
    """Return the names of a unit's files, each with its bytes as libclang reads it."""
    asking = asking_in(texts.values())
    return [(name, to_bytes(_with_other_names(joined(text, asking), _ALL))) for name, text in texts.items()]


def for_device(text: str) -> str:
    """Return the text of a device file, whose questions are answered by :func:`definitions`."""
    return _with_other_names(joined(text, asking_in((text,))), ASKED) if "__has_" in text else text


def _with_other_names(text: str, names: Collection[str]) -> str:
    """Return a text with other names for some of the macros of compilers."""
    if not any(part in text for part in _PARTS) or _MENTION.search(text) is None:
        return text
    return _TOKEN.sub(lambda match: _other_name(match[0]) if match["name"] in names else match[0], text)


def arguments(macros: Macros, language: str) -> list[str]:
    """Return clang's arguments that define the other names; where nobody knows the host's compiler, as its own."""
    own = NAMES if language == "c++" else NAMES - {"__GNUG__"}
    values = (
        [(name, value) for name, value in macros if name in NAMES] if macros else [(name, name) for name in sorted(own)]
    )
    known = [(_other_name(name), value) for name, value in values]
    known += definitions_of_answers(macros, _other_name, ASKED)
    has = dict(macros)
    known += [(name + head, body) for name, (head, body) in _NEWER.items() if f"__has_builtin({name})" in has]
    known += [(f"{_other_name(name)}(...)", f"{name}(__VA_ARGS__)") for name in _left_to_readers(macros)]
    return [f"-D{head}={body}" for head, body in known]


def _left_to_readers(macros: Macros) -> tuple[str, ...]:
    """Return the questions that whoever reads the text answers himself."""
    own = OF_CLANG if not macros or "__clang__" in dict(macros) else ()
    return own if ANSWERED in macros else (*ASKED, *own)


def definitions(macros: Macros, texts: Iterable[str]) -> list[str]:
    """Return directives that define, behind all headers of a device file, the macros that the user's texts mention."""
    mentioned = sorted({name for text in texts for name in _MENTION.findall(text)})
    values = dict(macros)
    lines: list[str] = []
    for name in mentioned if macros else ():
        if name in NAMES:
            lines += [f"#undef {name}", *([f"#define {name} {values[name]}"] if name in values else [])]
    own = _left_to_readers(macros)
    for name in mentioned:
        if name in OF_CLANG:  # what is there has no answer for a compiler that cannot be asked
            lines += [f"#ifndef {name}", f"#define {name}(...) 0", "#endif"] if name in own else [f"#undef {name}"]
        elif name in own:
            other = f"#define {_other_name(name)}(...) {name}(__VA_ARGS__)"
            lines += [f"#ifdef {name}", other, "#endif"]
    return [
        *lines,
        *(f"#define {head} {body}" for head, body in definitions_of_answers(macros, _other_name, mentioned)),
    ]


def _other_name(name: str) -> str:
    """Return a name of the same length that is nobody else's: those of an underscore and a capital are reserved."""
    return f"_R{name[2:]}"
