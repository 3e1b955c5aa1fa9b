"""Modules of the compiler are found as Python finds them, in the files that Python has compiled."""

from __future__ import annotations

import importlib.util
import marshal
import os
import py_compile
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import rexcc
from rexcc.driver import compiled_modules


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder in which the package ``rexcc`` has more modules."""
    known = set(sys.modules)
    rexcc.__path__.append(str(tmp_path))
    yield tmp_path
    rexcc.__path__.remove(str(tmp_path))
    for name in set(sys.modules) - known:
        del sys.modules[name]


def finder() -> compiled_modules._Finder:
    return compiled_modules._Finder(f".{sys.implementation.cache_tag}.pyc")


def written(path: Path, text: str) -> Path:
    """Write a module, and what Python makes of it; return the path of that."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return Path(py_compile.compile(str(path), doraise=True) or "")


def found(place: Path, name: str = "rexcc.made") -> ModuleType | None:
    spec = finder().find_spec(name, [str(place)])
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_modules_and_packages_are_those_that_python_makes(place: Path) -> None:
    written(place / "made.py", "VALUE = 1\n")
    written(place / "group" / "__init__.py", "VALUE = 2\n")
    for name, file in (("made", "made.py"), ("group", "group/__init__.py")):
        ours = found(place, f"rexcc.{name}")
        spec = importlib.util.spec_from_file_location(f"rexcc.{name}", place / file)
        assert ours is not None and spec is not None and spec.loader is not None
        usual = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(usual)
        kept = ("__file__", "__cached__", "__package__", "__path__", "__name__", "VALUE")
        assert [getattr(ours, a, None) for a in kept] == [getattr(usual, a, None) for a in kept]


def test_sources_that_have_changed_are_left_to_python(place: Path) -> None:
    source = place / "made.py"
    written(source, "VALUE = 1\n")
    state = source.stat()
    source.write_text("VALUE = 22\n")
    os.utime(source, (state.st_atime, state.st_mtime))
    assert found(place) is None  # of another size
    written(source, "VALUE = 1\n")
    os.utime(source, (state.st_atime, state.st_mtime + 2))
    assert found(place) is None  # of another time
    source.unlink()
    assert found(place) is None


@pytest.mark.parametrize("change", ["cut off", "of another Python", "kept by a hash", "no code", "not there"])
def test_files_of_another_form_are_left_to_python(place: Path, change: str) -> None:
    compiled = written(place / "made.py", "VALUE = 1\n")
    assert found(place) is not None
    data = compiled.read_bytes()
    match change:
        case "cut off":
            compiled.write_bytes(data[:-9])
        case "of another Python":
            compiled.write_bytes(b"\0" + data[1:])
        case "kept by a hash":
            compiled.write_bytes(data[:4] + b"\1" + data[5:])
        case "no code":
            compiled.write_bytes(data[:16] + marshal.dumps("text"))
        case _:
            compiled.unlink()
    assert found(place) is None


def test_large_modules_are_read_whole(place: Path) -> None:
    written(place / "made.py", f"VALUE = {'x' * (3 << 16)!r}\n")
    made = found(place)
    assert made is not None and len(made.VALUE) == 3 << 16


def test_only_own_modules_are_found(place: Path) -> None:
    written(place / "made.py", "VALUE = 1\n")
    assert finder().find_spec("made", [str(place)]) is None
    assert finder().find_spec("rexcc.made") is None


def test_a_command_loads_its_modules_that_way() -> None:
    assert any(isinstance(each, compiled_modules._Finder) for each in sys.meta_path)
