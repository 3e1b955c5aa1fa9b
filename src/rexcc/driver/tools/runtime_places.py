"""The folders in which LLVM's OpenMP runtime may lie: those of distributions, of Python's packages, and the user's own.

In: a root, the environment, Python's folders of packages. Out: folders, of which any may be missing. Which of the
runtimes in them is taken is the matter of ``omp_runtimes``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_LAYOUTS = (
    "usr/lib/llvm-*/lib",  # Debian, Ubuntu
    "usr/lib64/llvm*/lib64",  # Fedora, RHEL: versions beside the distribution's own
    "usr/lib/llvm/*/lib64",  # Gentoo
    "usr/lib64",  # Fedora, RHEL, SUSE
    "usr/lib",  # Arch
    "usr/local/lib64",
    "usr/local/lib",
)
WHEEL_FOLDERS = ("numba/openmp/libs/openmp/lib",)
"""Where packages of PyPI have it, below a folder of packages: pyomp."""


def folders_below(root: Path) -> Iterator[Path]:
    """Yield the folders of distributions: on the machine itself, or where their packages were unpacked."""
    for layout in _LAYOUTS:
        yield from sorted(root.glob(layout)) if "*" in layout else (root / layout,)


def folders_of_packages(path: Sequence[str]) -> Iterator[Path]:
    """Yield the folders of PyPI's packages below those in which Python looks for modules."""
    yield from (Path(entry) / folder for entry in path if entry for folder in WHEEL_FOLDERS)


def user_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder for what is installed for this user alone; a relative name counts for nothing, as XDG says."""
    base, home = Path(environment.get("XDG_DATA_HOME", "")), Path(environment.get("HOME", ""))
    if base.is_absolute():
        return base / "rexcc"
    return home / ".local/share/rexcc" if home.is_absolute() else None
