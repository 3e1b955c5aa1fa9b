"""A device that does not exist: 64 threads in a warp, other limits, words of its own."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import support
from rexcc.pipeline import Translation, translate
from rexcc.target.model import Limits, Target, Words
from rexcc.target.nvptx import NVPTX

HERE = Path(__file__).parent
PROGRAM = (HERE / "program.c").read_text()
FX = Target(
    name="fx",
    words=Words(
        thread="fx_lane",
        threads="fx_lanes",
        block="fx_group",
        blocks="fx_groups",
        team_memory="fx_local",
        barrier="fx_meet();",
        fence="fx_publish();",
        read_only_load="fx_load",
        kernel="fx_entry",
        device="fx_function",
        both="fx_everywhere",
        bounds="fx_most({})",
        variables=("fx_lane", "fx_lanes", "fx_group", "fx_groups"),
    ),
    limits=Limits(warp=64, threads=512, team_bytes=1024, least_bound=2),
    header="fx_device.h",
    names=frozenset({"fx_meet"}),
    image="fx",
)


def translated(text: str, target: Target = FX, architectures: tuple[str, ...] = ("sm_90",)) -> Translation:
    """Translate a program for a target."""
    options = replace(support.options_of("t.c"), target=target, architectures=architectures)
    return translate("t.c", options, {"t.c": text.encode()}.get)


def device_text(text: str) -> str:
    """Return the code of a program's device file."""
    found = translated(text)
    assert found.device is not None, support.rendered(found)
    return support.code_only(found.device.text)


def test_its_files_have_its_words_and_no_others() -> None:
    text = device_text(PROGRAM)
    own = set(re.findall(r"\bfx_\w+", text))
    assert own == {"fx_lane", "fx_lanes", "fx_group", "fx_groups", "fx_local", "fx_meet", "fx_entry", "fx_function",
                   "fx_most", "fx_load", "fx_publish"}  # fmt: skip
    cuda = "|".join(
        (
            *NVPTX.words.variables,
            "__shared__",
            "__syncthreads",
            "__threadfence",
            "__ldg",
            "__global__",
            "__device__",
            "__launch_bounds__",
        )
    )
    assert not re.findall(rf"\b(?:{cuda})\b", text)


def test_sections_are_a_warp_apart() -> None:
    assert "fx_lane == 64 % fx_lanes" in device_text(PROGRAM)


@pytest.mark.parametrize(("threads", "bounds"), [(512, "fx_most(512)"), (513, "")])
def test_a_block_has_no_more_threads_than_it_can(threads: int, bounds: str) -> None:
    loop = "for (int i = 0; i < n; i++) p[i] = i;"
    text = f"void f(int n, int *p) {{\n#pragma omp target parallel for num_threads({threads})\n{loop}\n}}\n"
    head = re.search(r'"" fx_entry void ?([^\n]*)\n', device_text(text))
    assert head is not None and head[1] == bounds


def test_the_memory_of_a_team_is_as_large_as_it_is() -> None:
    inner = "#pragma omp parallel for\n for (int i = 0; i < 300; i++) a[i] = t;\n p[t] = a[0];"
    loop = f"for (int t = 0; t < 9; t++) {{ int a[300];\n{inner}\n}}"
    text = f"void f(int *p) {{\n#pragma omp target teams distribute\n{loop}\n}}\n"
    assert [d.code for d in translated(text).diagnostics] == ["team-memory"]
    assert not translated(text, NVPTX).diagnostics


def test_its_names_are_those_that_a_program_cannot_have() -> None:
    loop = "for (int i = 0; i < n; i++) p[i] = {};"
    text = f"static int fx_lane, threadIdx;\nvoid f(int n, int *p) {{\n#pragma omp target parallel for\n{loop}\n}}\n"
    host = translated(text.replace("{}", "fx_lane + threadIdx")).host
    assert host is not None and "static int rex_users_fx_lane, threadIdx;" in host.text


def test_the_image_has_its_ending() -> None:
    assert translated(PROGRAM).image_names[0][1].endswith(".fx")


def test_programs_run_on_the_cpu_device(bench: support.Bench) -> None:
    support.require_runtime()
    folder = bench.place({"t.c": PROGRAM, "out/fx_device.h": (HERE / "fx_device.h").read_text()})
    assert support.rexcc(folder, "--emit=src", "t.c", "-o", "out") == 0
    found = replace_files(folder / "out")
    assert "fx_device.h" in found
    support.place_helper(folder / "out")
    flags = "CPUFLAGS=-O1 -std=gnu++17 -fPIC -fvisibility=default -pthread -w -isystem ."
    done = subprocess.run(["make", "-s", flags], cwd=folder / "out", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = support.on_device(folder / "out" / "t")
    assert printed == bench.plain({"t.c": PROGRAM}) and printed.count("\n") == 4


def replace_files(folder: Path) -> str:
    """Put the files for the fictitious device in the place of those for the CPU device; return the device file."""
    made = translated(PROGRAM, architectures=())
    assert made.host is not None and made.device is not None and made.cpu_device is not None, support.rendered(made)
    for file in (made.host, made.device, made.cpu_device):
        assert (folder / file.name).exists()
        (folder / file.name).write_text(file.text)
    return made.device.text
