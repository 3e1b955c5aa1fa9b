"""Links device code of several files with a target's library, as a command of its own.

``python -c PROGRAM TARGET LIBRARY OPTION… INPUT… -o OUTPUT``: the options and how the library is called are the
target's (``ToolChain.link``). It prints what that tells, and what is wrong as ``error: …``.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path

from rexcc.target.commands import LinkError
from rexcc.target.known import TARGETS

PROGRAM = f"import sys; sys.path[:] = filter(None, sys.path); from {__name__} import main; sys.exit(main(sys.argv[1:]))"
"""Starts this without the current folder among those of modules: files of the user's there are none of ours."""


def main(arguments: Sequence[str]) -> int:
    """Link as the command line says; return the exit status."""
    name, library, *words, _, output = arguments
    tools = next(target.tools for target in TARGETS if target.name == name)
    options = [word for word in words if word.startswith("-")]
    inputs = [Path(word) for word in words if not word.startswith("-")]
    try:
        image, told = tools.link(ctypes.CDLL(library), options, [(str(path), path.read_bytes()) for path in inputs])
        Path(output).write_bytes(image)
        if told:
            print(told)
    except (LinkError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0
