"""What programs ask their compiler (``__has_builtin(name)`` and its like), answered by the host's for all readers.

In: the user's texts, and what the host's compiler has printed. Out: the text that it is asked with, its answers, and
definitions of macros that give them. libclang and a device's compiler answer otherwise, so what they read asks these
macros (:mod:`rexcc.source.compiler_macros`). An argument becomes a part of a macro's name; ``a::b``, which no name can
have, is the name ``ab``. A name that no text shows, because macros join it of parts, is answered by 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from rexcc.source.lexical import BLANK, COMMENT, DIRECTIVE, LITERAL, RAW_STRING
from rexcc.source.patterns import regex

ASKED = (
    "__has_attribute", "__has_builtin", "__has_c_attribute", "__has_cpp_attribute", "__has_declspec_attribute",
    "__has_extension", "__has_feature",
)  # fmt: skip
"""Questions whose argument is a name."""

Questions = tuple[tuple[str, str], ...]
"""Questions and names."""
Ask = Callable[[str], str | None]
"""Return what the host's compiler makes of a text, None where it cannot be run."""
Answers = tuple[tuple[str, str], ...]
"""For a question that the compiler has its name and nothing; for an answer ``question(name)`` and a value: 0 only where
the program asks in an expression of its own, not in a condition of the preprocessor, which takes a name that nobody
defines for 0; first :data:`ANSWERED`, if it was asked at all."""
ANSWERED = ("__has_answers", "")

_WORDS = "|".join(ASKED)
_QUESTION = regex(rf"\b(?:{_WORDS})\b")
_LINE = regex(DIRECTIVE, re.MULTILINE)
_KIND = regex(r"[ \t]*(?:#|%:)[ \t]*(?P<kind>\w+)")
_DEFINED = regex(r"[ \t]*(?:#|%:)[ \t]*define[ \t]+(?P<name>\w+)(?P<rest>[\s\S]*)")
_PARAMETERS = regex(r"\((?P<parameters>[^)]*)\)(?P<body>[\s\S]*)")
_NAME = regex(r"\b[^\W\d]\w*")
_COMMENT = regex(COMMENT)
_JOINED = regex(r"\b(?P<first>[^\W\d]\w*)[ \t]*##[ \t]*[^\W\d]\w*|\b[^\W\d]\w*[ \t]*##[ \t]*(?P<last>[^\W\d]\w*)")
_BESIDE = regex(rf"\b(?P<first>[^\W\d]\w*){BLANK},{BLANK}(?=(?P<second>[^\W\d]\w*))")
"""Two arguments of a macro, which it may join."""
_OPERATOR = regex(
    r"(?:__has_\w+|if|elif|define|defined|_Pragma|__VA_OPT__|and|or|not|xor|bitand|bitor|compl|not_eq"
    r"|__is_identifier|__is_target_\w+|__building_module|__identifier)$"
)
"""Names that are part of a condition, and no compiler takes for the name of anything else; where some ask something
themselves, a compiler reads on for what they ask."""
_SCOPED = regex(rf"\b(?P<scope>[^\W\d]\w*){BLANK}::{BLANK}(?P<name>[^\W\d]\w*)")
_ANSWER = regex(r"^rex_answer (\d+)(?: \(?(-?\d+)[uUlL]*\)?)?[ \t]*$", re.MULTILINE)
_OF_ATTRIBUTES = frozenset({"__has_attribute", "__has_c_attribute", "__has_cpp_attribute"})
_CONDITIONS = frozenset({"if", "elif"})
_SCOPES = ("gnu", "clang", "__gnu__", "_Clang", "msvc")
_MOST = 4000
"""How many names that macros may make are asked for in one question, besides those that the text has."""


def questions(texts: Collection[str]) -> Questions:
    """Return the questions that texts have, each with every name that it may be about."""
    asked = sorted({question for text in texts if "__has_" in text for question in _QUESTION.findall(text)})
    if not asked:
        return ()
    lines = _all_lines(texts)
    asking = _asking(lines)
    told = [_without_comments(line) for line in lines if _may_name(line, asking)]
    told += _asked_in_code(texts, asking)
    written = {name for line in told for name in _NAME.findall(line) if not _OPERATOR.match(name)}
    scoped = [found.group("scope", "name") for line in told for found in _SCOPED.finditer(line)]
    names = sorted(written) + sorted(_joined_names(lines, told, written) - written)[:_MOST]
    scopes = sorted({*_SCOPES, *(scope for scope, _ in scoped)})
    in_scopes = ["::".join(pair) for pair in dict.fromkeys(scoped)]
    in_scopes += [f"{scope}::{name}" for scope in scopes for name in names][:_MOST]
    found = {question: names + in_scopes if question in _OF_ATTRIBUTES else names for question in asked}
    return tuple((question, name) for question in asked for name in dict.fromkeys(found[question]))


def _joined_names(lines: Iterable[str], told: Iterable[str], written: Collection[str]) -> set[str]:
    """Return the names that macros may make for a question: of two arguments, or of one and a part in their body."""
    joins = [found for body in _bodies_used(lines, written) for found in _JOINED.finditer(body)]
    parts = {part for found in joins for part in (found["first"], found["last"]) if part}
    made = {name for part in parts for other in written for name in (part + other, other + part)}
    return made | {found["first"] + found["second"] for line in told for found in _BESIDE.finditer(line)}


def _bodies_used(lines: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the bodies of the macros that have one of these names, and of those that they use."""
    bodies: dict[str, list[str]] = {}
    for line in lines:
        if (found := _DEFINED.match(line)) is not None:
            bodies.setdefault(found["name"], []).append(_without_comments(found["rest"]))
    used, waiting = set(names), list(names)
    while waiting:
        named = {name for body in bodies.get(waiting.pop(), ()) for name in _NAME.findall(body)}
        waiting += named - used
        used |= named
    return [body for name in used for body in bodies.get(name, ())]


def _asked_in_code(texts: Iterable[str], asking: re.Pattern[str]) -> list[str]:
    """Return the questions outside of conditions of the preprocessor, with their arguments."""
    argument = _argument_of(asking)
    return [use for text in texts if asking.search(text) for use in argument.findall(_LINE.sub(_kept, text))]


def _kept(line: re.Match[str]) -> str:
    kind = _KIND.match(line[0])
    return "" if kind is None or kind["kind"] in _CONDITIONS else line[0]


def _argument_of(asking: re.Pattern[str]) -> re.Pattern[str]:
    return regex(rf"(?:{asking.pattern}){BLANK}\((?:[^()]|\([^()]*\))*\)")


def _may_name(line: str, asking: re.Pattern[str]) -> bool:
    """Whether a line may name what a question is about."""
    kind = _KIND.match(line)
    return kind is not None and (
        kind["kind"] in _CONDITIONS or (kind["kind"] == "define" and bool(asking.search(line)))
    )


def text_of(asked: Questions) -> str:
    """Return the text with which a compiler is asked."""
    lines: list[str] = []
    for number, (question, name) in enumerate(asked):
        known = f"rex_answer {number} {question}({name})"
        lines += [f"#ifdef {question}", f"rex_answer {number}", known, "#endif"]
    return "\n".join(lines) + "\n"


def answers(texts: Collection[str], asked: Questions, printed: str) -> Answers:
    """Return the answers of a compiler that has printed what it made of :func:`text_of`."""
    asking = _asking(_all_lines(texts))
    in_code = {name for use in _asked_in_code(texts, asking) for name in _names(use)}
    known: dict[str, str] = {}
    for number, value in _ANSWER.findall(printed):
        question, name = asked[int(number)]
        known[question] = ""
        if value and (int(value) or name in in_code):
            known[f"{question}({name})"] = value
    return (ANSWERED, *sorted(known.items()))


def _names(text: str) -> set[str]:
    """Return the names in a text, those with a scope too."""
    return {*_NAME.findall(text), *(f"{found['scope']}::{found['name']}" for found in _SCOPED.finditer(text))}


def asking_in(texts: Collection[str]) -> re.Pattern[str] | None:
    """Return what finds the questions of texts where they are used, None for texts without one."""
    if not any("__has_" in text and _QUESTION.search(text) for text in texts):
        return None
    return _asking(_all_lines(texts))


def _all_lines(texts: Iterable[str]) -> list[str]:
    return [line for text in texts for line in _lines(text)]


@lru_cache(maxsize=4096)
def _lines(text: str) -> tuple[str, ...]:
    """Return the preprocessor's lines of a text, which several stages ask for."""
    return tuple(_LINE.findall(text))


@lru_cache(maxsize=4096)
def joined(text: str, asking: re.Pattern[str] | None) -> str:
    """Return a text in which the arguments ``a::b`` of questions are one name; every line keeps its length.

    ``asking`` finds the questions of all texts (:func:`asking_in`): a macro of one file asks for another.
    """
    if asking is None or "::" not in text:
        return text
    uses = regex(rf"{COMMENT}|{RAW_STRING}|{LITERAL}|(?P<use>{_argument_of(asking).pattern})")
    if _may_have_scoped_lines(text):
        text = _LINE.sub(lambda line: _joined_line(line[0], uses), text)
    if asking.search(text) is None:
        return text
    return uses.sub(lambda found: _SCOPED.sub(_one_name, found["use"]) if found["use"] else found[0], text)


def _may_have_scoped_lines(text: str) -> bool:
    """Whether a line of the preprocessor, or one that continues another, may have ``a::b``."""
    return any(
        "::" in line and (line.lstrip().startswith(("#", "%:")) or before.rstrip().endswith("\\"))
        for before, line in pairwise(("", *text.split("\n")))
    )


def _joined_line(line: str, uses: re.Pattern[str]) -> str:
    kind = _KIND.match(line)
    if kind is None or "::" not in line:
        return line
    if kind["kind"] in _CONDITIONS:
        return _SCOPED.sub(_one_name, line)
    if kind["kind"] == "define":
        return uses.sub(lambda found: found["use"].replace("::", "##") if found["use"] else found[0], line)
    return line


def _one_name(scoped: re.Match[str]) -> str:
    return scoped[0] if "\n" in scoped[0] else (scoped["scope"] + scoped["name"]).ljust(len(scoped[0]))


def definitions(known: Answers, other_name: Callable[[str], str], wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield macros, a head and a body each, that answer some questions under other names; 0 needs none."""
    for key, value in known:
        question, is_answer, name = key.partition("(")
        other = other_name(question)
        if question not in wanted:
            continue
        if is_answer:
            yield f"{other}_of_{name.removesuffix(')').replace('::', '')}", value
        else:
            yield f"{other}(x)", f"{other}_(x)"
            yield f"{other}_(x)", f"{other}_of_##x"


def _asking(lines: Iterable[str]) -> re.Pattern[str]:
    """Return what finds a question, or a macro whose argument is that of one, where it is used."""
    bodies = [(found["name"], found["rest"]) for line in lines if (found := _DEFINED.match(line))]
    names = set(ASKED)
    while True:
        pattern = regex(rf"\b(?:{'|'.join(sorted(names))})\b")
        further = {name for name, body in bodies if name not in names and pattern.search(body) and _asks(body, pattern)}
        if not further:
            return pattern
        names |= further


def _asks(definition: str, asking: re.Pattern[str]) -> bool:
    """Whether a macro stands for a question without its argument, or gives it one of its own."""
    macro = _PARAMETERS.match(definition)
    if macro is None:
        return bool(asking.search(_argument_of(asking).sub("", definition)))
    own = {"__VA_ARGS__", *_NAME.findall(macro["parameters"])}
    return any(not own.isdisjoint(_NAME.findall(use)) for use in _argument_of(asking).findall(macro["body"]))


def _without_comments(line: str) -> str:
    return _COMMENT.sub(" ", line)
