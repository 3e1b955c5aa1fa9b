"""How the preprocessor came to a header: the ``#include`` lines from the main file to it.

In: the user's files, and diagnostics. Out: the same diagnostics, each in a header with these lines, so that a person
sees which of his files it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rexcc.frontend.files import UserFiles
from rexcc.source.diagnostics import Diagnostic
from rexcc.source.records import replace
from rexcc.source.text import Span

Chains = Mapping[str, tuple[Span, ...]]


def inclusion_chains(files: UserFiles) -> Chains:
    """Return the shortest way to each file, the main file's line first."""
    found: dict[str, tuple[Span, ...]] = {files.main: ()}
    waiting = [files.main]
    while waiting:
        name = waiting.pop(0)
        for line, target in files.included.get(name, ()):
            if target not in found:
                found[target] = (*found[name], Span(files.source(name), line.start, line.end))
                waiting.append(target)
    return found


def with_inclusions(found: Iterable[Diagnostic], files: UserFiles) -> tuple[Diagnostic, ...]:
    """Return diagnostics with the lines that include the file in which they are."""
    kept = tuple(found)
    if not any((d.span is not None and d.span.source.path != files.main) or _is_joined(d) for d in kept):
        return kept
    chains = inclusion_chains(files)
    return tuple(replace(d, included=_chain(d, chains)) for d in kept)


def _is_joined(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic is about a text in which other files stand in place of lines that include them."""
    return diagnostic.span is not None and diagnostic.span.source.includes


def _chain(diagnostic: Diagnostic, chains: Chains) -> tuple[Span, ...]:
    span = diagnostic.span
    if span is None:
        return ()
    users = span.source.users_path(span.start)
    return chains.get(users, chains.get(span.source.path, ()))
