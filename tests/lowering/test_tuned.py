"""Choices for single kernels: which kernel an entry is for, what it changes, and what it leaves."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest

from rexcc.inspection.model import KernelNode
from rexcc.program.optimisations import Optimisation
from rexcc.program.tuned import Choice, Entry, KernelKey, TunedFileError, read_tuned, tuned_text
from rexcc.target.known import DEFAULT
from support import on_one_line, translate_text

LOOP = "#pragma omp target teams distribute parallel for"
ROWS = f"{LOOP}\n  for (int i = 0; i < n; i++) {{ double s = 0; for (int j = 0; j < m; j++) s += a[j]; y[i] = s; }}\n"
SCALE = f"{LOOP}\n  for (int i = 0; i < n; i++) y[i] = 2 * a[i];\n"
SUM = f"{LOOP} reduction(+: s)\n  for (int i = 0; i < n; i++) s += a[i];\n"
ALL = Choice(128, 64, 4, frozenset({Optimisation.SMALL_GRIDS}))


def program(*regions: str) -> str:
    return f"void f(int n, int m, double s, double *a, double *y) {{\n{''.join(regions)}}}\n"


def kernels(source: str, entries: Sequence[Entry] = (), name: str = "t.c") -> tuple[KernelNode, ...]:
    return translate_text(source, name, tuned=entries, listing=True).listing


def entry(kernel: KernelNode, choice: Choice, architecture: str = "sm_90") -> Entry:
    key = KernelKey(kernel.within, kernel.function, kernel.directive, kernel.text)
    return Entry(key, architecture, choice)


def texts(source: str, entries: Sequence[Entry], **more: Sequence[str]) -> tuple[str, str]:
    found = translate_text(source, tuned=entries, **more)  # type: ignore[arg-type]
    assert found.host and found.device, found.diagnostics
    return found.host.text, found.device.text


def told(source: str, entries: Sequence[Entry]) -> list[str]:
    found = translate_text(source, tuned=entries, remarks=True).diagnostics
    return [d.message + "".join(f"; {n.message}" for n in d.notes) for d in found if "--tuned" in d.message]


def test_a_choice_is_made_for_its_kernel_alone():
    source = program(ROWS, SCALE, SUM)
    rows, _, total = kernels(source)
    entries = [entry(rows, ALL), entry(total, Choice(threads=512))]
    host, device = texts(source, entries)
    assert "rex_default_threads(__device_id, __rex_tripcount, 128)" in host
    assert "rex_default_threads(__device_id, __rex_tripcount, 256)" in host
    assert "rex_default_warps(__device_id, __rex_tripcount, 512)" in host
    assert [part.partition("\n")[0] for part in device.split("__launch_bounds__")[1:]] == ["(128, 8)", "(256)", "(512)"]
    assert device.count('_Pragma("unroll 4")') == 1
    assert "small__kernel__" not in host + device
    assert told(source, entries) == [
        "--tuned chooses for this kernel; a block has 128 threads at most; a thread has 64 registers at most; "
        "4 iterations of innermost loops stand one behind the other; the kernel does without small-grids",
        "--tuned chooses for this kernel; a block has 512 threads at most",
    ]


def test_unroll_leaves_loops_that_have_a_line_of_the_users_those_around_and_arguments_of_macros():
    loops = [
        "ONCE(for (int j = 0; j < m; j++) s += 1);",
        "for (int k = 0; k < m; k++) { for (int j = 0; j < m; j++) s += a[j * k]; }",
        "do s += 1; while (s < 9);",
    ]
    rest = "#pragma unroll 2\n  for (int j = 0; j < m; j++) s += a[j]; y[i] = s;"
    region = f"{LOOP}\n  for (int i = 0; i < n; i++) {{ double s = 0; {' '.join(loops)}\n{rest} }}\n"
    source = f"#define ONCE(x) x\n{program(region)}"
    (kernel,) = kernels(source)
    _, device = texts(source, [entry(kernel, Choice(unroll=8))])
    before, *behind = device.split('_Pragma("unroll 8")')
    assert on_one_line(before).endswith("for (int k = 0; k < m; k++) {")
    assert [re.sub(r"#line.*", "", part).split()[0] for part in behind] == ["for", "do"]
    assert re.search(r"#pragma unroll 2\n(#line .*\n)*\s*for \(int j", device)


@pytest.mark.parametrize("clause", ["num_threads(64)", "thread_limit(64)", "num_threads(m)"])
def test_clauses_stay(clause: str):
    source = program(ROWS.replace("for\n", f"for {clause}\n", 1))
    (kernel,) = kernels(source)
    entries = [entry(kernel, Choice(threads=512))]
    assert texts(source, entries) == texts(source, [])
    assert "the number of threads stays: a clause says it" in told(source, entries)[0]


@pytest.mark.parametrize(
    "clauses",
    ["num_teams(8)", "schedule(static, 4)", "dist_schedule(static, 64)", "num_teams(8) thread_limit(32)"],
)
def test_teams_and_schedules_stay(clauses: str):
    source = program(ROWS.replace("for\n", f"for {clauses}\n", 1))
    (kernel,) = kernels(source)
    blocks = [
        [line for line in texts(source, entries)[0].splitlines() if "_num_blocks_ =" in line or "_chunk" in line]
        for entries in ([], [entry(kernel, Choice(threads=128, registers=64))])
    ]
    assert blocks[0] == blocks[1]


def test_an_entry_finds_its_kernel_where_it_has_moved_to():
    rows, scale = kernels(program(ROWS, SCALE))
    entries = [entry(rows, ALL), entry(scale, Choice(threads=64))]
    moved = program("/* a line */\n\n", SCALE.replace("y", "a"), ROWS.replace("; i++", ";  i++"), SCALE)
    host, _ = texts(moved, entries)
    limits = [line.rpartition(" ")[2] for line in host.splitlines() if "rex_default_threads(" in line]
    assert limits == ["256);", "128);", "64);"]
    assert told(program(ROWS), entries) == told(program(ROWS), entries[:1])


def test_an_entry_for_an_earlier_text_is_stale():
    (kernel,) = kernels(program(ROWS))
    changed = program(ROWS.replace("s += a[j]", "s += 2 * a[j]"))
    entries = [entry(kernel, ALL)]
    assert texts(changed, entries) == texts(changed, [])
    (text,) = told(changed, entries)
    assert text.startswith("the entry of --tuned for this region is of an earlier text")
    elsewhere = changed.replace("void f(", "void g(")
    assert told(elsewhere, entries) == []


def test_the_number_tells_equal_texts_apart():
    source = program(SCALE, SCALE)
    first, second = kernels(source)
    assert first.text == second.text and (first.directive, second.directive) == (1, 2)
    host, _ = texts(source, [entry(second, Choice(threads=64))])
    limits = [line.rpartition(" ")[2] for line in host.splitlines() if "rex_default_threads(" in line]
    assert limits == ["256);", "64);"]


def test_an_entry_is_for_one_architecture():
    source = program(ROWS)
    (kernel,) = kernels(source)
    other, own = entry(kernel, ALL, "sm_80"), entry(kernel, ALL, "host")
    assert texts(source, [other]) == texts(source, [])
    both = {"architectures": ("sm_80", "sm_90")}
    assert texts(source, [other, entry(kernel, ALL)], **both) == texts(source, [], **both)
    cpu: dict[str, Sequence[str]] = {"architectures": ()}
    assert "128);" in texts(source, [own], **cpu)[0]


def test_instantiations_share_an_entry_and_methods_have_one():
    source = (
        "template <class T> struct Box { T *a; void scale(int n) {\n"
        f"{LOOP}\n for (int i = 0; i < n; i++) a[i] *= 2; }} }};\n"
        "void f(Box<float> x, Box<double> y) { x.scale(1); y.scale(2); }\n"
    )
    found = kernels(source, name="t.cpp")
    assert len(found) == 2
    assert len({(k.within, k.function, k.directive, k.text) for k in found}) == 1
    made = translate_text(source, "t.cpp", tuned=[entry(found[0], Choice(threads=64))])
    assert made.device is not None
    assert made.device.text.count("__launch_bounds__(64)") == 2


def test_files_come_back_and_are_the_same_for_the_same_entries():
    keys = [KernelKey("ä.c", "f", 2, "aa"), KernelKey("b.c", "g", 1, "bb")]
    entries = [Entry(keys[0], "sm_90", ALL, (12.5, 10.25)), Entry(keys[1], "sm_80", Choice(threads=512))]
    text = tuned_text(entries)
    assert sorted(read_tuned(text, DEFAULT.limits), key=lambda e: e.key.file) == sorted(
        entries, key=lambda e: e.key.file
    )
    assert tuned_text(reversed(entries)) == text
    assert read_tuned(tuned_text([]), DEFAULT.limits) == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"threads": 96}, "entry 1: 'threads' wants a power of two from 32 to 1024"),
        ({"threads": 2048}, "a power of two from 32 to 1024"),
        ({"threads": "64"}, "'threads' wants a positive number"),
        ({"registers": 16}, "'registers' wants a number from 32 to 255"),
        ({"unroll": 100}, "'unroll' wants a number up to 64"),
        ({"without": ["tils"]}, "'tils' is no optimisation of a kernel"),
        ({"without": ["queues"]}, "'queues' is no optimisation of a kernel"),
        ({"warps": 1}, "unknown key 'warps'"),
        ({"file": ""}, "'file' wants a text"),
        ({"directive": None}, "'directive' wants a positive number"),
        ({"microseconds": 1}, "'microseconds' wants numbers"),
    ],
)
def test_what_makes_no_sense_in_a_file(change: dict[str, object], message: str):
    good = {"file": "a.c", "function": "f", "directive": 1, "text": "aa", "architecture": "sm_90", "threads": 64}
    with pytest.raises(TunedFileError, match=message):
        read_tuned(json.dumps({"form": 1, "kernels": [good | change]}), DEFAULT.limits)
    with pytest.raises(TunedFileError, match="two entries for directive 1 of f"):
        read_tuned(json.dumps({"form": 1, "kernels": [good, good]}), DEFAULT.limits)
