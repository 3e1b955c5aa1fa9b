"""Metadirectives that the running program decides become ``if`` statements.

In: the choices of a unit. Out: a new text of each file with such a metadirective: an ``if`` with a branch for each
directive to try, in which it stands in front of a copy of the statement::

    /* #pragma omp metadirective … */
    if (n > 100) {
    #pragma omp target teams distribute parallel for
      for (…) …
    } else {
    #pragma omp parallel for
      for (…) …
    }

A label is one of the whole function, so those of the statement have other names in the copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.statements import statement_end
from rexcc.openmp.contexts import Condition
from rexcc.openmp.unparse import unparse
from rexcc.program.constructs import Construct
from rexcc.resolution.choices import Branch, Choice
from rexcc.resolution.rewriting import Range, Replacement
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.own_names import related


def branching(choices: Iterable[Choice], sink: DiagnosticSink) -> dict[str, list[Replacement]]:
    """Return the replacements of the outermost metadirectives that the program decides, by file."""
    found: dict[str, list[Replacement]] = {}
    for choice in choices:
        if choice.is_static:
            continue
        construct = choice.construct
        if construct is None:
            message = "a metadirective among declarations needs conditions that the compiler knows"
            sink.error("omp-metadirective-condition", message, choice.directive.span)
            continue
        path = construct.probe.site.source.path
        made = _replacement(construct, _agreed(choice, sink))
        if not any(r.start <= made.start < r.end for r in found.get(path, ())):
            found.setdefault(path, []).append(made)
    return found


def _agreed(choice: Choice, sink: DiagnosticSink) -> tuple[Branch, ...]:
    """Return the branches of the text, which host and device code share outside target regions."""
    if choice.in_region:
        return choice.device
    launches = any(b.variant is not None and "target" in b.variant.leaves for b in choice.host)
    if choice.host != choice.device and not launches:
        message = "this metadirective would choose by its condition and, besides, differently on host and device"
        sink.error("unsupported-metadirective", message, choice.directive.span)
    return choice.host


def _replacement(construct: Construct, branches: tuple[Branch, ...]) -> Replacement:
    site, source = construct.probe.site, construct.file.scan.source
    has_body = form_of(construct.directive) is Form.BODY
    end = statement_end(construct.file, construct.body) if has_body and construct.body is not None else site.end
    body = (_end_of_line(source.text, site.end), end)
    indent = _indent(source.text, construct.file.original(construct.body.start) if construct.body else site.start)
    original = site.original.replace("/*", "/ *").replace("*/", "* /")
    parts: list[str | Range] = [f"/* {original} */\n{indent}"]
    for number, branch in enumerate(branches):
        if not has_body and branch.variant is None and number == len(branches) - 1:
            break
        parts.append(_head(branch, number) + "\n")
        if branch.variant is not None:
            parts.append(f"#pragma omp {unparse(branch.variant)}\n")
        if has_body:
            parts += _copy(construct, body, number)
        parts.append(f"\n{indent}}}" if has_body else f"{indent}}}")
    return Replacement(site.start, end, tuple(parts))


def _copy(construct: Construct, body: Range, number: int) -> Iterator[str | Range]:
    """Yield the text of a statement for the branch of a number."""
    at = body[0]
    for start, end, name in _labels(construct) if number else ():
        yield at, start
        yield related("branch", name, str(number))
        at = end
    yield at, body[1]


def _labels(construct: Construct) -> list[tuple[int, int, str]]:
    """Return where the text of a construct's statement names labels of its own, in order."""
    if construct.body is None:
        return []
    file, nodes = construct.file, list(construct.body.walk())
    own = {node.spelling for node in nodes if node.kind == "LABEL_STMT"}
    named = (n for n in nodes if n.kind in ("LABEL_STMT", "LABEL_REF") and n.spelling in own)
    found = ((file.original(node.start), node.spelling) for node in named)
    text = file.scan.source.text
    return sorted((at, at + len(name), name) for at, name in found if text.startswith(name, at))


def _indent(text: str, offset: int) -> str:
    """Return the blanks that the line of an offset begins with."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]


def _end_of_line(text: str, offset: int) -> int:
    """Return where the line behind a directive begins, or what stands behind it on its own line."""
    rest = text[offset:].lstrip(" \t\r")
    return len(text) - len(rest) + 1 if rest.startswith("\n") else offset


def _head(branch: Branch, number: int) -> str:
    if not branch.conditions:
        return " else {"
    condition = " && ".join(_text(c, len(branch.conditions) > 1) for c in branch.conditions)
    return f"{' else ' if number else ''}if ({condition}) {{"


def _text(condition: Condition, among_others: bool) -> str:
    text = " ".join(condition.expression.text.split())
    if condition.on_host is not None:
        return f"({text}) {'==' if condition.on_host else '!='} omp_get_initial_device()"
    return f"({text})" if among_others else text
