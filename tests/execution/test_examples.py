"""The examples of the repository do what they say; where there is no GPU they say that too."""

from __future__ import annotations

from pathlib import Path

import support
from support import Bench

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_a_cuda_library_on_mapped_data(bench: Bench) -> None:
    support.require_runtime()
    program = bench.build({"cublas.c": (EXAMPLES / "cublas.c").read_text()}, "-ldl")
    for found in (support.on_device(program), support.on_host(program)):
        assert found.startswith("200 x 200 by ")
        assert found.endswith("trace -7, largest difference from the host's product 0\n")
