"""Invariants of generated code on reduced programs in the manner of Rodinia: counts, order, presence, absence."""

from __future__ import annotations

import functools
import re

import pytest

import support
from rexcc.source.own_names import WORDS
from support import Output, code_only

KERNELS = {
    "axpy_multi_like.c": 3,
    "bfs_like.c": 1,
    "btree_like.c": 2,
    "gaussian_like.c": 3,
    "hotspot_like.c": 2,
    "nn_like.c": 1,
    "odd_bytes_like.c": 2,
    "pathfinder_like.c": 1,
    "srad_comments_like.c": 2,
    "srad_v2_like.c": 2,
    "data_like.cpp": 4,
}
ACTIVE = re.compile(r"^\s*#\s*pragma\s+omp\s+(target|teams|distribute)", re.MULTILINE)
SECOND_FORMS = {"bfs_like.c": ["small"], "btree_like.c": ["large"], "gaussian_like.c": ["wide"]}
"""Kernels besides."""

every_program = pytest.mark.parametrize("name", sorted(KERNELS))


def text_of(name: str) -> str:
    """Return a program's text, one character per byte."""
    return (support.PROGRAMS / name).read_bytes().decode("latin-1")


@functools.cache
def output_of(name: str) -> Output:
    return support.compiled((support.PROGRAMS / name).read_bytes(), name)


def test_all_programs_are_listed() -> None:
    assert sorted(p.name for p in support.PROGRAMS.iterdir()) == sorted(KERNELS)


@every_program
def test_the_host_file_has_one_of_each(name: str) -> None:
    host = output_of(name).host
    assert host.count('#include "rex_kmp.h"') == 1
    assert code_only(host).count("rex_offload_init()") == 1
    assert "rex_offload_fini" not in host
    count = KERNELS[name] + len(SECOND_FORMS.get(name, ""))
    assert host.count("REX_KERNEL_ID(") == host.count("REX_KERNEL_ENTRY(") == count
    assert host.count("REX_OFFLOAD_MODULE(") == 1


@every_program
def test_each_region_is_launched_once(name: str) -> None:
    host = output_of(name).host
    launches = len(re.findall(r"__tgt_target_kernel\(", host))
    templates = KERNELS[name] - launches
    assert templates == (1 if name == "data_like.cpp" else 0)  # the two instances of a template share one text
    assert host.count("void *__host_ptr = ") == launches
    assert host.count("struct __tgt_kernel_arguments __kernel_args") == launches


@every_program
def test_the_helper_header_comes_before_the_ids_and_both_before_the_users_text(name: str) -> None:
    host = output_of(name).host
    assert host.index('#include "rex_kmp.h"') < host.index("REX_KERNEL_ID(") < host.index(f'#line 1 "{name}"')
    assert host.rindex("REX_KERNEL_ID(") < host.index(f'#line 1 "{name}"')


@every_program
def test_initialisation_is_the_first_statement_of_main(name: str) -> None:
    assert re.search(
        r"\bmain\s*\([^)]*\)\s*\{\s*(?:REX_DECLARED\()?rex_offload_init\(\)", code_only(output_of(name).host)
    )


@every_program
def test_the_device_file_has_one_of_each(name: str) -> None:
    device = output_of(name).device
    assert device.count('#include "rex_nvidia.h"') == 1
    forms = re.findall(r"_(small|wide|large)__kernel__\(", device)
    assert forms == SECOND_FORMS.get(name, [])
    assert len(re.findall(r"__global__", device)) == KERNELS[name] + len(forms)
    assert len(output_of(name).kernels) == KERNELS[name]
    assert "omp.h" not in device
    assert "rex_kmp.h" not in device


@every_program
def test_ids_entries_kernels_and_entry_points_have_the_same_names(name: str) -> None:
    output = output_of(name)
    ids = re.findall(r"REX_KERNEL_ID\((\w+)\)", output.host)
    assert len(set(ids)) == len(ids)
    assert re.findall(r"REX_KERNEL_ENTRY\((\w+)\)", output.host) == ids
    kernels = [k.name for k in output.kernels]
    second = [f"{i}kernel__" for i in ids if re.search("__(small|wide|large)__$", i)]
    assert sorted([*kernels, *second]) == sorted(f"{i}kernel__" for i in ids)
    assert re.findall(r'extern "C" void\n(\w+)\(', output.cpu) == [f"{i}kernel__" for i in ids]


DIVISOR = "rex_extent_bytes"
"""What the host calls for an argument ``__rex_by_…_bytes``."""


@every_program
def test_directives_are_comments_now(name: str) -> None:
    output = output_of(name)
    assert not ACTIVE.search(code_only(output.host))
    active = code_only(text_of(name))
    for directive in re.findall(r"#pragma omp [^\r\n\\]*[^\s\\]", active):
        assert f"/* {directive}" in output.host


@every_program
def test_the_device_file_has_no_active_directive(name: str) -> None:
    assert not ACTIVE.search(code_only(output_of(name).device))


@every_program
def test_rows_and_parameters_are_in_the_same_order(name: str) -> None:
    output = output_of(name)
    blocks = [b for b in output.blocks if b.call == "__tgt_target_kernel"]
    by_stem = {k.name.removesuffix("kernel__"): k for k in output.kernels}
    for block in blocks:
        stem = re.search(r"__host_ptr = [^;]*?&?(OUT__\w+?__)(?:small__|large__)?(?:id__|key<)", block.text)
        assert stem is not None
        for found, kernel in by_stem.items():
            if not found.startswith(stem[1]):
                continue
            rows = block.parameter_rows
            assert len(rows) == len(kernel.parameters)
            for row, parameter in zip(rows, kernel.names, strict=True):
                made = {"__rex_packed_trips": "__rex_tripcount"} if "_by_" not in parameter else {parameter: DIVISOR}
                own = parameter.removeprefix("__rex_")
                expected = made.get(parameter, parameter if own in WORDS - {"this"} else own)
                assert expected in re.findall(r"\w+", row), (row, parameter)


@every_program
def test_arrays_have_equal_lengths_and_the_stated_number(name: str) -> None:
    for block in output_of(name).blocks:
        assert len(block.bases) == len(block.begins) == len(block.sizes) == len(block.types)
        assert f"__INT32_TYPE__ __arg_num = {len(block.bases)};" in block.text


@every_program
def test_data_regions_begin_and_end_in_pairs(name: str) -> None:
    host = code_only(output_of(name).host)
    assert host.count("__tgt_target_data_begin_mapper(") == host.count("__tgt_target_data_end_mapper(")
    assert host.count("__tgt_target_data_begin_mapper(") == len(
        re.findall(r"#pragma omp target data", code_only(text_of(name)))
    )


@every_program
def test_translation_is_deterministic(name: str) -> None:
    again = support.compiled((support.PROGRAMS / name).read_bytes(), name)
    assert (again.host, again.device, again.cpu) == (output_of(name).host, output_of(name).device, output_of(name).cpu)


@every_program
def test_braces_match(name: str) -> None:
    for text in (output_of(name).host, output_of(name).device, output_of(name).cpu):
        plain = code_only(text)
        assert plain.count("{") == plain.count("}")
        assert plain.count("(") == plain.count(")")


def test_axpy_repeated_calls_use_one_kernel() -> None:
    output = output_of("axpy_multi_like.c")
    plain = code_only(output.host)
    calls = {f: len(re.findall(rf"^  {f}\(", plain, re.MULTILINE)) for f in ("scale", "axpy", "bias")}
    assert calls == {"scale": 1, "axpy": 2, "bias": 1}
    assert [re.sub(r"OUT__\d__(\w+?)__\d+__kernel__", r"\1", k.name) for k in output.kernels] == [
        "scale",
        "axpy",
        "bias",
    ]
    assert [k.names for k in output.kernels] == [
        ["x", "__rex_n", "__rex_factor"],
        ["x", "y", "__rex_n", "__rex_a"],
        ["y", "__rex_n", "__rex_b"],
    ]


def test_bfs_includes_stay_as_often_as_written() -> None:
    output = output_of("bfs_like.c")
    assert output.host.count("#include <stdio.h>") == output.host.count("#include <stdlib.h>") == 2
    assert output.device.count("struct Node {") == 1
    assert "#include <stdio.h>" not in output.device
    updates = [b for b in output.blocks if b.call == "__tgt_target_data_update_mapper"]
    assert [b.types for b in updates] == [("REX_MAP_FROM",), ("REX_MAP_TO", "REX_MAP_TO")]


def test_gaussian_collapses_one_kernel() -> None:
    kernels, device = output_of("gaussian_like.c").kernels, output_of("gaussian_like.c").device
    assert re.findall(r"__rex_trips_\w+ = .*", device) == ["__rex_trips_x = size - 1 - t;", "__rex_trips_y = size - t;"]
    assert kernels[0].bounds == kernels[2].bounds == "__launch_bounds__(256)"  # the last one has teams of one thread
    host = output_of("gaussian_like.c").host
    assert host.count("rex_collapse(") == 1


def test_hotspot_keeps_the_users_threads() -> None:
    output = output_of("hotspot_like.c")
    assert [k.bounds for k in output.kernels] == ["__launch_bounds__(128, 8)"] * 2  # with the registers of tiles
    assert output.host.count("int _threads_per_block_ = 128;") == 2
    assert output.host.count("rex_collapse(") == 2
    data = output.blocks[0]
    assert data.call == "__tgt_target_data_begin_mapper"
    assert data.types == ("REX_MAP_TOFROM", "REX_MAP_TO", "REX_MAP_NONE")
    end = output.host.index("__tgt_target_data_end_mapper(")
    assert output.host.rindex("__tgt_target_kernel(") < end < output.host.index("// the data are back")
    assert output.host.count("// the data are back") == 1


def test_nn_initialises_before_the_timer_and_passes_literals() -> None:
    output = output_of("nn_like.c")
    plain = code_only(output.host)
    assert plain.index("rex_offload_init()") < plain.index("long long start = clock();")
    for scheduler in ("XOMP_", "getCUDABlockThreadCount", "getLoopIndexFromCUDAVariables", "xomp_cuda_lib_inlined"):
        assert scheduler not in output.device
    (block,) = output.blocks
    assert block.bases[1:4] == ("rex_pack(&lat, sizeof lat)", "rex_pack(&lng, sizeof lng)", "(void *)z")
    assert block.types == (
        "REX_MAP_PARAM | REX_MAP_TO",
        "REX_MAP_LITERAL_PARAM",
        "REX_MAP_LITERAL_PARAM",
        "REX_MAP_PARAM | REX_MAP_FROM",
        "REX_MAP_IMPLICIT_LITERAL",
    )
    assert block.sizes[1] == "(__INT64_TYPE__)(sizeof lat)"
    assert "int _num_blocks_ = (int)(teams);" in block.text
    threads = "int _threads_per_block_ = rex_used_threads(__device_id, __rex_tripcount, _num_blocks_, 128);"
    assert threads in block.text
    (kernel,) = output.kernels
    assert kernel.bounds == "__launch_bounds__(128)"
    assert "const float lat = rex_unpack<float>(__rex_lat);" in kernel.body
    assert "#include <math.h>" in output.device


def test_pathfinder_keeps_private_variables_private() -> None:
    output = output_of("pathfinder_like.c")
    (kernel,) = output.kernels
    assert "min" not in kernel.names and "  int min;" in kernel.body
    launch = next(b for b in output.blocks if b.call == "__tgt_target_kernel")
    assert not any(re.search(r"\bmin\b", b) for b in launch.bases)
    assert launch.row("src")[2:] == ("0", "REX_MAP_PARAM | REX_MAP_IMPLICIT")
    assert re.search(r"#pragma omp parallel for private\(min\) firstprivate\(t\)", output.host)
    assert output.device.count("#define MIN(") == 1


def test_srad_comments_stay_in_order_and_in_place() -> None:
    original, host = text_of("srad_comments_like.c"), output_of("srad_comments_like.c").host
    inert = [
        "// marker one",
        "// #pragma omp target teams distribute parallel for map(tofrom: sum)",
        "/* marker two",
        "#pragma omp target data map(to: image)\n  */",
        "// the only data region",
        "// marker three: #pragma omp parallel for",
        "// #pragma omp target update from(c)",
        "/* #pragma omp simd */",
        "/* marker four */ // #pragma omp target exit data map(delete: c)",
        "// #pragma omp end",
    ]
    places = [host.index(comment) for comment in inert]
    assert places == sorted(places)
    assert all(host.count(comment) == original.count(comment) == 1 for comment in inert)
    assert host.index("marker two") < host.index("__tgt_target_data_begin_mapper(") < host.index("marker three")
    assert len(output_of("srad_comments_like.c").kernels) == 2


def test_srad_v2_trailing_comments_stay_once() -> None:
    host = output_of("srad_v2_like.c").host
    for comment in ("// end of the data region", "} // diffuse", "} // main"):
        assert host.count(comment) == 1
    assert host.index("__tgt_target_data_end_mapper(") < host.index("// end of the data region") or host.index(
        "// end of the data region"
    ) < host.index("} // diffuse")


def test_btree_implicit_pointers_have_no_size() -> None:
    output = output_of("btree_like.c")
    launches = [b for b in output.blocks if b.call == "__tgt_target_kernel"]
    assert len(launches) == 2
    for block, tofrom in zip(launches, ("answer", "length"), strict=True):
        assert block.row(tofrom)[3] == "REX_MAP_PARAM | REX_MAP_TOFROM"
        assert [t for t in block.types if "TOFROM" in t] == ["REX_MAP_PARAM | REX_MAP_TOFROM"]
        assert "REX_MAP_PARAM" not in block.types, "a row that is passed must say how"
        assert block.row("knodes")[1:] == ("(void *)knodes", "0", "REX_MAP_PARAM | REX_MAP_IMPLICIT")
    assert "int _num_blocks_ = 3;" in launches[0].text
    plain = code_only(output.host)
    assert len(re.findall(r"^    find_k\(", plain, re.MULTILINE)) == 2
    assert output.host.count("} // main") == 1
    assert output.device.count("} Knode;") == 1


def test_data_like_has_one_block_for_two_instances() -> None:
    output = output_of("data_like.cpp")
    names = [k.name for k in output.kernels]
    assert [n for n in names if "double" in n] and [n for n in names if "float" in n]
    assert output.host.count("key<T>::id(_num_blocks_, _threads_per_block_)") == 1
    assert len(re.findall(r"^namespace { template <> struct OUT__\w+key<", output.host, re.MULTILINE)) == 2
    line = r"^namespace { template <typename> struct OUT__\w+key; }\nREX_WARNINGS\n#line \d+"
    declared = re.findall(line, output.host, re.MULTILINE)
    assert len(declared) == 1, "on a line of its own, behind which the user's lines count on"
    assert output.kernel("add").names == ["__rex_k", "__rex_this"]
    assert output.host.count("// one thread") == output.host.count("inside a lambda") == 1
    assert "} // the end\n" in output.host
