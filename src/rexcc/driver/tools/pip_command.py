"""The pip that installs beside this rexcc: the ``pip`` on PATH may be that of another Python.

In: this Python, and PATH. Out: the words of a command.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from pathlib import Path

_PIP = "pip "


def pip_command() -> tuple[str, ...]:
    """Return the command of this environment's pip; one that uv has made has none of its own."""
    if importlib.util.find_spec("pip") is None and shutil.which("uv"):
        return ("uv", "pip")
    return (sys.executable, "-m", "pip")


def in_this_environment(advice: str) -> str:
    """Return advice that begins with a command of pip's as the shell must have it; any other as it is."""
    found = shutil.which("pip") if advice.startswith(_PIP) else None
    beside = os.path.realpath(Path(sys.executable).parent)
    if not advice.startswith(_PIP) or (found and os.path.realpath(Path(found).parent) == beside):
        return advice
    return f"{shlex.join(pip_command())} {advice.removeprefix(_PIP)}"
