"""The command that installs a missing part, for every kind of machine and user."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rexcc.driver.tools import packages
from rexcc.driver.tools.packages import Means, Part, remedy
from rexcc.driver.tools.pip_command import in_this_environment

PIP = ("/v/bin/python", "-m", "pip")
USER = Means("apt-get", pip=PIP, folder="/home/my self/rexcc")
FROM_PYPI = f"/v/bin/python -m pip install --no-deps --target '/home/my self/rexcc' {packages.RUNTIME_WHEEL}"

COMMANDS = [
    (Part.RUNTIME, Means("apt-get", is_root=True), "apt-get install libomp-19-dev"),
    (Part.RUNTIME, Means("apt-get", has_sudo=True, pip=PIP), "sudo apt-get install libomp-19-dev"),
    (Part.RUNTIME, Means("dnf", is_root=True), "dnf install libomp"),
    (Part.RUNTIME, Means("zypper", is_root=True), "zypper install libomp19-devel"),
    (Part.RUNTIME, Means("pacman", is_root=True), "pacman -S openmp"),
    (Part.RUNTIME, USER, FROM_PYPI),
    (Part.RUNTIME, Means("apt-get", is_root=True, has_runtime=False, pip=PIP, folder=USER.folder), FROM_PYPI),
    (Part.RUNTIME, Means("apt-get"), "apt-get install libomp-19-dev   (as root)"),
    (Part.RUNTIME, Means(), "install LLVM's OpenMP runtime with libomptarget"),
    (Part.COMPILERS, Means("apt-get", is_root=True), "apt-get install g++"),
    (Part.COMPILERS, Means("dnf", has_sudo=True), "sudo dnf install gcc-c++"),
    (Part.COMPILERS, USER, "apt-get install g++   (as root)"),
    (Part.COMPILERS, Means(pip=PIP), "install gcc with g++, or clang"),
]


@pytest.mark.parametrize(("part", "means", "command"), COMMANDS)
def test_the_command_is_one_that_the_user_can_give(part: Part, means: Means, command: str):
    assert remedy(part, means) == command


@pytest.mark.parametrize(
    ("release", "recent"),
    [
        ('ID=debian\nVERSION_ID="12"\n', True),
        ('ID=debian\nVERSION_ID="11"\n', False),
        ("ID=debian\n", True),  # testing has no number
        ('ID=ubuntu\nVERSION_ID="24.04"\nID_LIKE=debian\n', True),
        ('ID=ubuntu\nVERSION_ID="22.04"\n', False),
        ('ID="rhel"\nVERSION_ID="9.4"\n', True),
        ("", True),
    ],
)
def test_releases_that_have_the_runtimes_package(release: str, recent: bool):
    assert packages.is_recent(release) is recent


@pytest.mark.parametrize(
    ("machine", "libc", "python", "runs"),
    [
        ("x86_64", "glibc", (3, 10), True),
        ("aarch64", "glibc", (3, 14), True),
        ("x86_64", "", (3, 12), False),  # musl
        ("ppc64le", "glibc", (3, 12), False),
        ("x86_64", "glibc", (3, 15), False),
    ],
)
def test_where_the_wheel_runs(
    monkeypatch: pytest.MonkeyPatch, machine: str, libc: str, python: tuple[int, int], runs: bool
):
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr("platform.libc_ver", lambda: (libc, ""))
    monkeypatch.setattr("sys.version_info", (*python, 0))
    found = packages.means({"HOME": "/home/me"})
    assert (found.folder, bool(found.pip)) == (("/home/me/.local/share/rexcc", True) if runs else ("", False))
    assert not packages.means({}).folder  # no home


def test_pip_is_that_of_this_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    command = "pip install 'rexcc[cuda]'"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert in_this_environment(command) == f"{sys.executable} -m {command}"
    assert in_this_environment("apt-get install g++") == "apt-get install g++"
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    (tmp_path / "pip").touch(mode=0o755)
    assert in_this_environment(command) == command  # the environment is active
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (tmp_path / "uv").touch(mode=0o755)
    assert packages.means({"HOME": "/h"}).pip in ((), ("uv", "pip"))
