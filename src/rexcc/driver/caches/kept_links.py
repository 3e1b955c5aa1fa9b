"""Linked device code that an earlier command has made, in the user's cache.

In: the step that links objects of device code, and their contents. Out: the image, or the step with the key by which
the linker keeps what it makes, if there is nothing to tell of it. An image is known by the words of the step, the
library that links, and the objects: a link of the same files, as after an edit of host code, starts no linker
(decision 063).
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from rexcc.driver.caches import piece_cache
from rexcc.driver.caches.image_cache import SWITCH
from rexcc.driver.caches.included_files import version_of
from rexcc.driver.tools.toolchain import LINKER
from rexcc.source.digests import sha256
from rexcc.source.records import replace
from rexcc.target.commands import Group, Step

_FORM = "1"
"""Of entries: another one is for another content."""


def image_of(steps: Sequence[Step], objects: Sequence[bytes], folder: str) -> tuple[bytes | None, tuple[Step, ...]]:
    """Return the image that steps would make of objects, None where it is not known, and the steps; ``folder`` is the
    command's own, whose name changes each time."""
    if len(steps) != 1 or LINKER not in steps[0].argv or os.environ.get(SWITCH) == "0":
        return None, tuple(steps)
    (step,) = steps
    key = _key(step, objects, folder)
    (kept,) = piece_cache.kept([key])
    if kept is None:
        return None, (replace(step, words=(*step.words, Group((f"{piece_cache.KEEP}{key}",)))),)
    return step.finish.applied(kept) if step.finish is not None else kept, (step,)


def _key(step: Step, objects: Sequence[bytes], folder: str) -> str:
    words = [word.replace(folder, "") for word in step.argv]
    library = step.argv[step.argv.index(LINKER) + 2]
    digests = (sha256(data).hexdigest() for data in objects)
    return piece_cache.key_of((_FORM, version_of(library), str(len(words)), *words, *digests))
