"""What the device headers must not say, because a compiler goes wrong over it."""

from __future__ import annotations

import re

from rexcc import runtime


def test_a_pointer_is_asked_for_one_address_space_only() -> None:
    """nvcc 13.0 mixes up ``__isShared`` and ``__isLocal`` of one pointer (see ``is_shared`` in the reductions)."""
    asked = {
        name
        for header in runtime.INCLUDE.glob("rex_device_*.h")
        for name in re.findall(r"\b__is(\w+)\(", header.read_text())
    }
    assert asked == {"Local"}
