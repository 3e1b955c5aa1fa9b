"""Which images are built, given the wishes and the machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rexcc.driver.options.parser import parse
from rexcc.driver.tools import targets
from rexcc.driver.tools.toolchain import MissingToolError, Toolchain


def choose(machine: Toolchain, line: str, gpus: tuple[str, ...] = ()) -> targets.Targets:
    return targets.choose(parse([*line.split(), "a.c"]), machine, lambda: gpus)


@pytest.mark.parametrize(
    ("line", "gpus", "architectures", "cpu_device"),
    [
        ("", (), ("sm_90",), True),
        ("", ("sm_80",), ("sm_80",), True),
        ("--target=nvptx", (), ("sm_90",), False),
        ("--target=host", ("sm_80",), (), True),
        ("--target=host --offload-arch=sm_80", (), (), True),
        ("--offload-arch=sm_70,sm_80", ("sm_90",), ("sm_70", "sm_80"), True),
        ("--offload-arch=native,sm_80", ("sm_90",), ("sm_90", "sm_80"), True),
        ("-fopenmp-targets=nvptx64", (), ("sm_90",), False),
    ],
)
def test_choices(
    machine: Toolchain, line: str, gpus: tuple[str, ...], architectures: tuple[str, ...], cpu_device: bool
):
    chosen = choose(machine, line, gpus)
    assert (chosen.architectures, chosen.cpu_device) == (architectures, cpu_device)
    assert not chosen.notes


def test_without_cuda_the_default_is_the_cpu_device_with_a_note(machine: Toolchain):
    chosen = choose(replace(machine, device=None), "")
    assert (chosen.architectures, chosen.cpu_device) == ((), True)
    assert len(chosen.notes) == 1
    assert "rexcc[cuda]" in chosen.notes[0]


@pytest.mark.parametrize(
    "line", ["--target=both", "--target=nvptx", "--offload-arch=sm_80", "-fopenmp-targets=nvptx64"]
)
def test_without_cuda_a_wish_for_the_gpu_is_an_error(machine: Toolchain, line: str):
    with pytest.raises(MissingToolError, match="no CUDA compiler"):
        choose(replace(machine, device=None), line)


def test_native_needs_a_gpu(machine: Toolchain):
    with pytest.raises(MissingToolError, match="no usable NVIDIA GPU"):
        choose(machine, "--offload-arch=native")
