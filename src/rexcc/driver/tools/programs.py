"""Where programs are, and where temporary files may lie.

In: names and the environment. Out: paths, as ``shutil.which`` and ``tempfile.gettempdir`` give them, without loading
these modules, which every command would pay for (docs/decisions/037-short-commands.md).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rexcc.source.later import later

if TYPE_CHECKING:
    import tempfile
else:
    tempfile = later("tempfile")


def which(name: str, path: str | None = None) -> str | None:
    """Return the path of a program, None for one that is not there; ``path`` are other folders than those of PATH."""
    if os.path.dirname(name):  # noqa: PTH120 - the spelling is kept
        return name if _is_program(name) else None
    folders = os.environ.get("PATH", os.defpath) if path is None else path
    places = (os.path.join(folder, name) for folder in (folders.split(os.pathsep) if folders else ()))  # noqa: PTH118
    return next(filter(_is_program, places), None)


def _is_program(path: str) -> bool:
    return os.access(path, os.X_OK) and not os.path.isdir(path)  # noqa: PTH112


def temporary_folder() -> str:
    """Return the folder of temporary files: that of the environment, or the system's, whichever can be written to."""
    named = (os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    folder = next(filter(None, named), "/tmp")
    usable = os.path.isabs(folder) and os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)  # noqa: PTH112, PTH117
    return folder if usable else tempfile.gettempdir()
