"""Whether a program names devices itself (OpenMP 5.2, 13.2 and 18.8): then which one is the default matters to it.

In: a parsed unit. Out: whether a construct has a ``device`` clause, or a routine is given a device's number, other than
that of the default device or of the host. Routines are looked for in the text: a file that gives them a literal, or
nowhere asks for the default device, has numbers of its own. What this does not see the runtime does (``rex_spread.h``).
"""

from __future__ import annotations

from rexcc.analysis.device_constructs import all_constructs
from rexcc.openmp.model import ExpressionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING
from rexcc.source.patterns import regex

_DEFAULT = "omp_get_default_device"
_NAMELESS = regex(rf"\(*\s*(?:{_DEFAULT}|omp_get_initial_device)\s*\(\s*\)\s*\)*")
_NO_CODE = regex(rf"{RAW_STRING}|{LITERAL}|{COMMENT}")
_ROUTINE = (
    r"\b(?:omp_target_(?:alloc|memcpy|memset|associate_ptr|is_present|is_accessible)\w*|omp_get_mapped_ptr"
    r"|llvm_omp_target_alloc\w*)\s*\("
)
_ROUTINES = regex(_ROUTINE)
_LITERALS = regex(rf"{_ROUTINE}(?:[^();]|\((?:[^();]|\([^();]*\))*\))*,\s*[0-9]\w*\s*\)")
"""A call whose last argument, which is a device's number, is a literal."""


def names_devices(unit: ParsedUnit) -> bool:
    """Whether a unit's constructs or calls name devices."""
    texts = (file.scan.source.text for file in unit.files.values())
    return any(map(_has_number, all_constructs(unit))) or any(map(_gives_numbers, texts))


def _has_number(construct: Construct) -> bool:
    clauses = construct.directive.named("device")
    return any(isinstance(c, ExpressionClause) and not _NAMELESS.fullmatch(c.expression.text.strip()) for c in clauses)


def _gives_numbers(text: str) -> bool:
    if "omp_" not in text or _ROUTINES.search(text) is None:
        return False
    code = _NO_CODE.sub(" ", text)
    return _LITERALS.search(code) is not None or (_ROUTINES.search(code) is not None and _DEFAULT not in code)
