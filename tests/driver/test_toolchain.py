"""Discovery, in folders made up for it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rexcc.driver.tools import toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.driver.tools.toolchain import MissingToolError
from rexcc.target.nvptx import NVPTX


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the whole PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(path: Path, prints: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{prints}'\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("present", "cc", "cxx", "family"),
    [
        (["clang-19", "clang++-19", "clang", "gcc"], "clang-19", "clang++-19", "clang"),
        (["clang", "clang++", "gcc", "g++"], "clang", "clang++", "clang"),
        (["gcc", "g++", "cc", "c++"], "gcc", "g++", "gcc"),
        (["clang-19"], "clang-19", "clang-19", "clang"),
    ],
)
def test_host_compilers_by_preference(commands: Path, present: list[str], cc: str, cxx: str, family: str):
    for name in present:
        program(commands / name)
    host = toolchain.find_host_compiler(None)
    assert (Path(host.cc).name, Path(host.cxx).name, host.family) == (cc, cxx, family)


def test_a_compiler_of_unknown_name_is_asked(commands: Path):
    program(commands / "cc", "cc (Debian 12.2.0) Copyright (C) Free Software Foundation")
    program(commands / "c++")
    host = toolchain.find_host_compiler(None)
    assert (Path(host.cxx).name, host.family) == ("c++", "gcc")


def test_versioned_gcc_has_a_versioned_sibling(commands: Path):
    program(commands / "x86_64-linux-gnu-gcc-12")
    program(commands / "x86_64-linux-gnu-g++-12")
    assert toolchain.find_host_compiler("x86_64-linux-gnu-gcc-12").cxx.endswith("/x86_64-linux-gnu-g++-12")


def test_no_host_compiler(commands: Path):
    with pytest.raises(
        MissingToolError, match=r"looked for clang-19, clang, gcc, cc\); install gcc with g\+\+, or clang"
    ):
        toolchain.find_host_compiler(None)  # nor is there a package manager
    with pytest.raises(MissingToolError, match="'mycc' not found"):
        toolchain.find_host_compiler("mycc")


def test_cuda_where_the_user_says(tmp_path: Path, commands: Path):
    program(tmp_path / "one/bin/nvcc")
    program(tmp_path / "two/bin/nvcc")
    program(commands / "nvcc")
    environment = {"CUDA_HOME": str(tmp_path / "one")}
    found = toolchain.find_compiler(NVPTX.tools, str(tmp_path / "two"), environment)
    assert found
    assert found.path == str(tmp_path / "two/bin/nvcc")
    found = toolchain.find_compiler(NVPTX.tools, None, environment)
    assert found
    assert (found.path, found.found_by) == (str(tmp_path / "one/bin/nvcc"), "CUDA_HOME")
    found = toolchain.find_compiler(NVPTX.tools, None, {"CUDA_HOME": "/nowhere"})
    assert found
    assert found.found_by == "PATH"
    with pytest.raises(MissingToolError, match="--cuda-path"):
        toolchain.find_compiler(NVPTX.tools, "/nowhere", {})


def test_cuda_from_pypi(tmp_path: Path, commands: Path, monkeypatch: pytest.MonkeyPatch):
    program(tmp_path / "site/nvidia/cu12/bin/nvcc")
    program(tmp_path / "site/nvidia/cu13/bin/nvcc")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    found = [c for c in toolchain.candidates(NVPTX.tools, {}) if "PyPI" in c.found_by]
    assert [c.path for c in found] == [str(tmp_path / f"site/nvidia/{name}/bin/nvcc") for name in ("cu13", "cu12")]


def test_system_includes_of_the_real_compiler():
    host = toolchain.find_host_compiler(None)
    c = HostAnswers().folders(host.cc, "c", ())
    cxx = HostAnswers().folders(host.cxx, "c++", ())
    assert "/usr/include" in c
    assert any("c++" in folder for folder in cxx)
    assert all(Path(folder).is_absolute() for folder in c + cxx)
    assert HostAnswers().folders("/no/such/compiler", "c", ()) == ()
