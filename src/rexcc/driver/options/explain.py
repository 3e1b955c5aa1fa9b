"""The texts behind the codes of diagnostics: ``rexcc --explain CODE``.

In: ``rexcc/explanations/CODE.md``, one file per code: a title, the cause, the section of the specification, a program
that is wrong and one that is right. Out: :class:`Explanation`, and its text for a terminal. A test insists that every
code that is reported has such a file, and that the two programs are what they say.
"""

from __future__ import annotations

import re
from pathlib import Path

from rexcc.driver.options.command_parts import UsageError
from rexcc.source.diagnostics import did_you_mean
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

ALL = "all"
FOLDER = Path(__file__).parents[2] / "explanations"
_LAYOUT = regex(
    r"# (?P<code>[a-z0-9-]+): (?P<title>[^\n]+)\n\n(?P<text>.+?)\n\nSpecification: (?P<specification>[^\n]+)\n\n"
    r"Wrong:\n\n```(?P<language>c|cpp)\n(?P<wrong>.+?\n)```\n\nRight:\n\n```(?P=language)\n(?P<right>.+?\n)```\n",
    re.DOTALL,
)


@dataclass(frozen=True)
class Explanation:
    """What one file says; ``language`` is that of the two programs, ``c`` or ``cpp``."""

    code: str
    title: str
    text: str
    specification: str
    language: str
    wrong: str
    right: str


def known_codes() -> tuple[str, ...]:
    """Return all codes that have an explanation, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.md")))


def explanation(code: str) -> Explanation:
    """Return the explanation of a code; raise UsageError, naming the nearest one, where there is none."""
    known = known_codes()
    if code not in known:
        raise UsageError(
            f"no error or warning has the code '{code}'{did_you_mean(code, known) or '; --explain all shows them'}"
        )
    found = _LAYOUT.fullmatch((FOLDER / f"{code}.md").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{code}.md does not have the layout of an explanation")
    return Explanation(**found.groupdict())


def explained(code: str) -> str:
    """Return what ``--explain`` prints, the text behind a code or, for ``all``, a list of codes."""
    if code == ALL:
        return listed()
    found = explanation(code)
    return "\n".join(
        (
            f"{found.code}: {found.title}",
            "",
            found.text,
            "",
            f"Specification: {found.specification}",
            *_example("Wrong:", found.wrong),
            *_example("Right:", found.right),
        )
    )


def listed() -> str:
    """Return all codes with their titles, one on a line."""
    return "\n".join(f"{code:<34} {explanation(code).title}" for code in known_codes())


def _example(title: str, program: str) -> list[str]:
    return ["", title, "", *(f"    {line}".rstrip() for line in program.rstrip("\n").split("\n"))]
