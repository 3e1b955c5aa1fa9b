"""Images of linked device code that are known: nothing is linked for them."""

from __future__ import annotations

import _ctypes
import sys
from pathlib import Path

import pytest

from rexcc.driver.caches import kept_links, piece_cache
from rexcc.driver.tools.toolchain import LINKER
from rexcc.target.commands import Finish, Group, Step

LIBRARY = _ctypes.__file__


class Marked(Finish):
    """Marks what was made."""

    note = ""

    def applied(self, data: bytes) -> bytes:
        return data + b"!"

    def shell(self, quoted_path: str) -> tuple[str, ...]:
        return ()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("REXCC_CACHE", raising=False)


def step(folder: str, *words: str, linker: str = LINKER, finish: Finish | None = None) -> Step:
    program = Group((sys.executable, "-c", linker, "gpu", LIBRARY))
    return Step(program, (Group(words), Group((f"{folder}/a.o",))), f"{folder}/b.o", f"{folder}/image", finish)


def key_in(made: Step) -> str:
    return next(word for word in made.argv if word.startswith(piece_cache.KEEP)).removeprefix(piece_cache.KEEP)


def test_an_image_of_the_same_objects_is_there_in_another_folder() -> None:
    image, (made,) = kept_links.image_of([step("/x", "-O3")], [b"a", b"b"], "/x")
    assert image is None
    piece_cache.keep(key_in(made), b"image")
    assert kept_links.image_of([step("/yy", "-O3")], [b"a", b"b"], "/yy")[0] == b"image"
    assert kept_links.image_of([step("/yy", "-O3", finish=Marked())], [b"a", b"b"], "/yy")[0] == b"image!"


def test_other_objects_words_or_order_are_another_image(monkeypatch: pytest.MonkeyPatch) -> None:
    _, (made,) = kept_links.image_of([step("/x", "-O3")], [b"a", b"b"], "/x")
    piece_cache.keep(key_in(made), b"image")
    assert kept_links.image_of([step("/x", "-O3")], [b"b", b"a"], "/x")[0] is None
    assert kept_links.image_of([step("/x", "-O2")], [b"a", b"b"], "/x")[0] is None
    monkeypatch.setattr(kept_links, "version_of", lambda path: "another")
    assert kept_links.image_of([step("/x", "-O3")], [b"a", b"b"], "/x")[0] is None


def test_only_our_linker_keeps_and_the_user_may_turn_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    other = step("/x", linker="else")
    assert kept_links.image_of([other], [b"a"], "/x") == (None, (other,))
    two = [step("/x"), step("/x")]
    assert kept_links.image_of(two, [b"a"], "/x") == (None, tuple(two))
    monkeypatch.setenv("REXCC_CACHE", "0")
    assert kept_links.image_of(two[:1], [b"a"], "/x") == (None, tuple(two[:1]))
