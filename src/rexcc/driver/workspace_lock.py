"""Private folders for temporary files with a name that can be foreseen.

In: a path in a temporary directory that others may write to as well. Out: that folder, empty, ours and locked, or the
answer that it cannot be had. Nothing that somebody has put there is opened or followed: a folder of another user, one
that others may write to, and a symbolic link are left alone, and what lies in a folder of our own is removed unread.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from pathlib import Path

_ATTEMPTS = 3


def take(folder: str) -> int | None:
    """Make the folder, or take one that an earlier process left; return what holds its lock, None where it is taken."""
    for _ in range(_ATTEMPTS):
        try:
            Path(folder).mkdir(mode=0o700)
        except FileExistsError:
            pass
        except OSError:
            return None
        handle = _opened(folder)
        if handle is None:
            return None
        if _is_still(folder, handle):
            try:
                _empty(folder)
            except OSError:
                os.close(handle)
                return None
            return handle
        os.close(handle)  # its owner has removed it in the meantime
    return None


def _opened(folder: str) -> int | None:
    """Open and lock a folder that is ours alone."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        found = os.fstat(handle)
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
            raise PermissionError
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _is_still(folder: str, handle: int) -> bool:
    try:
        return os.path.samestat(Path(folder).lstat(), os.fstat(handle))
    except OSError:
        return False


def _empty(folder: str) -> None:
    for path in list(Path(folder).iterdir()):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
