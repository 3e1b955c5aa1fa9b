"""Where missing parts come from: the one command that this user can give on this machine.

In: :class:`Means`, what the machine has for installing, and who the user is. Out: a command as text. LLVM's runtime
also comes from PyPI into the user's folder, for those who are not root; compilers come from the system alone.
"""

from __future__ import annotations

import grp
import os
import platform
import shlex
import shutil
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from rexcc.driver.tools.pip_command import pip_command
from rexcc.driver.tools.runtime_places import user_folder
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.target.llvm_abi import PREFERRED

RUNTIME_WHEEL = "pyomp==0.6.0"
"""A package of PyPI that contains libomptarget of LLVM 22 with its libomp, for Linux of any kind with glibc 2.28."""


class Part(Enum):
    """A part that the system's packages bring."""

    COMPILERS = "gcc with g++, or clang"
    RUNTIME = "LLVM's OpenMP runtime with libomptarget"


_INSTALL = {"apt-get": "install", "dnf": "install", "zypper": "install", "pacman": "-S"}
"""The package managers that are looked for, in this order."""
_PACKAGES = {
    Part.COMPILERS: {"apt-get": "g++", "dnf": "gcc-c++", "zypper": "gcc-c++", "pacman": "gcc"},
    Part.RUNTIME: {
        "apt-get": f"libomp-{PREFERRED}-dev",
        "dnf": "libomp",
        "zypper": f"libomp{PREFERRED}-devel",
        "pacman": "openmp",
    },
}
_FIRST_RELEASES = {"debian": 12.0, "ubuntu": 24.04}
"""The first releases that have the runtime's package."""
_GROUPS_OF_SUDO = ("sudo", "wheel", "admin")
_RELEASE = regex(r'^(ID|VERSION_ID)="?([\w.]*)"?$')
_WHEELS_PLATFORMS = ("x86_64", "aarch64")
_WHEELS_BEFORE_PYTHON = (3, 15)


@dataclass(frozen=True)
class Means:
    """What the user of a machine can install with.

    ``manager`` is its package manager, and ``has_runtime`` whether that has the runtime; ``pip`` is the pip of this
    Python, ``folder`` the user's, in which packages are found by every rexcc of his; both are empty where what is on
    PyPI does not run.
    """

    manager: str = ""
    has_runtime: bool = True
    is_root: bool = False
    has_sudo: bool = False
    pip: tuple[str, ...] = ()
    folder: str = ""


def remedy(part: Part, means: Means) -> str:
    """Return the command that installs a part, or what to ask for where this user has none."""
    package = _PACKAGES[part].get(means.manager, "") if part is not Part.RUNTIME or means.has_runtime else ""
    command = f"{means.manager} {_INSTALL[means.manager]} {package}" if package else ""
    if command and means.is_root:
        return command
    if command and means.has_sudo:
        return f"sudo {command}"
    if part is Part.RUNTIME and means.pip:
        return shlex.join(runtime_command(means))
    return f"{command}   (as root)" if command else f"install {part.value}"


def runtime_command(means: Means) -> tuple[str, ...]:
    """Return the command that brings the runtime into the user's folder. The package's own dependencies are for
    programs in Python."""
    return (*means.pip, "install", "--no-deps", "--target", means.folder, RUNTIME_WHEEL)


def means(environment: Mapping[str, str]) -> Means:
    """Look at this machine and its user."""
    manager = next((name for name in _INSTALL if shutil.which(name)), "")
    folder = user_folder(environment)
    fits = folder is not None and _wheel_runs(platform.machine(), platform.libc_ver()[0], sys.version_info[:2])
    return Means(
        manager,
        has_runtime=is_recent(_os_release()),
        is_root=os.geteuid() == 0,
        has_sudo=shutil.which("sudo") is not None and _is_in_group_of_sudo(),
        pip=pip_command() if fits else (),
        folder=str(folder) if fits else "",
    )


def _wheel_runs(machine: str, libc: str, python: tuple[int, int]) -> bool:
    return machine in _WHEELS_PLATFORMS and libc == "glibc" and python < _WHEELS_BEFORE_PYTHON


def is_recent(release: str) -> bool:
    """Whether the distribution that ``/etc/os-release`` names has the runtime's package."""
    words = {found[1]: found[2] for found in map(_RELEASE.match, release.splitlines()) if found}
    first = _FIRST_RELEASES.get(words.get("ID", ""))
    version = words.get("VERSION_ID", "")
    return first is None or not version.replace(".", "", 1).isdecimal() or float(version) >= first


def _os_release() -> str:
    try:
        return Path("/etc/os-release").read_text(errors="replace")
    except OSError:
        return ""


def _is_in_group_of_sudo() -> bool:
    names = {group.gr_name for group in grp.getgrall() if group.gr_gid in os.getgroups()}
    return not names.isdisjoint(_GROUPS_OF_SUDO)
