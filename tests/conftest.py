"""What makes ``support`` importable from the tests of every layer."""

from __future__ import annotations

import functools
import gc
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent / "frontend"))
sys.path.insert(0, str(Path(__file__).resolve().parent / "analysis"))
sys.path.insert(0, str(Path(__file__).resolve().parent / "target"))

import support

# Compiled modules are kept, as for an installed rexcc: without, each of some hundred processes takes a second more.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

BUILDING = {
    "agreement",
    "check",
    "data_generator",
    "defects",
    "execution",
    "fuzz",
    "generator",
    "loop_generator",
    "maps",
    "runtime",
    "tokens",
}
"""The folders whose tests start compilers or run programs."""
WORKSHOPS = {"bench", "shop", "project"}
"""The fixtures with which they do."""
COMPILERS = {"clang-19", "clang++-19", "gcc", "g++", "nvcc"}
WORK = frozenset({"-c", "-o", "-shared", "-fsyntax-only"})
"""Options with which a compiler does more than to answer a question."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--extended", action="store_true", help="run the tests marked so, too, which ask the same otherwise"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "builds: starts compilers or runs programs; the others only translate")
    config.addinivalue_line("markers", "extended: asks otherwise, or of more, what another test asks")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is extended, and mark what builds."""
    if not config.getoption("--extended"):
        left = [item for item in items if item.get_closest_marker("extended")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker("extended")]
    top = Path(__file__).resolve().parent
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if item.path.relative_to(top).parts[0] in BUILDING or used & WORKSHOPS:
            item.add_marker("builds")


@pytest.fixture(scope="session", autouse=True)
def made_by_all(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let all workers of a run share what is made once, and have no part in the user's cache.

    Images of GPUs are compiled by each test: one that is kept would hide what a test looks for.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent / "shared" if "PYTEST_XDIST_WORKER" in os.environ else base / "shared"
    support.share(shared)
    support.stand_ins(shared / "bin")
    os.environ["XDG_CACHE_HOME"] = str(shared / "cache")
    os.environ["REXCC_CACHE"] = "0"


_ONLY_ASKS = [False]


@pytest.fixture(scope="session", autouse=True)
def only_marked_tests_build() -> Iterator[None]:
    """Let no test without the mark ``builds`` start a compiler, but to ask it something."""
    start = subprocess.Popen.__init__

    def guarded(process: Any, command: Any, *others: Any, **more: Any) -> None:
        words = command.split() if isinstance(command, str) else [str(word) for word in command]
        works = Path(words[0]).name in COMPILERS and not WORK.isdisjoint(words)
        assert not (works and _ONLY_ASKS[0]), f"not marked: {words}"
        start(process, command, *others, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", guarded)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Say what the test may start."""
    _ONLY_ASKS[0] = item.get_closest_marker("builds") is None


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let workers be quiet about what nobody looks at, unless times are asked for, or names of tests."""
    options = session.config.option
    if options.verbose > 0 or options.durations is not None:
        return
    for plugin in session.config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            plugin.sendevent = functools.partial(_say, plugin.sendevent)


def _say(send: Callable[..., None], event: str, **more: Any) -> None:
    """Send the controller an event, but that a test starts, or that its fixtures are well: an event takes as long as
    many a test."""
    report = more["data"] if event == "testreport" else {"when": "call"}
    if event != "logstart" and (report["when"] == "call" or report["outcome"] != "passed"):
        send(event, **more)


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> support.Bench:
    """Where programs are built and run, each once per worker."""
    return support.Bench(tmp_path_factory.mktemp("bench"))


_TESTS = itertools.count(1)
_MANY_OBJECTS = 400_000


@pytest.fixture(scope="session", autouse=True)
def no_garbage_in_between() -> None:
    """Look for garbage only between tests, and not among the tests themselves: it took a third of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(1 << 30)  # enabled, for who asks


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Free the trees of translated files now and then: they are cycles, and most of their memory is libclang's.

    What is still there the first times (modules, tables) stays, and is not looked at again.
    """
    number = next(_TESTS)
    if number % 100 == 0 or gc.get_count()[0] > _MANY_OBJECTS:
        gc.collect()
        if number <= 500:
            gc.freeze()
