"""Runs of statements in which kernels are queued: the queue is closed wherever the host may see what they have done."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from support import Bench

FOLDER = Path(__file__).parent / "queues"
COUNTED = "-Wl,--wrap=rex_batch_begin,--wrap=rex_batch_end"

pytestmark = pytest.mark.usefixtures("runtime")


def test_the_queue_is_closed_on_every_way_that_sees_kernels(bench: Bench) -> None:
    """The numbers are those of a build for the host alone; the program counts open queues where it looks at data."""
    program = bench.build({path.name: path.read_text() for path in FOLDER.iterdir()}, COUNTED)
    expected = "3 11 6 12 3 8 1 0 1 0 0 89 89\nwrong: 0\n"
    assert support.on_device(program) == support.on_host(program) == expected
