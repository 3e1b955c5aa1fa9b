"""Which included files stand in the text that includes them.

In: scanned files. Out: for a place in a text whether it is inside of code (a function, a class), for a file whether it
is made to be included several times, and whether it is a part of the code around it: it ends with a directive, or
begins or ends what another file ends or begins.
"""

from __future__ import annotations

import re
from typing import Protocol, TypeVar

from rexcc.frontend.files import UserFiles
from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.scan import FileScan
from rexcc.openmp.parser import parse_directive
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.lexical import BLANK, CHARACTER, COMMENT, DIRECTIVE, RAW_STRING, STRING
from rexcc.source.patterns import regex

_SKIP = rf"{COMMENT}|{RAW_STRING}|{DIRECTIVE}|(?P<literal>{STRING})|{CHARACTER}"
_CODE = regex(rf"{_SKIP}|(?P<brace>[{{}};])|(?P<word>[\w$]+|[=()])", re.MULTILINE)
_BLANK = regex(BLANK)
_GUARD = regex(
    r"\#[ \t]*(?:ifndef[ \t]+(\w+)|if[ \t]+!\s*defined[ \t]*\(?[ \t]*(\w+)[^\n]*)[^\n]*\n\s*\#[ \t]*define[ \t]+(\w+)"
)
_ONCE = regex(r"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)
_BEGINS = regex(r"\s*(?:begin\b|declare[ _]target\s*$|assumes\b)")
_ENDS = regex(r"\s*end\b")


class _Text(Protocol):
    @property
    def text(self) -> str: ...


PartT = TypeVar("PartT", bound=_Text)


class Nesting:
    """What the end of a text that is read part by part stands in."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._since: list[str] = []

    def passed(self, part: PartT) -> PartT:
        """Read a part and return it."""
        for match in _CODE.finditer(part.text):
            if match["brace"] is not None:
                self._read_brace(match["brace"])
            elif match["word"] is not None or match["literal"] is not None:
                self._since.append(match[0])
        return part

    def _read_brace(self, brace: str) -> None:
        if brace == "{":
            self._open.append(_kind(self._since))
        elif brace == "}" and self._open:
            self._open.pop()
        self._since = []

    @property
    def is_in_code(self) -> bool:
        """Whether a file that is included here is a part of a function or a class, not only a value of a table."""
        inside = [kind for kind in self._open if kind != "scope"]
        return bool(inside) and inside[0] != "value"


def _kind(before: list[str]) -> str:
    """Return what a brace opens, by what stands in front of it."""
    if before[-1:] == ["="]:
        return "value"
    is_space = "namespace" in before and "(" not in before[before.index("namespace") :]
    is_linkage = len(before) > 1 and before[-2] == "extern" and before[-1].startswith('"')
    return "scope" if is_space or is_linkage else "code"


def is_blank(text: str) -> bool:
    """Whether a text holds nothing but blanks and comments."""
    return _BLANK.fullmatch(text) is not None


def is_guarded(scan: FileScan) -> bool:
    """Whether a file is empty when it is included once more."""
    text = scan.source.text
    blank = _BLANK.match(text)
    match = _GUARD.match(text, blank.end() if blank else 0)
    return _ONCE.search(text) is not None or (match is not None and match[3] in (match[1], match[2]))


def is_fragment(scan: FileScan) -> bool:
    """Whether a file's directives concern what stands behind its include line."""
    if not scan.pragmas:
        return False
    last = scan.pragmas[-1]
    behind = _BLANK.match(scan.source.text, last.end)
    if behind is not None and behind.end() == len(scan.source.text):
        directive = parse_directive(last.text, DiagnosticSink())
        if directive is not None and form_of(directive) is Form.BODY:
            return True
    names = [site.text.text for site in scan.pragmas]
    return sum(bool(_BEGINS.match(n)) for n in names) != sum(bool(_ENDS.match(n)) for n in names)


def may_be_inlined(files: UserFiles) -> bool:
    """Whether a file may be included twice, inside of code, or as a part of it, or by a line that includes several."""
    seen: set[str] = set()
    for path in files.scans:
        nesting, at = Nesting(), 0
        for line, target in files.included[path]:
            scan = files.scans[target]
            nesting.passed(_Slice(files.source(path).text[at : line.start]))
            at = line.end
            is_repeated = target in seen and not is_guarded(scan)
            if not line.name or nesting.is_in_code or is_fragment(scan) or is_repeated:
                return True
            seen.add(target)
    return False


class _Slice:
    def __init__(self, text: str) -> None:
        self.text = text
