"""Namespaces of a device file that the program has not: they keep its names apart from those of others.

In: a unit, its names that the device's language has too, and its mark where devices' linkers may join its code with
that of other units. Out: :class:`OwnNamespaces`: where they stand in the text, the symbols that they give variables.

Two units may each have a variable or a class of one name that is theirs alone. The runtime has to know the device's
symbol of a variable, which cannot be ``static`` therefore; functions that are made of a header's templates for a class
are merged by its name. All of a C file is in a namespace of the unit, for its functions have C's symbols there too; in
C++, whose linkers know functions by their namespaces, the variables are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from clang.cindex import Cursor

from rexcc.analysis.linked_variables import is_of_unit_alone
from rexcc.clang.scopes import namespaces_around
from rexcc.lowering.c.dialect import c_name
from rexcc.program.unit import ParsedUnit
from rexcc.source.lexical import BLANK, COMMENT, LITERAL, RAW_STRING
from rexcc.source.line_directives import OWN
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import ascii_name

# A name, or the end of a template's arguments, in front of ``::``: what follows is inside of that.
_NO_SCOPE = (
    "return else do case throw new delete typename const constexpr static inline volatile mutable extern friend using "
    "virtual struct class enum union sizeof and or not void bool char short int long float double signed unsigned auto"
)
INSIDE = rf"(?:\b(?!(?:{_NO_SCOPE.replace(' ', '|')})\b)[A-Za-z_]\w*{BLANK}|>)::"


@dataclass(frozen=True)
class OwnNamespaces:
    """``around`` is the namespace of the file's whole text, with the reason; ``alone`` that of each variable that is
    the unit's alone. Empty for none. ``clashing`` are the names that there are outside of ``around``, too, ``of_std``
    those of functions of ``std`` that device code finds by using directives."""

    around: str = ""
    why: str = ""
    alone: str = ""
    is_cplusplus: bool = True
    clashing: tuple[str, ...] = ()
    of_std: tuple[str, ...] = ()

    def surround(self, text: str) -> str:
        """Return the file's text in its namespace, whose names are found by ``::name``, too."""
        if not self.around:
            return text
        known = f"namespace {self.around} {{ }} using namespace {self.around};\n" if self.is_cplusplus else ""
        text = self._with_scopes(text) if self.is_cplusplus and self.clashing else text
        head = f"{known}namespace {self.around} {{ /* {self.why} */\n"
        head += "".join(f"using std::{name};\n" for name in self.of_std)
        return f"{head}{text}\n{OWN}\n}} // namespace {self.around}\n"

    def _with_scopes(self, text: str) -> str:
        """Return the text in which ``::max`` is the user's: of a name that the language has at global scope, too, that
        one is found, and the names of a using directive are not asked for."""
        globally = regex(rf"{COMMENT}|{RAW_STRING}|{LITERAL}|{INSIDE}|(?P<scope>::)\s*(?:{'|'.join(self.clashing)})\b")
        found = (match.end("scope") for match in globally.finditer(text) if match["scope"])
        places = [0, *found, len(text)]
        return f"{self.around}::".join(text[start:end] for start, end in pairwise(places))

    def outside(self, text: str) -> str:
        """Return what stands in a namespace of the system's, ``std``, which is another one inside of the file's."""
        if not self.around:
            return text
        return f"}} // namespace {self.around}\n{text}\n{OWN}\nnamespace {self.around} {{\n"

    @property
    def opened(self) -> list[str]:
        """The line that opens the file's namespace again."""
        return [f"namespace {self.around} {{"] if self.around else []

    @property
    def closed(self) -> list[str]:
        """The line that closes it."""
        return [f"}} // namespace {self.around}"] if self.around else []

    def symbol(self, variable: Cursor) -> str:
        """Return the device's symbol of a variable."""
        alone = self.alone if is_of_unit_alone(variable) else ""
        around = [str(space.spelling) for space in reversed(namespaces_around(variable))]
        scopes = [name for name in (self.around, *around, alone) if name]
        name = ascii_name(c_name(str(variable.spelling)))
        return f"_ZN{''.join(map(_mangled, [*scopes, name]))}E" if scopes else name


NO_NAMESPACES = OwnNamespaces()


def own_namespaces(unit: ParsedUnit, clashing: Sequence[str], mark: str, of_std: Sequence[str] = ()) -> OwnNamespaces:
    """Return the namespaces of a unit's device file; ``clashing`` are its names that the device's language has too,
    ``of_std`` those of them that are functions of ``std``."""
    if mark and not unit.is_cplusplus:
        return OwnNamespaces(_of_unit(mark), "code of other files may be linked with this", is_cplusplus=False)
    names = ", ".join(clashing)
    alone = _of_unit(mark) if mark else ""
    why = f"{unit.target.language} has its own: {names}"
    return OwnNamespaces("rex_user" if names else "", why, alone, unit.is_cplusplus, tuple(clashing), tuple(of_std))


def _of_unit(mark: str) -> str:
    return f"rex_unit_{mark}"


def _mangled(name: str) -> str:
    """Return a name as symbols have it (Itanium C++ ABI, 5.1.3): behind its length; each character is a byte."""
    return f"{len(name)}{name}"
