"""Which directive a pragma names.

In: the tokens of a pragma. Out: a :class:`NameMatch`: the construct with the longest name that is spelt there, and
where its clauses start. A misspelt name is reported with the nearest canonical one, which parsing goes on with, so
that errors in the clauses are reported in the same run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rexcc.openmp.clauses import CLAUSES, Shape
from rexcc.openmp.lexer import Part, TokenStream
from rexcc.openmp.tables import CLAUSE_ROWS, CONSTRUCTS, LEAF_ROWS, NAME_TREE, Construct, NameTree
from rexcc.source.diagnostics import DiagnosticSink, Fixes, respelt
from rexcc.source.records import dataclass
from rexcc.source.spelling import is_one_slip, nearest

_CLOSE = 0.75
_VERY_CLOSE = 0.9
_DIRECTIVE_WORDS = frozenset(word for name in CONSTRUCTS for word in name.split())
CONSTRUCT_FLAGS = frozenset(row.name for row in CLAUSES if row.shape is Shape.FLAG and row.name in LEAF_ROWS)
"""Directive names that ``cancel`` and ``ordered`` take as clauses."""


@dataclass(frozen=True)
class NameMatch:
    """The construct, the index of the first token after its name, and whether the name was right."""

    construct: Construct
    after: int
    correct: bool


@dataclass(frozen=True)
class _Walk:
    """Where the words of a pragma lead in the tree of names, and the last whole name on the way (None: none)."""

    node: NameTree
    index: int
    construct: Construct | None
    after: int


def match_name(stream: TokenStream, sink: DiagnosticSink) -> NameMatch | None:
    """Return the directive that a pragma names; None, after an error, when nothing like it is known."""
    if not stream.is_word(0):
        place = stream.span(Part(0, min(1, len(stream))))
        sink.error("omp-missing-directive", "expected the name of an OpenMP directive", place)
        return None
    walk = _walk(stream, _Walk(NAME_TREE, 0, None, 0), cutoff=1.0)
    if walk.construct and walk.index == walk.after and not _is_wrong_word(stream, walk):
        return NameMatch(walk.construct, walk.after, correct=True)
    match = _guess(stream, walk)
    _report(stream, walk, match, sink)
    return match


def _guess(stream: TokenStream, walk: _Walk) -> NameMatch | None:
    """Return the directive that is probably meant where the words leave the tree of names."""
    words = stream.words(Part(0, walk.index + 1))
    near = _walk(stream, walk, cutoff=_CLOSE)
    joined = _nearest(" ".join(words), CONSTRUCTS, _VERY_CLOSE) if stream.is_word(walk.index) else ""
    is_whole = near.construct is not None and near.construct is not walk.construct and near.index == near.after
    if near.construct and is_whole and not is_one_slip(" ".join(words), joined):
        return NameMatch(near.construct, near.after, correct=False)
    if len(joined.split()) > len(words):
        return NameMatch(
            CONSTRUCTS[joined], _after(stream, walk.index + 1, joined.split()[len(words) :]), correct=False
        )
    if near.construct and near.construct is not walk.construct:
        return NameMatch(near.construct, near.after, correct=False)
    stop = _name_stop(stream, walk.index)
    if _is_incomplete(walk):
        words = words[: walk.index]
        name = next((name for name in CONSTRUCTS if name.split()[: len(words)] == words), "")
    else:
        stop = max(stop, walk.index + 1)
        name = _nearest_name(stream.words(Part(0, stop)))
    return NameMatch(CONSTRUCTS[name], stop, correct=False) if name else None


def _after(stream: TokenStream, index: int, rest: Sequence[str]) -> int:
    """Return the index after those of a guessed name's remaining words that stand there."""
    for word in rest:
        if not stream.is_word(index) or stream.text(index) != word:
            break
        index += 1
    return index


def _is_incomplete(walk: _Walk) -> bool:
    return walk.index > walk.after


def _report(stream: TokenStream, walk: _Walk, match: NameMatch | None, sink: DiagnosticSink) -> None:
    """Report the first word that is wrong, or the last one of a name that lacks its end."""
    lacks_end = _is_incomplete(walk) and (match is None or match.after == walk.index)
    wrong = walk.index - 1 if lacks_end else walk.index
    words = stream.words(Part(0, _name_stop(stream, 1)))
    is_slip = match is not None and is_one_slip(" ".join(words), match.construct.name)
    if words[:1] == ["end"] and " ".join(words[1:]) in CONSTRUCTS and not is_slip:
        name = " ".join(words[1:])
        message = f"unknown directive 'end {name}': it is Fortran's; in C and C++ '{name}' ends with its statement"
        sink.error("omp-unknown-directive", message, stream.span(Part(0, len(words))))
        return
    hint = f"; did you mean '{match.construct.name}'?" if match else ""
    message = f"{'incomplete' if lacks_end else 'unknown'} directive '{' '.join(stream.words(Part(0, wrong + 1)))}'"
    fixes = _renamed(stream, match) if match else ()
    sink.error("omp-unknown-directive", message + hint, stream.span(Part(wrong, wrong + 1)), fixes=fixes)


def _renamed(stream: TokenStream, match: NameMatch) -> Fixes:
    """Return what to write instead of the words of a wrong name: only the wrong ones where their number is right."""
    part = Part(0, match.after)
    written, meant = stream.words(part), match.construct.name.split()
    if len(written) != len(meant):
        return respelt(stream.span(part), " ".join(written), match.construct.name)
    pairs = [(i, *pair) for i, pair in enumerate(zip(written, meant, strict=True)) if pair[0] != pair[1]]
    fixes = [respelt(stream.span(Part(i, i + 1)), word, right) for i, word, right in pairs]
    return tuple(fix for found in fixes for fix in found) if all(fixes) else ()


def _name_stop(stream: TokenStream, index: int) -> int:
    """Return the index after the words from ``index`` on that look like parts of a directive's name."""
    while stream.is_word(index) and stream.text(index) in _DIRECTIVE_WORDS and stream.text(index + 1) != "(":
        index += 1
    return index


def _walk(stream: TokenStream, start: _Walk, cutoff: float) -> _Walk:
    """Follow the words from a node on, exactly or, with a lower cutoff, by the nearest word."""
    node, index, construct, after = start.node, start.index, start.construct, start.after
    while stream.is_word(index):
        word = stream.text(index)
        if word not in node.children and construct and word in construct.clauses:
            break
        child = node.children.get(word) or node.children.get(_nearest(word, node.children, cutoff))
        if child is None:
            break
        node = child
        index += 1
        if node.construct:
            construct, after = node.construct, index
    return _Walk(node, index, construct, after)


def _nearest(word: str, known: Iterable[str], cutoff: float) -> str:
    """Return the known word most like another, a word with two letters swapped too, or nothing."""
    if cutoff >= 1.0:
        return ""
    words = list(known)
    swapped = [other for other in words if sorted(other) == sorted(word.lower())]
    return nearest(word, words, cutoff) or next(iter(swapped), "")


def _is_wrong_word(stream: TokenStream, walk: _Walk) -> bool:
    """Whether the word after a whole name is part of a wrong name, such as ``target distribut``, and no clause."""
    construct, index = walk.construct, walk.index
    if construct is None or not stream.is_word(index) or stream.text(index) in construct.clauses:
        return False
    word = stream.text(index)
    if word in CLAUSE_ROWS and word not in CONSTRUCT_FLAGS:
        return False
    if word in _DIRECTIVE_WORDS:
        return word in walk.node.children or not any(is_one_slip(word, flag) for flag in construct.clauses)
    if stream.text(index + 1) == "(":
        return False
    near = _nearest(word, [*walk.node.children, *construct.clauses], _CLOSE)
    if near in construct.clauses:
        return False
    return near in walk.node.children or _nearest_name(stream.words(Part(0, index + 1))) not in ("", construct.name)


def _nearest_name(words: Sequence[str]) -> str:
    """Return the canonical name most like some words, or the shortest that has them all in this order, or nothing."""
    spelt = " ".join(words)
    near = _nearest(spelt, CONSTRUCTS, _VERY_CLOSE if len(words) > 1 else _CLOSE)
    if near or len(words) < 2:
        return near
    longer = [name for name in CONSTRUCTS if _is_subsequence(words, name.split())]
    return min(longer, key=len, default="")


def _is_subsequence(words: Sequence[str], of: Sequence[str]) -> bool:
    rest = iter(of)
    return all(word in rest for word in words)
