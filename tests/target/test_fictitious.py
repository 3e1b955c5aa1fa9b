"""A device that does not exist (``fx.py``): what is generated for it has its words, limits and names."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from fx import FX

import support
from rexcc.pipeline import Translation, translate
from rexcc.target.model import HEADERS_THREADS, HEADERS_WARP, Architectures, Target
from rexcc.target.nvptx import NVPTX

HERE = Path(__file__).parent
PROGRAM = (HERE / "program.c").read_text()


def translated(text: str, target: Target = FX, architectures: tuple[str, ...] = ("fx_one",)) -> Translation:
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
                   "fx_most", "fx_load", "fx_publish", "fx_number", "fx_count"}  # fmt: skip
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


@pytest.mark.parametrize("target", [FX, replace(FX, entry_header="")], ids=["host plugin", "own runtime"])
def test_each_file_begins_with_what_headers_do_not_take_for_granted(target: Target) -> None:
    made, usual = translated(PROGRAM, target), translated(PROGRAM, NVPTX, ("sm_90",))
    for file in (made.host, made.device, made.cpu_device):
        assert file is not None
        lines = [line for line in file.text.splitlines() if line.startswith("#")]
        head = lines[: next(i for i, line in enumerate(lines) if line.startswith("#include"))]
        assert {"#define REX_WARP 64", "#define REX_MOST_THREADS 512"} <= set(head)
    for file in (usual.host, usual.device, usual.cpu_device):
        assert file is not None and not re.search("REX_WARP|REX_MOST_THREADS", file.text)


def test_headers_take_for_granted_what_the_compiler_thinks() -> None:
    header = (support.RUNTIME / "include" / "rex_warp.h").read_text()
    assert re.findall(r"#define REX_\w+ (\d+)", header) == [str(HEADERS_WARP), str(HEADERS_THREADS)]


def test_numbers_of_architectures_have_their_base() -> None:
    names = Architectures(pattern=r"hx([0-9a-f]+)", form="hxNN", default="hx90a", base=16)
    assert names.number("hx90a") == 0x90A and names.number("hx942") == 0x942
    assert NVPTX.architectures.number("sm_90a") == 90 and FX.architectures.number("fx_one") == 0


def test_the_image_has_its_ending() -> None:
    assert [image.name for image in translated(PROGRAM).images] == ["rex_lib_t.fx_one.fximage", "rex_lib_t.host.so"]


def test_calls_of_other_files_are_refused_where_its_linker_joins_none() -> None:
    """A device whose capabilities do not say that it links device code of several files."""
    found = translated("int outside(int);\nvoid f(int *p) {\n#pragma omp target map(p[0:1])\n  p[0] = outside(3);\n}\n")
    shown = support.rendered(found)
    assert "t.c:4:10: error: 'outside' is called in a target region but not defined in this file" in shown
    assert "cannot be linked for all devices of this build" in shown
