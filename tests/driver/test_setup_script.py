"""``scripts/setup`` on machines made up of commands that note what they are asked for."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
USUAL = (
    *("bash", "cat", "cut", "dirname", "env", "grep", "ln", "mkdir", "mktemp", "paste", "rm", "sha256sum"),
    *("sleep", "tail", "tr"),
)


class Machine:
    """A checkout with an environment, and commands; ``notes`` is what they were asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin, self.notes = folder, folder / "bin", folder / "notes"
        self.bin.mkdir()
        self.notes.touch()
        for name in USUAL:
            (self.bin / name).symlink_to(shutil.which(name) or "/nowhere")
        checkout = folder / "checkout"
        shutil.copytree(TOP / "docs/shell", checkout / "docs/shell")
        (checkout / "scripts").mkdir()
        shutil.copy(TOP / "scripts/setup", checkout / "scripts")
        shutil.copy(TOP / "pyproject.toml", checkout)
        (checkout / ".venv/bin").mkdir(parents=True)
        self.add("python3", "nvcc")
        self.add("python", "rexcc", to=checkout / ".venv/bin")

    def add(self, *names: str, does: str = "", to: Path | None = None) -> None:
        for name in names:
            path = (to or self.bin) / name
            path.write_text(f'#!/bin/bash\necho "{name} $*" >> {self.notes}\n{does}\n')
            path.chmod(0o755)

    def setup(self, extras: str = "") -> tuple[int, str]:
        command = [self.folder / "checkout/scripts/setup", extras]
        done = subprocess.run(command, env={"PATH": str(self.bin)}, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_sudo_the_packages_are_named(machine: Machine):
    machine.add("id", does="echo 1000")
    machine.add("apt-get")
    status, told = machine.setup("test")
    assert status == 1
    assert "only root can install them:\n  apt-get install --no-install-recommends gcc libc6-dev g++ make cmake" in told
    assert "apt-get" not in machine.notes.read_text(), "nothing is tried"


def test_without_sudo_it_goes_on_where_only_tests_need_more(machine: Machine):
    machine.add("id", does="echo 1000")
    machine.add("apt-get", "gcc", "g++", "make")
    status, told = machine.setup("test")
    assert status == 0
    assert "tests that need these packages are left out or fail; only root can install them: cmake clang-19" in told
    assert "pip install --disable-pip-version-check --progress-bar off -e .[test]" in machine.notes.read_text()


def test_root_and_sudo_install_what_is_missing_and_say_so(machine: Machine):
    machine.add("id", does="echo 1000")
    machine.add("sudo", does='[ "$1" = -v ] || "$@"')
    machine.add("apt-get")
    status, told = machine.setup("mpi,docs")
    assert status == 0
    assert "setup: packages: gcc libc6-dev g++ make libopenmpi-dev openmpi-bin libmpich-dev mpich" in told
    assert len(re.findall(r"^setup: done in \d+ s$", told, re.MULTILINE)) == told.count("done in") == 3
    notes = machine.notes.read_text()
    assert "sudo apt-get update -q\napt-get update -q\n" in notes
    assert "install -y -q --no-install-recommends gcc libc6-dev g++ make" in notes
    assert " -e .[docs]\n" in notes, "mpi is no extra of the project"
    machine.notes.write_text("")
    machine.add("gcc", "g++", "make", "mpicc.openmpi", "mpicc.mpich")
    machine.setup("docs")
    assert "pip install" not in machine.notes.read_text(), "it is there"


def test_cmake_finds_the_package_beside_the_environment(machine: Machine):
    machine.add("apt-get", "gcc", "g++", "make")
    shutil.copytree(TOP / "cmake", machine.folder / "checkout/cmake")
    assert [machine.setup()[0] for _ in range(2)] == [0, 0]
    assert (machine.folder / "checkout/.venv/share/cmake/rexcc/rexccConfig.cmake").is_file()


def test_what_fails_shows_all_it_has_said(machine: Machine):
    machine.add("id", does="echo 0")
    machine.add("apt-get", does="echo first; echo E: no network >&2; exit 100")
    status, told = machine.setup()
    assert status == 1
    assert told.endswith("setup: package lists\nfirst\nE: no network\nsetup: failed: apt-get update -q\n")
    assert "pip install" not in machine.notes.read_text()
