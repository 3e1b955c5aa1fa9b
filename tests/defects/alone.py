"""A process that runs rexcc as a user's shell would, with the modules loaded already."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path

import support
from rexcc.driver.main import main
from rexcc.pipeline import phases  # noqa: F401  and what it loads for files with pragmas, libclang among it


def alone(words: list[str], folder: Path, environment: dict[str, str], outputs: list[Path], shared: Path) -> None:
    """Run rexcc in a folder with an environment; its standard output and errors go to files."""
    try:
        signal.alarm(support.PATIENCE)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for own, output in enumerate(outputs, 1):
            os.dup2(os.open(output, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), own)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        sys.stdin = os.fdopen(0)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape")
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace")
        support.share(shared)
        status = main(words)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        os.write(2, traceback.format_exc().encode())
        status = 1
    os._exit(status)
