"""The units of the runtime's host part: layers that include only what is before them, and compile alone."""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path

import pytest
from runtime_workshop import INCLUDE, RUNTIME, WARNINGS, Workshop, tool

SOURCES = RUNTIME / "src"
WHOLE = SOURCES / "register_cubin.cpp"
APART = {"gpu_activity.cpp"}
"""A library of its own, for ``rexcc bench``."""
LAYERS = {
    "machine": [
        "rex_cubin",
        "rex_cuda",
        "rex_deferral",
        "rex_gpu",
        "rex_internal",
        "rex_messages",
        "rex_profile_wishes",
        "rex_ranks",
        "rex_settings",
        "rex_threads",
    ],
    "program": [
        "rex_background",
        "rex_decide",
        "rex_images",
        "rex_kept_memory",
        "rex_modules",
        "rex_relocations",
        "rex_room",
        "rex_shared_memory",
        "rex_spread",
        "rex_units",
    ],
    "calls": [
        "rex_attachments",
        "rex_call",
        "rex_calls_inside",
        "rex_cupti",
        "rex_explain",
        "rex_gate",
        "rex_gpu_failure",
        "rex_host_pointers",
        "rex_nvtx",
        "rex_observed",
        "rex_profile",
        "rex_profile_rows",
        "rex_profile_tool",
        "rex_profile_trace",
        "rex_unreferenced",
        "rex_watchdog",
    ],
    "rows": [
        "rex_absent_objects",
        "rex_always",
        "rex_attached_rows",
        "rex_globals",
        "rex_lookups",
        "rex_objects",
        "rex_partials",
        "rex_seen_whole",
        "rex_shared_rows",
    ],
    "copies": ["rex_carriers", "rex_copy_driver", "rex_copy_ring", "rex_rings", "rex_staging"],
    "registration": ["rex_checks", "rex_registration"],
    "launches": [
        "rex_arguments",
        "rex_batches",
        "rex_direct",
        "rex_kernel_clock",
        "rex_ordered_tasks",
        "rex_queue",
        "rex_small_rows",
        "rex_streams",
        "rex_tasks",
        "rex_updates",
    ],
    "interface": [
        "rex_allocators",
        "rex_captures",
        "rex_data",
        "rex_launch",
        "rex_routines",
        "rex_start",
        "rex_target_tasks",
        "rex_thread_limit",
    ],
}
"""The units in the order in which they may use each other; those of a layer may do so without cycles."""
ORDER = list(LAYERS)
LAYER_OF = {unit: layer for layer, units in LAYERS.items() for unit in units}
UNITS = sorted(path for path in SOURCES.iterdir() if path.name not in APART | {WHOLE.name})

VARIABLES = {
    "rex_offload": "registration, which publishes it to generated code",
    "rex_has_reductions": "generated code",
    "rex_has_recursion": "generated code",
    "rex_has_tasks": "generated code",
    "no_module": "the section that it keeps",
    "no_group": "the section that it keeps",
    "no_name": "the section that it keeps",
    "Gate::of_process": "registration",
    "Gate::is_open": "registration",
    "Registration::made": "registration",
    "Staging::in_use": "registration",
    "SharedMemory::in_use": "registration",
    "of_thread": "the thread",
    "QueuedKernels::of_link_unit": "the first that prepares launches on a device",
    "background": "rex_background.cpp",
    "Profile::of_process": "registration",
    "own_profile": "registration, where the link unit makes the profile",
    "innermost_profiled": "the thread's calls in the profile",
    "number_of_thread": "the thread",
    "operation_began": "the thread, in libomptarget's copy or launch",
    "device_of_this_rank": "registration, when ranks are spread",
    "registers": "the thread that registers",
    "DeferredTasks::noted": "the thread",
    "DeferredTasks::are_over": "the first thread of the program's own that uses a device",
    "is_child": "the child process",
    "status_of_child": "the child process",
    "DeferredTasks::in_flight": "threads that defer tasks, and libomp's that have done them",
    "TasksMade::latest": "threads whose batches have made tasks",
    "TasksMade::asked": "threads that begin batches behind tasks",
    "Watchdog::of_link_unit": "registration",
    "KernelRecords::calls": "the profile, when it begins",
    "KernelRecords::lock": "the profile, when it begins",
    "KernelRecords::sums": "CUPTI, when it gives records",
    "RangeTool::of_link_unit": "registration",
    "functions": "the tool that takes ranges, when it begins",
    "places": "rex_nvtx.cpp, when such a tool begins",
    "CallsInside::slot_of_thread": "the thread",
    "CurrentCall::innermost": "the thread's objects of the class",
    "KeptPointers::innermost": "the thread's objects of the class",
    "parts_of_item": "the thread, while it explains a failure",
    "PinnedBlocks::made": "the first that makes an allocator of pinned memory",
    "SeenAddresses::of_thread": "the thread",
    "SeenWhole::of_thread": "the thread",
    "SeenNew::latest": "any thread that launches",
    "Batch::of_thread": "the thread",
    "one_at_a_time": "threads that launch with lambdas",
    "mappings": "threads that launch with lambdas",
    "unmapped": "threads that launch with lambdas",
}
"""All variables outside of functions, and who changes them."""


@functools.cache
def includes(path: Path) -> list[str]:
    """Return the files of ours that a file includes, in its order."""
    return re.findall(r'^#include "(.*)"', path.read_text(), re.MULTILINE)


def test_the_whole_is_all_units_in_the_order_of_their_layers() -> None:
    groups = re.findall(r'^// (\w+): .*\n((?:#include "\w+\.cpp"\n)+)', WHOLE.read_text(), re.MULTILINE)
    listed = {layer: re.findall(r'"(\w+)\.cpp"', lines) for layer, lines in groups}
    compiled = {path.stem for path in UNITS if path.suffix == ".cpp"}
    assert list(listed) == ORDER
    assert listed == {layer: [u for u in units if u in compiled] for layer, units in LAYERS.items()}
    assert {path.stem for path in UNITS} == set(LAYER_OF)


def test_the_document_has_the_layers() -> None:
    text = (RUNTIME.parents[2] / "ARCHITECTURE.md").read_text()
    assert re.findall(r"^    - `(\w+)`: ", text[text.index(". `runtime`: no Python") :], re.MULTILINE) == ORDER


WHOSE = {"rex_program_memory.h": "rex_shared_memory.h", "rex_arrivals.h": "rex_queue.h"}
"""Headers that a unit has in common with device files, or with the program's heap."""


@pytest.mark.parametrize("path", UNITS, ids=lambda p: p.name)
def test_a_unit_includes_headers_of_its_layer_and_of_those_before(path: Path) -> None:
    mine = ORDER.index(LAYER_OF[path.stem])
    for name in includes(path):
        assert name.endswith(".h"), f"{path.name} includes {name}"
        if (SOURCES / name).exists():
            assert ORDER.index(LAYER_OF[Path(name).stem]) <= mine, f"{path.name} includes {name}"
        else:
            assert path.name == WHOSE.get(name, "rex_internal.h"), f"{path.name} includes {name} of generated code"


@pytest.mark.parametrize("path", [p for p in UNITS if p.suffix == ".cpp"], ids=lambda p: p.name)
def test_a_unit_begins_with_its_own_header(path: Path) -> None:
    header = path.with_suffix(".h")
    if header.exists():
        assert includes(path)[0] == header.name
    else:
        assert LAYER_OF[path.stem] == "interface" and "rex_internal.h" in includes(path)


def test_there_are_no_cycles_of_includes() -> None:
    headers = {path.name: path for folder in ("include", "src") for path in (RUNTIME / folder).glob("*.h")}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join([*way[way.index(name) :], name])
        if name not in done:
            for below in includes(headers[name]):
                if below in headers:
                    visit(below, (*way, name))
            done.add(name)

    for name in headers:
        visit(name, ())


def check_syntax(compiler: str, version: int, files: list[Path], *more: str | Path) -> None:
    words = (tool(compiler), "-std=c++17", f"-DREX_LLVM_VERSION={version}", *WARNINGS, *more)
    done = subprocess.run([*map(str, words), INCLUDE, *map(str, files)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


PARSED_ONCE = ("algorithm", "functional", "map", "memory", "mutex", "string", "vector")
"""Headers of the standard library that most units include, and that are most of what there is to parse."""
OF_HEADERS = {
    "algorithm": "any_of copy find_if max min none_of remove sort",
    "array": "array",
    "atomic": "atomic memory_order_acq_rel memory_order_acquire memory_order_relaxed memory_order_release",
    "chrono": "chrono",
    "condition_variable": "condition_variable",
    "cstddef": "max_align_t size_t",
    "cstdint": "uint32_t uint64_t uint8_t",
    "cstdio": "FILE fclose fopen fprintf",
    "cstdlib": "aligned_alloc atexit free getenv",
    "functional": "function",
    "initializer_list": "initializer_list",
    "iterator": "make_reverse_iterator next",
    "list": "list",
    "map": "map",
    "memory": "make_shared make_unique shared_ptr unique_ptr",
    "mutex": "lock_guard mutex try_to_lock unique_lock",
    "optional": "nullopt optional",
    "set": "set",
    "string": "string to_string",
    "system_error": "system_error",
    "thread": "this_thread thread",
    "type_traits": "is_void_v",
    "unordered_map": "unordered_map",
    "utility": "exchange move pair swap",
    "vector": "vector",
}
"""What units take from each header of the standard library."""
HEADER_OF = {name: header for header, names in OF_HEADERS.items() for name in names.split()}


def standard_headers(path: Path) -> set[str]:
    """Return the headers of the standard library that a file includes, itself or by files of ours."""
    found = set(re.findall(r"^#include <(\w+)>", path.read_text(), re.MULTILINE))
    return found.union(*(standard_headers(SOURCES / name) for name in includes(path) if (SOURCES / name).exists()))


def test_units_include_what_they_take_from_the_standard_library() -> None:
    for path in UNITS:
        names = set(re.findall(r"\bstd::(\w+)", path.read_text()))
        assert names - HEADER_OF.keys() == set(), f"{path.name}: OF_HEADERS has to say where these come from"
        assert {HEADER_OF[name] for name in names} - standard_headers(path) == set(), path.name


@pytest.mark.extended
def test_each_unit_compiles_alone(tmp_path: Path) -> None:
    """With headers of the standard library in front, so that they are parsed once; the test above asks for those."""
    header = tmp_path / "standard.h"
    header.write_text("".join(f"#include <{name}>\n" for name in PARSED_ONCE))
    check_syntax("g++", 17, [header], "-x", "c++-header", "-o", f"{header}.gch")
    sources = {path.stem for path in UNITS if path.suffix == ".cpp"}
    units = [path for path in UNITS if path.suffix == ".cpp" or path.stem not in sources]
    check_syntax("g++", 17, units, "-include", header, "-Winvalid-pch", "-x", "c++", "-fsyntax-only")


def test_the_whole_compiles_for_the_last_llvm() -> None:
    check_syntax("clang++-19", 22, [WHOLE], "-x", "c++", "-fsyntax-only")


LOOKED_UP = {"llvm_omp_target_lock_mem", "llvm_omp_target_unlock_mem", "ompt_start_tool"}
"""What libomp finds by name in the program, for pinned memory and for a tool; ours stand in front of LLVM's."""
OF_PROCESS = {
    "omp_aligned_alloc",
    "omp_aligned_calloc",
    "omp_alloc",
    "omp_calloc",
    "omp_destroy_allocator",
    "omp_free",
    "omp_init_allocator",
    "omp_realloc",
}
"""Routines that are the same for all link units: one may free what another has allocated."""


def test_no_name_of_ours_is_visible_outside_of_a_link_unit(shop: Workshop) -> None:
    """The compiler's default is visible here. Templates of the standard library are everybody's: of std, __gnu_cxx."""
    table = shop.call(tool("readelf"), "-sW", shop.visible_registration()).stdout
    rows = [line.split() for line in table.splitlines()]
    seen = {row[7] for row in rows if len(row) == 8 and row[4] != "LOCAL" and row[5] == "DEFAULT" and row[6] != "UND"}
    assert seen >= LOOKED_UP | OF_PROCESS
    seen -= LOOKED_UP | OF_PROCESS
    library = re.compile(r"_Z(T[ISV]|GV)?Z?N?K?(S[a-z]|9__gnu_cxx)|DW\.ref\.")
    assert [name for name in sorted(seen) if not library.match(name)] == []


def test_every_variable_has_an_owner(shop: Workshop) -> None:
    table = shop.call(tool("objdump"), "-tC", shop.registration).stdout
    pattern = r"^\S+ .{5}[O ]. (?:\.t?bss|\.t?data(?!\.rel\.ro)|rex_offload)\S*\t\S+ +(?:\.hidden )?(.*)$"
    names = [n.replace("(anonymous namespace)::", "") for n in re.findall(pattern, table, re.MULTILINE)]
    outside = {n.removeprefix("__rex::") for n in names if "(" not in n and not n.startswith((".", "std::", "DW.ref."))}
    inside = {name for name in outside if name.endswith(("::place", "::theirs"))}  # of functions with C's linkage
    assert outside - inside == set(VARIABLES)


def test_only_one_header_knows_versions_of_llvm() -> None:
    files = [path for folder in ("include", "src") for path in (RUNTIME / folder).rglob("*") if path.is_file()]
    compared = {p.name for p in files if re.search(r"REX_LLVM_VERSION *[<>=]|#if.*REX_LLVM_VERSION", p.read_text())}
    assert compared == {"rex_llvm_abi.h"}


def test_only_one_header_declares_what_llvm_has() -> None:
    """Units have C's linkage for bounds of sections, which the linker makes, for routines that they define, and for
    what glibc's ``assert`` calls."""
    linked = {path.name for path in UNITS if 'extern "C"' in path.read_text()}
    assert linked == {
        "rex_allocators.cpp",
        "rex_batches.h",
        "rex_modules.cpp",
        "rex_profile_tool.cpp",
        "rex_routines.cpp",
    }
