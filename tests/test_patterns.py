"""Regular expressions that are compiled late are those of the standard library."""

from __future__ import annotations

import importlib
import re
import signal
from typing import Any

import pytest

from modules import MODULES, ROOT, facts_of
from rexcc.source.patterns import regex

TEXT = "int a, b;\nINT c;"
USES: list[tuple[str, tuple[Any, ...]]] = [
    ("findall", (TEXT,)),
    ("fullmatch", ("int",)),
    ("match", (TEXT, 10)),
    ("search", (TEXT, 3)),
    ("split", (TEXT,)),
    ("sub", ("long", TEXT)),
    ("subn", (lambda m: m[0].upper(), TEXT)),
    ("finditer", (TEXT,)),
]


def plain(value: Any) -> Any:
    """Return what can be compared of a result."""
    if isinstance(value, re.Match):
        return value.span(), value.groupdict()
    return [plain(each) for each in value] if hasattr(value, "__next__") else value


@pytest.mark.parametrize(("method", "arguments"), USES)
@pytest.mark.parametrize("flags", [0, re.IGNORECASE | re.MULTILINE])
def test_it_does_the_same(method: str, arguments: tuple[Any, ...], flags: int):
    late, early = regex(r"^(?P<word>int)\b", flags), re.compile(r"^(?P<word>int)\b", flags)
    for _ in range(2):
        assert plain(getattr(late, method)(*arguments)) == plain(getattr(early, method)(*arguments))
    assert (late.pattern, late.flags, late.groups) == (early.pattern, early.flags, early.groups)


def test_it_is_compiled_once_and_when_it_is_used(monkeypatch: pytest.MonkeyPatch):
    compiled: list[str] = []
    compile_now = re.compile
    monkeypatch.setattr("re.compile", lambda text, flags=0: (compiled.append(text), compile_now(text, flags))[1])
    late = regex("a+")
    assert late.pattern == "a+" and compiled == []
    assert late.match("aa") and late.search("ba") and compiled == ["a+"]


def test_bytes_are_searched_too():
    assert regex(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_an_error_is_that_of_the_standard_library():
    with pytest.raises(re.error):
        regex("(").match("")


REPEATED = ("/* a */ ", "// a\n", "\n", "word", "word ", "A<B<int>, C<x>, D<y>> ", "[[a]] ", "(a) ", "'a' ", "a::b::")


def patterns() -> dict[str, Any]:
    """Return the patterns of all modules by their text."""
    named = (f"rexcc.{'.'.join(path.relative_to(ROOT).with_suffix('').parts)}" for path in MODULES)
    modules = (importlib.import_module(name.removesuffix(".__init__")) for name in named if "__main__" not in name)
    every = (value for module in modules for value in vars(module).values())
    return {str(each.pattern): each for each in every if type(each).__name__ == "_Pattern"}


def test_what_repeats_is_read_once() -> None:
    """A repeated group whose parts can be read in two ways takes exponential time where it does not match."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    slow: list[tuple[str, str]] = []
    for text, pattern in patterns().items():
        for part in REPEATED:
            tried = f"x{part * 40}\x01"
            signal.setitimer(signal.ITIMER_REAL, 5)
            try:
                pattern.search(tried.encode() if isinstance(pattern.pattern, bytes) else tried)
            except TimeoutError:
                slow.append((text, part))
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    assert slow == []


COMPILER = [path for path in MODULES if path.relative_to(ROOT).parts[0] != "bench"]


def test_no_module_of_the_compiler_compiles_one_when_it_is_loaded():
    compiling = re.compile(r"^\w+.* = re\.compile\(", re.MULTILINE)
    found = [path for path in COMPILER if compiling.search(facts_of(path).text)]
    assert found == [], "take rexcc.source.patterns"
