"""Directives that no stage rewrites become comments in device text.

In: a piece of device code with its edits. Out: one more edit for each directive that would stand there as it is.
"""

from __future__ import annotations

from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import commented


def comment_pragmas(body: DeviceBody, start: int, end: int) -> None:
    """Make comments of the OpenMP directives in a copied text that nothing has rewritten."""
    for site in body.file.scan.pragmas_in(start, end):
        if site.end <= end and body.edits.is_free(site.start, site.end):
            body.edits.replace(site.start, site.end, commented(site.original))
