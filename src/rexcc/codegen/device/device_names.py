"""The names that device code has for names of the program.

In: the declarations that the device file is made of, and the user's macros in it. Out: :class:`DeviceNames`, the
printer's last step: it writes these names wherever the file has the program's, and learns nothing from the text.

C++ keeps words for itself that are names in C (``new``), and has no name space for tags; an enumeration of C is an
integer type. Not all compilers of device code take names beyond ASCII for functions and variables of the device. They
would take ``__BASE_FILE__`` for the generated file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.codegen.closure.model import Closure
from rexcc.codegen.device.complex_words import ComplexWords, complex_words
from rexcc.codegen.places.base_file import base_file_words
from rexcc.lowering.c.dialect import CPLUSPLUS_ONLY, TYPED_WORDS, c_name, keywords_in
from rexcc.lowering.c.names import ATTRIBUTES, TypeNames, every_declaration
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING
from rexcc.source.text import ascii_name

_OURS = r"\bnamespace(?= rex_in_)|\btemplate <class (?=__rex_)"
_NO_CODE = rf"{COMMENT}|{RAW_STRING}|{LITERAL}|^[ \t]*#(?![ \t]*define\b)[^\n]*|{_OURS}"
"""What has no name of the program's: comments, literals, directives, our namespaces and templates."""


class DeviceNames:
    """``words`` are other names for functions, variables and keywords, ``types`` for types, ``numbers`` for C's complex
    ones."""

    def __init__(self, words: Mapping[str, str], types: TypeNames, numbers: ComplexWords | None = None) -> None:
        self._words = {**words, **types.unnamed}
        self._types = types
        self._numbers = numbers

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(
            rf"{_NO_CODE}|\benum\s+(?P<enum>{_one_of(self._types.enumerations)})\b(?!\s*[{{:;])"
            rf"|\b(?P<head>(?:struct|union)\b{ATTRIBUTES}\s+)(?P<tag>{_one_of(self._types.hidden)})\b"
            rf"|(?<![\w$])(?P<word>{_one_of(self._words)})(?![\w$])",
            re.M,
        )

    def applied(self, text: str) -> str:
        """Return device text with these names."""
        named = self._named(text)
        return named if self._numbers is None else self._numbers.applied(named)

    def _named(self, text: str) -> str:
        if not self._words and not self._types.enumerations and not self._types.hidden:
            return text
        return self._pattern.sub(self._changed, text)

    def _changed(self, match: re.Match[str]) -> str:
        if match["word"]:
            return self._words[match["word"]]
        if match["enum"]:
            return self._types.enumerations[match["enum"]]
        return f"{match['head']}rex_tag_{match['tag']}" if match["tag"] else match[0]


def _one_of(names: Collection[str]) -> str:
    return "|".join(map(re.escape, names)) or "(?!)"


def names_in_device_code(
    unit: ParsedUnit, closure: Closure, kernels: list[Kernel], linked: Mapping[str, str]
) -> DeviceNames:
    """Return what names of the program become in device code; ``linked`` are those of functions of other files."""
    made = [*closure.declarations.values(), *closure.variables.values()]
    words = _ascii_names(made)
    words |= base_file_words((f.scan.source.text for f in unit.files.values()), unit.files[unit.main].scan.source.path)
    words |= linked
    if unit.is_cplusplus:
        return DeviceNames(words, TypeNames(()))
    passed = (unit.tree.node(a.variable.cursor) for k in kernels for a in k.data.attributes)
    tops = [*made, *closure.local_types.values(), *(k.region.owner.node for k in kernels), *passed]
    declared = list(every_declaration(tops, unit.files))
    keywords = _keyword_names(unit, declared, closure.macros.values())
    numbers = complex_words(unit.system.includes("complex.h"), [*map(unit.user_text, closure.macros.values())])
    words |= {**(unit.system.complex_names if unit.system.includes("complex.h") else {}), **keywords}
    return DeviceNames(words, TypeNames((*unit.declarations, *declared)), numbers)


def _ascii_names(declared: Iterable[Node]) -> dict[str, str]:
    """Return the names of functions and variables in declarations that have other letters: those of other files become
    the same there."""
    nodes = (n for top in declared for n in top.walk())
    found = {n.spelling for n in nodes if n.kind in FUNCTION_KINDS or n.kind == "VAR_DECL"}
    return {name: ascii_name(name) for name in found if not name.isascii()}


def _keyword_names(unit: ParsedUnit, declared: Iterable[Node], macros: Iterable[Node]) -> dict[str, str]:
    """Return the names of a C program that are keywords of C++: what it declares, and words of its macros.

    ``and`` of <iso646.h> is an operator, and the words that C has too are names only where they are declared.
    """
    names = {n.spelling for n in declared} & CPLUSPLUS_ONLY
    others = keywords_in(unit.user_text(macro) for macro in macros) - names - TYPED_WORDS
    return {word: c_name(word) for word in names | (others - unit.system.macros.keys() if others else others)}
