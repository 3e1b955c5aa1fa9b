"""Runs of statements in which kernels are queued: the queue is closed wherever the host may see what they have done."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from support import Bench

FOLDER = Path(__file__).parent / "queues"
COUNTED = "-Wl," + ",".join(f"--wrap=rex_batch_{name}" for name in ("begin", "end", "pause", "resume"))

pytestmark = pytest.mark.usefixtures("runtime")


def test_the_queue_is_closed_on_every_way_that_sees_kernels(bench: Bench) -> None:
    """The numbers are those of a build for the host alone; the program counts open queues where it looks at data."""
    program = bench.build({path.name: path.read_text() for path in FOLDER.iterdir()}, COUNTED)
    expected = "3 11 6 12 3 8 1 0 1 0 0 89 89\nwrong: 0\n"
    assert support.on_device(program) == support.on_host(program) == expected


def test_functions_that_are_called_leave_the_queue_where_they_see_kernels(bench: Bench) -> None:
    """Each line ends with the queues that were opened and the times that one was left."""
    folder = FOLDER.parent / "called_functions"
    wrapped = "-Wl,--wrap=rex_batch_begin,--wrap=rex_batch_pause"
    program = bench.build({path.name: path.read_text() for path in folder.iterdir()}, wrapped)
    expected = (
        "nobody, and what happens once: 500, 1 1\nnobody: 1000, 1 0\none: 1500, 1 10\n"
        "two of which one launches: 3000, 11 10\nthrown: 1\none that throws: 3100, 1 2\nnobody again: 3600, 1 0\n"
        "told 21, once 1, steps 25, wrong 0\n"
    )
    assert support.on_device(program) == support.on_host(program) == expected
