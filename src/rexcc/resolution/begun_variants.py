"""Functions between ``begin declare variant`` and ``end declare variant`` get names of their own (OpenMP 5.2, 7.5.5).

In: the user's files. Out: files in which each such function has the name of its base function with the line of the
directive, and the variants. What fits no device of the build is switched off; what fits only devices is hidden from
the host compiler. Definitions are found in the text, for clang takes no two with one name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.contexts import HOST, Context, Device, match
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.selectors import ContextSelector, MatchClause
from rexcc.resolution.choices import literal_value
from rexcc.resolution.delimited import pairs, place_of
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.lexical import COMMENT, DIRECTIVE, LITERAL
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import SourceText, Span

_TOKEN = regex(
    rf"(?P<skip>{COMMENT}|{LITERAL}|{DIRECTIVE})|(?P<word>[^\W\d]\w*)|(?P<mark>[(){{}};]|::)",
    re.MULTILINE,
)
_NO_FUNCTIONS = frozenset(
    {"__attribute__", "__attribute", "__declspec", "noexcept", "alignas", "decltype", "__asm__", "asm", "throw",
     "__launch_bounds__", "requires"}
)  # fmt: skip


@dataclass(frozen=True)
class BegunVariant:
    """A function that was written under the name of its base function; ``span`` is the directive's."""

    base: str
    name: str
    selector: ContextSelector
    span: Span


def rename_begun(
    files: UserFiles, devices: tuple[Device, ...], sink: DiagnosticSink
) -> tuple[UserFiles, list[BegunVariant]]:
    """Return the files with renamed functions, and the variants."""
    sources: dict[str, SourceText] = {}
    variants: list[BegunVariant] = []
    for name, scan in files.scans.items():
        changes: list[Replacement] = []
        for pair in pairs(scan, "declare variant")[0]:
            selector = _selector(pair.begin)
            if pair.end is None:
                message = "'begin declare variant' without 'end declare variant'"
                sink.error("omp-unmatched-begin", message, place_of(pair.begin))
            if pair.end is None or selector is None:
                continue
            hidden = _hiding(selector, devices)
            opened = f"{hidden} " if hidden else ""
            changes.append(Replacement(pair.begin.start, pair.begin.end, (opened + _comment(pair.begin),)))
            closed = "#endif " if hidden else ""
            changes.append(Replacement(pair.end.start, pair.end.end, (closed + _comment(pair.end),)))
            if hidden != _NEVER and not _open_conditions(selector, sink):
                span = Span(scan.source, pair.begin.start, pair.end.end)
                made = list(_renamed(pair.begin, pair.end, selector, sink))
                if hidden:
                    made = [one for one in made if _is_named_outside(files, span, one[0].base)]
                variants += [variant for variant, _ in made]
                changes += [change for _, change in made]
        if changes:
            sources[name] = rewrite(scan.source, changes)
    return (rewritten(files, sources) if sources else files), variants


_NEVER = "#if 0"
_ON_DEVICES = "#ifndef REX_KMP_H"
"""Only the host file includes that header."""


def has_hidden(text: str) -> bool:
    """Whether a file has places that the host compiler does not see."""
    return f"{_ON_DEVICES} /*" in text


def is_hidden(text: str, at: int) -> bool:
    """Whether the host compiler does not see a place of a file in which functions have their names."""
    start = text.rfind(f"{_ON_DEVICES} /*", 0, at)
    return start >= 0 and text.find("#endif /*", start, at) < 0


def _hiding(selector: ContextSelector, devices: tuple[Device, ...]) -> str:
    """Return the line that hides functions from compilers that never call them, or nothing."""
    fits = [_may_fit(selector, device) for device in (HOST, *devices)]
    if not any(fits):
        return _NEVER
    return "" if fits[0] else _ON_DEVICES


def _may_fit(selector: ContextSelector, device: Device) -> bool:
    """Whether a selector fits a device in some place of the program."""
    everywhere = tuple(t for t in selector.traits if t.set in ("device", "implementation") and t.name != "requires")
    context = Context((), device, frozenset(), (), literal_value)
    return match(ContextSelector(everywhere), context) is not None


def _open_conditions(selector: ContextSelector, sink: DiagnosticSink) -> bool:
    """Whether a selector has conditions that are no literals; reports them."""
    opened = [t for t in selector.of("user") if t.expression is not None and literal_value(t.expression) is None]
    for trait in opened:
        message = "the condition of 'begin declare variant' has to be a literal here"
        sink.error("omp-variant-condition", message, trait.span)
    return bool(opened)


def _comment(site: PragmaSite) -> str:
    return f"/* {site.original.replace('/*', '/ *').replace('*/', '* /')} */"


def _selector(site: PragmaSite) -> ContextSelector | None:
    directive = parse_directive(site.text, DiagnosticSink())
    clauses = directive.of_type(MatchClause) if directive is not None else iter(())
    return next((clause.selector for clause in clauses), None)


def _renamed(
    begin: PragmaSite, end: PragmaSite, selector: ContextSelector, sink: DiagnosticSink
) -> Iterator[tuple[BegunVariant, Replacement]]:
    """Yield each function between two directives, with the new name in its definition."""
    source = begin.source
    span = Span(source, begin.start, begin.end)
    for at, name, is_plain in _definitions(source.text, begin.end, end.start):
        if not is_plain:
            place = Span(source, at, at + len(name))
            message = "only functions that are no members and no operators can have variants in this form yet"
            sink.error("unsupported-variant", message, place)
            continue
        new = f"{name}__variant_{source.users_line(begin.start)}"
        yield BegunVariant(name, new, selector, span), Replacement(at, at + len(name), (new,))


def _is_named_outside(files: UserFiles, block: Span, name: str) -> bool:
    """Whether a name stands in a place outside of a block: a function that only its variants call keeps its name."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    for scan in files.scans.values():
        found = word.finditer(scan.source.text)
        if any(scan.source is not block.source or not block.start <= m.start() < block.end for m in found):
            return True
    return False


def _definitions(text: str, start: int, end: int) -> Iterator[tuple[int, str, bool]]:
    """Yield offset and name of the functions that are defined in a range, and whether the name is a plain one."""
    depth = 0
    words: list[tuple[int, str]] = []
    found: tuple[int, str, bool] | None = None
    after_scope = False
    for token in _TOKEN.finditer(text, start, end):
        mark = token["mark"]
        if token["skip"] is not None and '"' not in token["skip"][:1]:
            continue
        if depth:
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(mark or "", 0)
            if depth == 0 and mark == "}":
                words, found = [], None
            continue
        if token["word"]:
            words.append((token.start(), token["word"]))
            after_scope = text[: token.start()].rstrip().endswith("::")
        elif mark == "(":
            depth = 1
            if found is None and words and words[-1][1] not in _NO_FUNCTIONS:
                found = (*words[-1], not after_scope and words[-1][1] != "operator")
        elif mark == "{" and found is not None:
            yield found
            depth = 1
        elif mark == "{" and not {"namespace", "extern"}.isdisjoint(word for _, word in words):
            words = []
        elif mark == "{":
            depth = 1
        elif mark in (";", "}"):
            words, found = [], None
