"""The user's cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from rexcc.driver.caches import cache
from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.commands.run import Outcome
from rexcc.driver.options.parser import parse
from rexcc.driver.tools.toolchain import OpenMPRuntime, Toolchain
from rexcc.target.commands import HostCompiler
from rexcc.target.known import DEFAULT


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toolchain:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sources = tmp_path / "runtime"
    (sources / "src").mkdir(parents=True)
    (sources / "src" / "register_cubin.cpp").write_text("// one")
    compiler = tmp_path / "clang++"
    compiler.touch()
    host = HostCompiler(str(compiler), str(compiler), "clang")
    return Toolchain(host, OpenMPRuntime("/l", "/l/t.so", "/l/o.so", 19), None, sources=sources)


def test_the_helper_is_found_again_until_something_changes(tools: Toolchain, tmp_path: Path):
    place = cache.helper_archive(parse(["a.o"]), tools)
    assert place
    assert not place.exists()
    archive = tmp_path / "librexcc.a"
    archive.write_bytes(b"archive")
    cache.keep([Outcome(Command(Stage.HELPER, ("ar",), (), str(archive)), 0, b"", b"")], place)
    assert place.read_bytes() == b"archive"
    assert cache.helper_archive(parse(["-O3", "b.o"]), tools) == place
    assert cache.helper_archive(parse(["-m32", "b.o"]), tools) != place
    (tools.sources / "src" / "register_cubin.cpp").write_text("// two")
    assert cache.helper_archive(parse(["a.o"]), tools) != place


def test_no_helper_where_nothing_is_linked(tools: Toolchain):
    assert cache.helper_archive(parse(["-c", "a.c"]), tools) is None
    assert cache.helper_archive(parse(["-r", "a.o"]), tools) is None


def test_the_gpu_driver_is_asked_once(tools: Toolchain, monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []

    def ask() -> tuple[str, ...]:
        asked.append(1)
        return ("sm_80", "sm_90")

    assert cache.native_architectures(DEFAULT, ask) == cache.native_architectures(DEFAULT, ask) == ("sm_80", "sm_90")
    assert len(asked) == 1
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    cache.native_architectures(DEFAULT, ask)
    assert len(asked) == 2


def test_a_machine_without_gpu_is_asked_again(tools: Toolchain):
    assert cache.native_architectures(DEFAULT, lambda: ()) == ()
    assert cache.native_architectures(DEFAULT, lambda: ("sm_90",)) == ("sm_90",)


def test_a_cache_that_cannot_be_written(tools: Toolchain, tmp_path: Path):
    (tmp_path / "cache").write_text("not a folder")
    assert cache.native_architectures(DEFAULT, lambda: ("sm_90",)) == ("sm_90",)
