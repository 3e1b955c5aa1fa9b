"""Device code of shared libraries that a program calls.

In: the command that has linked a program or library. Out: the parts of the shared libraries that it names. The linker
tells which files these are: it is asked only where device code of the linked files lacks something, or has variables.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from rexcc.driver.device_parts import Part, parts_of
from rexcc.driver.plan import Command

_TRACE = "-Wl,--trace"
"""Makes linkers list the files that they read, one a line."""


def library_parts(link: Command) -> list[Part]:
    """Return the parts in the shared libraries of a link, in its order."""
    return [part for path in _libraries(link) for part in parts_of(path, path.name)]


def _libraries(link: Command) -> Iterator[Path]:
    told = subprocess.run([*link.argv, _TRACE], capture_output=True, check=False)
    lines = told.stdout.decode(errors="surrogateescape").splitlines()
    for path in (Path(line) for line in dict.fromkeys(lines)):
        if ".so" in path.name and path.is_file():
            yield path
