"""Internal errors: what to tell the user when the compiler itself fails.

In: an exception and the user's file. Out: text that names the place in the user's file, the stage and what to do. A
traceback is for the developers of rexcc, who set ``REXCC_DEBUG=1``.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from rexcc.source.text import Span

EXIT_STATUS = 70


def describe(problem: BaseException, path: str | None) -> str:
    """Return the text to print for an unexpected exception while working on ``path``."""
    place = _place(problem) or path or "the command line"
    kind = type(problem).__name__
    lines = [
        f"rexcc: error: internal error while compiling {place} (stage {_stage(problem)}): {kind}: {problem}",
        "rexcc: note: this is a defect of rexcc, not of your program; please report it with the file and the command"
        " line (REXCC_DEBUG=1 shows where in rexcc)",
    ]
    if os.environ.get("REXCC_DEBUG") == "1":
        lines.insert(0, "".join(_traceback().format_exception(problem)).rstrip())
    return "\n".join(lines)


def _traceback() -> Any:
    """Return a library that commands do without as long as nothing fails."""
    return importlib.import_module("traceback")


def _place(problem: BaseException | None) -> str | None:
    """Return the place in the user's file that the exception, or one that caused it, carries."""
    while problem is not None:
        for holder in (problem, getattr(problem, "diagnostic", None)):
            span = getattr(holder, "span", None)
            if isinstance(span, Span):
                return span.place
        problem = problem.__cause__ or problem.__context__
    return None


def _stage(problem: BaseException) -> str:
    """Return the innermost module of rexcc that was at work, such as ``lowering.loops``."""
    modules = [
        str(frame.f_globals.get("__name__", ""))
        for frame, _ in _traceback().walk_tb(problem.__traceback__)
        if str(frame.f_globals.get("__name__", "")).startswith("rexcc.")
    ]
    own = [module for module in modules if not module.startswith(("rexcc.source", "rexcc.driver"))]
    return (own or modules or ["rexcc.unknown"])[-1].removeprefix("rexcc.")
