"""Modules that are loaded together come out of one file as they were, or not at all."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from types import CodeType

import pytest

from rexcc.driver import kept_modules
from rexcc.driver.kept_modules import KeptModules

STATE = (7, 9)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "some.modules"


def code(value: int) -> CodeType:
    return compile(f"VALUE = {value}", f"{value}.py", "exec")


def value(of: CodeType | None) -> object:
    names: dict[str, object] = {}
    if of is not None:
        exec(of, names)
    return names.get("VALUE")


def unread() -> CodeType | None:
    raise AssertionError("is in the file")


def kept(place: Path, **values: int) -> None:
    """Load modules, and write what is then to be written."""
    modules = KeptModules(str(place))
    for name, number in values.items():
        modules.code(name, STATE, partial(code, number))
    modules.keep()


def test_what_was_loaded_is_found(place: Path) -> None:
    kept(place, a=1, b=2)
    again = KeptModules(str(place))
    assert [value(again.code(name, STATE, unread)) for name in "ab"] == [1, 2]
    assert list(place.parent.iterdir()) == [place]


def test_changed_sources_are_read_anew(place: Path) -> None:
    kept(place, a=1, b=2)
    again = KeptModules(str(place))
    assert value(again.code("a", (8, 9), lambda: code(3))) == 3
    again.keep()
    third = KeptModules(str(place))
    assert value(third.code("a", (8, 9), unread)) == 3
    assert value(third.code("b", STATE, lambda: code(4))) == 4  # nothing of an outdated file stays


def test_others_stay_where_nothing_is_outdated(place: Path) -> None:
    kept(place, a=1)
    kept(place, b=2)
    again = KeptModules(str(place))
    assert [value(again.code(name, STATE, unread)) for name in "ab"] == [1, 2]


def test_a_few_more_modules_are_not_worth_writing(place: Path) -> None:
    many = {f"m{number}": number for number in range(20)}
    kept(place, **many)
    before = place.read_bytes()
    kept(place, **many, more=1)
    assert place.read_bytes() == before


@pytest.mark.parametrize("change", ["cut off", "of another Python", "no modules", "not there"])
def test_files_of_another_form_are_no_error(place: Path, change: str) -> None:
    kept(place, a=1)
    data = place.read_bytes()
    match change:
        case "cut off":
            place.write_bytes(data[:-9])
        case "of another Python":
            place.write_bytes(data.replace(sys.version.encode(), b"0.0"))
        case "no modules":
            place.write_bytes(kept_modules._HEAD + b"N")
        case _:
            place.unlink()
    assert value(KeptModules(str(place)).code("a", STATE, lambda: code(5))) == 5


def test_modules_without_a_file_are_not_kept(place: Path) -> None:
    modules = KeptModules(str(place))
    assert modules.code("a", STATE, lambda: None) is None
    modules.keep()
    assert not place.exists()


def test_nothing_is_written_where_nothing_may_be(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(place.parent / "missing" / "some.modules", a=1)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept(place, a=1)
    assert not list(place.parent.iterdir())
