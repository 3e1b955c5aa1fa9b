"""A run whose findings end up in one document on standard error.

In: the options and the work. Out: its exit status. Everything that the work would have written to standard error,
messages of the compilers included, becomes part of the document, so that a program can read it.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable

from rexcc.driver.messages.documents import json_document, sarif_document
from rexcc.driver.messages.findings import Entry, entries_of_text, entry_of
from rexcc.driver.messages.report import Write
from rexcc.driver.options.command_line import Options


def document_run(options: Options, work: Callable[[Write], int]) -> int:
    """Do the work, write the document, return the exit status of the work."""
    found: list[Entry] = []
    caught = io.BytesIO()
    text = io.TextIOWrapper(caught, encoding="utf-8", errors="surrogateescape", write_through=True)
    with contextlib.redirect_stderr(text):
        status = work(lambda diagnostic: found.append(entry_of(diagnostic)))
    found += entries_of_text(caught.getvalue().decode("utf-8", errors="replace"))
    sarif = options.diagnostics == "sarif"
    print(sarif_document(found, options.argv, status) if sarif else json_document(found), file=sys.stderr)
    return status
