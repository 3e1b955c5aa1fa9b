"""What REX_PROFILE tells of launches that the driver gets from us: on a make-believe GPU."""

from __future__ import annotations

import json
import re

from runtime_workshop import PROGRAMS, WARNINGS, Workshop

WITH_PROFILE = """- outside
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
wait
wait
leave
- in a batch
enter
bring 13 bytes to 5000: 'first-private'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 4992
wait
wait
leave
- update in a batch
enter
bring 12 bytes to 1008: ''
fetch 5 bytes from 1020
wait
leave
- absent
libomptarget launches and waits
- of the host
libomptarget launches and waits
- end
- task of the host
"""
"""Nothing stays in a queue. The clock waits for a kernel before who has launched it does."""


def test_each_launch_of_ours_is_waited_for_and_timed(shop: Workshop, queue: str) -> None:
    done = shop.call(queue, LD_LIBRARY_PATH="queue_cuda", REX_PROFILE="1,queue.json,trace:trace.json")
    assert done.stdout.endswith("leave\n" + WITH_PROFILE)
    row = json.loads((shop.folder / "queue.json").read_text())["constructs"][0]
    assert (row["file"], row["line"], row["function"]) == ("queue.cpp", 1, "main")
    assert (row["calls"], row["on_host"], row["kernel_seconds"]) == (5, 1, 2 * 0.002)
    assert (row["bytes_to"], row["bytes_from"]) == (13 + 12, 5)
    heading, _, line, warning = done.stderr.splitlines()
    assert re.fullmatch(r"rex: profile, make-believe GPU: .* in 1 construct", heading)
    assert re.fullmatch(
        r" *\S+ .s +100% +5 +\S+ .s +4\.000 ms +25 +5  queue.cpp:1 main: target \(1 on the host\)", line
    )
    assert warning.startswith("rex: libomptarget has not told of its copies")
    spans = json.loads((shop.folder / "trace.json").read_text())["traceEvents"]
    assert [span["cat"] for span in spans if span["ph"] == "X"].count("kernel") == 2


def test_kernels_are_timed_by_cupti_where_it_is_there(shop: Workshop, gpus: str) -> None:
    """The make-believe one says 1 and 2 us of a kernel of this program."""
    (shop.folder / "cupti").mkdir()
    shop.call("gcc", *WARNINGS, "-shared", "-fPIC", PROGRAMS / "fake_cupti.c", "-o", "cupti/libcupti.so.13")
    done = shop.call(gpus, "counts", LD_LIBRARY_PATH="cupti", REX_COPY_THREADS="4", REX_PROFILE="1,cupti.json")
    document = json.loads((shop.folder / "cupti.json").read_text())
    (row,) = document["constructs"]
    assert (document["kernels_by"], row["kernel_seconds"]) == ("CUPTI", 3e-6)
    assert done.stderr.splitlines()[0].endswith(" in 1 construct, kernels by CUPTI")
