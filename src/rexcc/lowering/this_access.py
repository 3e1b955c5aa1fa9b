"""Regions in methods: ``this`` becomes a kernel parameter.

In: the uses of ``this``, written or implied, in a region. Out: edits: ``this`` is spelled ``__rex_this``, a member
named without an object gets ``__rex_this->``.
"""

from __future__ import annotations

from rexcc.analysis.references import References
from rexcc.lowering.body import DeviceBody


def lower_this(body: DeviceBody, references: References) -> None:
    """Rewrite the uses of ``this``."""
    for node in references.this_uses:
        start = body.start(node)
        if node.kind == "CXX_THIS_EXPR":
            if body.original(node) == "this":
                body.edits.replace(start, start + len("this"), "__rex_this")
            elif not _has_written_member(body.text, start):
                continue
        else:
            body.edits.insert(start, "__rex_this->")


def _has_written_member(text: str, start: int) -> bool:
    return text.startswith("this", start)
