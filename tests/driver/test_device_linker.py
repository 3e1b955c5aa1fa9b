"""The command that links device code: what it makes anew, and what it does where a library cannot link in pieces."""

from __future__ import annotations

import _ctypes
import os
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rexcc.driver.caches import piece_cache
from rexcc.driver.link import device_linker
from rexcc.target.commands import LinkError, LinkPlan, Piece

LIBRARY = _ctypes.__file__


class Tools:
    """Links files to their texts, and says so in a file, for other processes do it too."""

    def __init__(self, told: Path) -> None:
        self.told = told
        self.refused = ""

    def link_plan(self, options: Sequence[str]) -> LinkPlan:
        pieces = tuple(Piece(("-p",), tuple(map(int, word[2:]))) for word in options if word.startswith("-p"))
        return LinkPlan(pieces, ("-whole",), tuple(word for word in options if not word.startswith("-p")))

    def link(self, _: Any, options: Sequence[str], inputs: Sequence[tuple[str, bytes]]) -> tuple[bytes, str]:
        text = b"".join(data for _, data in inputs)
        with self.told.open("ab") as told:
            told.write(b" ".join(word.encode() for word in options) + b":" + text + b"\n")
        if self.refused and self.refused in options:
            raise LinkError("it cannot")
        return b"(" + text + b")", f"told of {text.decode()}" if "-told" in options else ""

    def done(self) -> list[str]:
        """Return what was linked since the last call, in any order."""
        lines = self.told.read_text().splitlines() if self.told.exists() else []
        self.told.unlink(missing_ok=True)
        return sorted(lines)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    made = Tools(tmp_path / "told")
    monkeypatch.setattr(device_linker, "TARGETS", (SimpleNamespace(name="gpu", tools=made),))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for name in "abc":
        Path(name).write_text(name)
    return made


def linked(*words: str) -> str:
    assert device_linker.main(["gpu", LIBRARY, *words, "-o", "image"]) == 0
    return Path("image").read_text()


def test_a_link_makes_the_pieces_that_have_changed(tools: Tools) -> None:
    words = ("-O", "-p01", "-p12", "a", "b", "c")
    assert linked(*words) == "((ab)(bc))"
    assert tools.done() == ["-O -p:ab", "-O -p:bc", "-whole:(ab)(bc)"]
    assert linked(*words) == "((ab)(bc))"
    assert tools.done() == ["-whole:(ab)(bc)"]
    Path("c").write_text("d")
    assert linked(*words) == "((ab)(bd))"
    assert tools.done() == ["-O -p:bd", "-whole:(ab)(bd)"]
    linked("-O3", *words[1:])
    assert len(tools.done()) == 3, "other options make other code"


def test_files_that_are_linked_at_once_are_kept_too(tools: Tools) -> None:
    assert [linked("a", "b"), linked("a", "b"), linked("a", "c")] == ["(ab)", "(ab)", "(ac)"]
    assert tools.done() == [":ab", ":ac"]
    assert [linked("a"), linked("a")] == ["(a)", "(a)"]
    assert tools.done() == [":a", ":a"], "the image of a file alone is not for other links"


@pytest.mark.parametrize("option", ["-p", "-whole"])
def test_a_library_that_cannot_link_in_pieces_links_at_once(tools: Tools, option: str) -> None:
    tools.refused = option
    assert linked("-O", "-p01", "-p12", "a", "b", "c") == "(abc)"
    assert tools.done()[-2:] == (["-O -p:bc", "-O:abc"] if option == "-p" else ["-O:abc", "-whole:(ab)(bc)"])


def test_a_failure_is_said(tools: Tools, capsys: pytest.CaptureFixture[str]) -> None:
    tools.refused = "-O"
    assert device_linker.main(["gpu", LIBRARY, "-O", "a", "b", "-o", "image"]) == 1
    assert capsys.readouterr().err == "error: it cannot\n"
    assert not Path("image").exists()


def test_a_damaged_piece_is_made_again_and_old_ones_go(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked("a", "b")
    (first,) = (tmp_path / "cache" / "rexcc" / "pieces").iterdir()
    first.write_bytes(first.read_bytes()[:-1] + b"?")
    assert linked("a", "b") == "(ab)"
    assert tools.done() == [":ab", ":ab"]
    old = first.stat().st_mtime - 30 * 24 * 3600
    os.utime(first, (old, old))
    assert piece_cache.kept([first.name, "none"]) == [b"\0(ab)", None]
    assert first.stat().st_mtime > old, "it is wanted"
    os.utime(first, (old, old))
    linked("a", "c")
    assert not first.exists()
    (second,) = first.parent.iterdir()
    os.utime(second, (old + 29 * 24 * 3600,) * 2)
    monkeypatch.setattr(piece_cache, "_ROOM", second.stat().st_size)
    linked("a", "b")
    assert [path.name for path in first.parent.iterdir()] == [first.name], "the newest stays"


def test_what_was_told_of_kept_pieces_is_told_again(tools: Tools, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        linked("-told", "-p01", "-p12", "a", "b", "c")
        assert capsys.readouterr().out == "told of ab\ntold of bc\n"


def test_a_whole_image_is_kept_by_a_key_unless_there_is_something_to_tell(tools: Tools) -> None:
    assert linked("--keep=one", "a", "b") == linked("--keep=two", "-told", "a", "b") == "(ab)"
    assert piece_cache.kept(["one", "two"]) == [b"(ab)", None]
    assert not any("--keep" in line for line in tools.done())
