"""What remarks are about, by the codes that users name in ``-Rrex=`` and find in the output."""

from __future__ import annotations

from enum import Enum

MAP_REMARK = "rex-map"
"""What each construct maps, with the entries as notes."""


class Topic(Enum):
    """What a remark is about; the value is its code."""

    KERNEL = "rex"
    """The path that a region takes, its kernel and its launch."""

    LOOP = "rex-loop"
    """How many iterations of the shared loop a thread takes side by side."""

    MEMORY = "rex-memory"
    """Elements that live in locals, what is computed before a loop, what is loaded as memory that never changes."""

    ACCESS = "rex-access"
    """Accesses by which threads that run together reach memory that does not lie together."""

    QUEUE = "rex-queue"
    """Whether the host waits for a kernel before it goes on, and what would see that it does not."""
