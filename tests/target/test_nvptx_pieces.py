"""The pieces in which device code of many files is linked for NVIDIA GPUs."""

from __future__ import annotations

import ctypes
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from rexcc.driver.tools.toolchain import find_compiler, find_linker
from rexcc.source.records import replace
from rexcc.target.commands import Around, CommandLine, HostCompiler, LinkError, LinkInput
from rexcc.target.known import DEFAULT
from rexcc.target.nvptx_pieces import FUNCTIONS, copies_for, pieces_of

TOOLS = DEFAULT.tools
LIBRARY = find_linker(TOOLS, find_compiler(TOOLS, None, {}))
PLENTY = 130


def part(number: int, calls: Sequence[int] = (), has_kernels: bool = True) -> LinkInput:
    """Return a file with a function of its number that calls others."""
    needs = tuple(f"f{n}" for n in calls)
    return LinkInput(f"{number}.o", ("ir",), (f"f{number}",), needs, f"__{number}__" if has_kernels else "")


def rest(parts: Sequence[LinkInput]) -> list[LinkInput]:
    """Return files with others, without kernels, so that there are plenty."""
    return [*parts, *(part(n, (), False) for n in range(len(parts), PLENTY))]


def pieces(parts: Sequence[LinkInput]) -> tuple[dict[int, tuple[int, ...]], list[int]]:
    """Return the files of each piece with copies, by the first, and the files in pieces of functions."""
    made = pieces_of(parts)
    copies = {p.inputs[0]: p.inputs for p in made if p.options != FUNCTIONS}
    assert all(p.options == copies_for(parts[n].kernels) for p in made for n in p.inputs[:1] if p.options != FUNCTIONS)
    return copies, [n for p in made if p.options == FUNCTIONS for n in p.inputs]


def test_each_kernel_has_copies_of_what_it_calls() -> None:
    chain = [part(0, (1, 2)), part(1, (2,), False), part(2), part(3, (0,)), part(4)]
    assert pieces(rest(chain)) == ({0: (0, 1, 2), 2: (2,), 3: (3, 0, 1, 2), 4: (4,)}, [])


def test_a_moderate_number_of_files_is_linked_at_once() -> None:
    moderate = [part(n, (n + 1,)) for n in range(32)]
    assert pieces_of(moderate) == ()
    functions = [part(32 + n, (), False) for n in range(97)]
    assert pieces_of([*moderate, *functions[:96]]) == ()
    assert pieces_of([*moderate, part(32)]), "too many with kernels"
    assert pieces_of([*moderate, *functions]), "too many"


def test_files_with_a_variable_in_common_are_linked_at_once() -> None:
    many = [replace(part(n, (n + 1,)), shares=(f"of_{n}",)) for n in range(40)]
    assert pieces_of(many), "each has its own"
    many[30] = replace(many[30], shares=("of_30", "of_3"))
    assert pieces_of(many) == ()


def test_what_is_too_far_is_called() -> None:
    copies, functions = pieces(rest([part(n, (n + 1,)) for n in range(12)]))
    assert copies[0] == tuple(range(8))
    assert copies[8] == (8, 9, 10, 11, 12)
    assert functions == [8, 9, 10, 11, 12], "they are called by 0 to 4 and by each other"


def test_a_variable_is_in_one_piece() -> None:
    """Functions of a file with variables are called, its own kernels are where the variables are."""
    parts = rest([part(0, (1,)), part(1, (2,)), part(2), part(3)])
    parts[1] = replace(parts[1], is_plain=False)
    assert pieces(parts) == ({0: (0,), 2: (2,), 3: (3,)}, [1, 2])
    parts[0] = replace(parts[0], needs=())
    assert pieces(parts) == ({0: (0,), 1: (1, 2), 2: (2,), 3: (3,)}, []), "nobody calls 1"
    parts[4] = replace(parts[4], is_plain=False)
    assert pieces(parts)[1] == [4], "the host knows its variables"


def test_who_shares_the_state_of_a_team_is_not_apart() -> None:
    parts = rest([part(0, (1,)), part(1, (2,)), part(2), part(3, (2,))])
    parts[2] = replace(parts[2], uses_team=True)
    assert pieces(parts)[0][0] == (0, 1, 2), "all in one piece"
    parts[1] = replace(parts[1], is_plain=False)
    assert pieces(parts) == ({2: (2,), 3: (3, 2)}, [0, 1, 2])


def test_what_tables_name_stays() -> None:
    parts = rest([part(0, (1,)), part(1), part(2)])
    parts[1] = replace(parts[1], is_plain=False, is_asked=True)
    parts[5] = replace(parts[5], is_asked=True)
    assert pieces(parts) == ({0: (0,), 2: (2,)}, [1, 5])


def test_the_command_of_the_link_has_the_pieces() -> None:
    around = Around("nvcc", HostCompiler("clang", "clang++", "clang"), "include", 19, linker=("link", "library"))
    parts = rest([part(0, (1,)), part(1), part(2), part(3), part(4)])
    (step,) = TOOLS.linked(parts, "image", "sm_90", CommandLine(), around)
    *words, _, _ = step.argv[2:]
    plan = TOOLS.link_plan([word for word in words if word.startswith("-")])
    inputs = [word for word in words if not word.startswith("-")]
    found = {piece.options: [inputs[n] for n in piece.inputs] for piece in plan.pieces}
    assert found == {copies_for(f"__{n}__"): [f"{n}.o"] if n else ["0.o", "1.o"] for n in range(5)}
    assert plan.options == ("-arch=sm_90",)
    assert {"-lto", "-arch=sm_90"} <= {*plan.for_pieces}
    (step,) = TOOLS.linked(parts, "image", "sm_90", CommandLine(links_whole=True), around)
    assert not any("piece" in word for word in step.argv), "-foffload-lto"
    finished = [replace(p, terms=()) for p in parts]
    assert all(map(TOOLS.is_ready, finished)) and not any(map(TOOLS.is_ready, parts)), "-foffload-lto tells of these"
    (step,) = TOOLS.linked(finished, "image", "sm_90", CommandLine(), around)
    assert not any("piece" in word for word in step.argv), "the compiler has made the code"


@pytest.mark.builds
@pytest.mark.skipif(not LIBRARY, reason="no nvcc or no nvJitLink")
def test_pieces_are_linked_to_an_image(tmp_path: Path) -> None:
    """A kernel with copies of what it calls; the one that comes with its file's functions gives way to it."""
    text = 'extern "C" __device__ int f(int x) { return x * 3; }\n'
    text += "".join(f'extern "C" __global__ void kernel__{k}__(int *p) {{ *p = f(*p); }}\n' for k in "ab")
    (tmp_path / "a.cu").write_text(text)
    made = ("nvcc", "-rdc=true", "-dlto", "-ltoir", "-arch=lto_90", "a.cu", "-o", "a.o")
    subprocess.run(made, cwd=tmp_path, check=True)
    library, code = ctypes.CDLL(LIBRARY), (tmp_path / "a.o").read_bytes()
    copies, functions = (
        TOOLS.link(library, ("-lto", "-arch=sm_90", *options), [("a.o", code)])[0]
        for options in (copies_for("__b__"), FUNCTIONS)
    )
    assert bindings(copies) == {"kernel__b__": "strong"}
    assert bindings(functions) == {"f": "strong", "kernel__a__": "weak", "kernel__b__": "weak"}
    for inputs in ((copies, functions), (functions, copies)):
        image, _ = TOOLS.link(library, ("-arch=sm_90",), [("piece", data) for data in inputs])
        assert bindings(image) == {"kernel__a__": "weak", "kernel__b__": "strong"}
    with pytest.raises(LinkError, match="no kernel has '__c__' in its name"):
        TOOLS.link(library, ("-lto", "-arch=sm_90", *copies_for("__c__")), [("a.o", code)])
    with pytest.raises(LinkError, match="'f' is defined twice"):
        TOOLS.link(library, ("-arch=sm_90",), [("piece", functions)] * 2)


def bindings(cubin: bytes) -> dict[str, str]:
    """Return the functions that a cubin defines for others, with their binding."""
    (table,) = struct.unpack_from("<Q", cubin, 40)
    size, count = struct.unpack_from("<HH", cubin, 58)
    sections = [struct.unpack_from("<IIQQQQI", cubin, table + n * size) for n in range(count)]
    symbols = next(section for section in sections if section[1] == 2)
    names = sections[symbols[6]][4]
    found = {}
    for at in range(symbols[4], symbols[4] + symbols[5], 24):
        name, info, _, section = struct.unpack_from("<IBBH", cubin, at)
        if info & 15 == 2 and info >> 4 and section:
            start = names + name
            found[cubin[start : cubin.index(b"\0", start)].decode()] = {1: "strong", 2: "weak"}[info >> 4]
    return found
