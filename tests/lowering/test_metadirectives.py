"""Which directive stands in the place of a metadirective, for the host, the CPU device and the GPU."""

from __future__ import annotations

import pytest

import support
from support import code_only, compiled

LOOP = "for (int i = 0; i < 100; i++) p[i] += i;"


def function(text: str) -> str:
    return f"void f(int n, int *p) {{\n{text}\n}}\n"


def directives(host: str) -> list[str]:
    """Return the directives that the host compiler reads."""
    return [line for line in code_only(host).split("\n") if line.startswith("#pragma omp")]


@pytest.mark.parametrize(
    ("variants", "chosen"),
    [
        ("when(device={kind(host)}: parallel for) otherwise(simd)", "parallel for"),
        ("when(device={kind(nohost)}: parallel for) otherwise(simd)", "simd"),
        ("when(device={arch(x86_64)}: parallel for schedule(static, n)) otherwise(simd)",
         "parallel for schedule(static, n)"),
        ("when(user={condition(sizeof(int) == 8)}: parallel for) default(simd)", "simd"),
        ("when(user={condition(sizeof(int) == 4)}: parallel for) default(simd)", "parallel for"),
        ("when(implementation={vendor(score(2): llvm)}: simd) when(user={condition(score(3): 1)}: parallel for)",
         "parallel for"),
        ("when(device={kind(nohost)}: parallel for)", ""),
        ("when(device={kind(host)}: nothing) otherwise(parallel for)", ""),
        ("when(device={kind(host)}:) otherwise(parallel for)", ""),
        ("otherwise(for)", "for"),
    ],
)  # fmt: skip
def test_the_host_reads_what_is_chosen_for_it(variants: str, chosen: str) -> None:
    host = compiled(function(f"#pragma omp metadirective {variants}\n{LOOP}")).host
    assert directives(host) == ([f"#pragma omp {chosen}"] if chosen else [])
    assert f"/* #pragma omp metadirective {variants} */" in host


def test_a_chosen_target_construct_is_lowered() -> None:
    text = function(f"#pragma omp metadirective when(device={{kind(nohost)}}: nothing) \\\n"
                    f"  otherwise(target teams distribute parallel for map(tofrom: p[0:100]))\n{LOOP}")  # fmt: skip
    found = compiled(text)
    assert len(found.kernels) == 1
    assert "OUT__1__f__2__" in found.kernels[0].name
    assert [b.call for b in found.blocks] == ["__tgt_target_kernel"]


def test_an_error_in_a_chosen_directive_is_shown_in_its_place() -> None:
    support.expect_error(
        function("#pragma omp metadirective \\\n  otherwise(target map(tofrom: p[0:«m»issing]))\np[0] = 1;"),
        "base-language",
        "undeclared identifier 'missing'",
    )


def test_gpu_and_cpu_device_choose_for_themselves() -> None:
    text = function(
        "#pragma omp target map(tofrom: p[0:100])\n"
        "#pragma omp metadirective when(device={kind(gpu)}: teams distribute parallel for) "
        "otherwise(parallel for num_threads(8))\n" + LOOP
    )
    gpu = support.translate_text(text, cpu_device=False)
    assert gpu.device is not None
    assert not gpu.diagnostics
    assert "rex_tiled_blocks" in (gpu.host.text if gpu.host else "")
    cpu = support.translate_text(text, architectures=())
    assert not cpu.diagnostics
    assert "_num_blocks_ = 1;" in (cpu.host.text if cpu.host else "")
    both = support.translate_text(text)
    assert [d.code for d in both.diagnostics] == ["variant-of-the-gpu"]
    assert both.device == gpu.device


def test_the_hosts_version_of_a_region_has_the_hosts_choice() -> None:
    text = function(
        "#pragma omp target map(tofrom: p[0:100])\n{\n"
        "#pragma omp metadirective when(device={kind(nohost)}: nothing) otherwise(parallel for num_threads(2))\n"
        f"{LOOP}\n}}"
    )
    found = compiled(text)
    assert directives(found.host) == ["#pragma omp parallel for num_threads(2)"]
    assert "threadIdx" not in found.kernels[0].body


def test_the_constructs_around_a_metadirective_count() -> None:
    inner = "#pragma omp metadirective when(construct={parallel}: for) otherwise(parallel for)"
    for outer, chosen in (("parallel", "for"), ("single", "parallel for")):
        host = compiled(function(f"#pragma omp {outer}\n{{\n{inner}\n{LOOP}\n}}")).host
        assert directives(host) == [f"#pragma omp {outer}", f"#pragma omp {chosen}"]
    nested = "#pragma omp metadirective when(device={kind(host)}: parallel) otherwise(single)"
    host = compiled(function(f"{nested}\n{{\n{inner}\n{LOOP}\n}}")).host
    assert directives(host) == ["#pragma omp parallel", "#pragma omp for"]


def test_a_condition_of_the_program_makes_an_if() -> None:
    text = function(
        "  if (n)\n#pragma omp metadirective when(user={condition(n > 9)}: parallel for) otherwise(simd)\n"
        f"    {LOOP}\n  else p[0] = __LINE__;"
    )
    host = code_only(compiled(text).host)
    body = [line.strip() for line in host.split("\n") if line.strip() and not line.startswith("#line")]
    start = body.index("if (n > 9) {")
    assert body[start : start + 7] == [
        "if (n > 9) {", "#pragma omp parallel for", LOOP, "} else {", "#pragma omp simd", LOOP, "}",
    ]  # fmt: skip


def test_a_directive_without_statement_needs_no_else() -> None:
    host = code_only(compiled(function("#pragma omp metadirective when(user={condition(n)}: barrier)\n")).host)
    assert "else" not in host
    assert directives(host) == ["#pragma omp barrier"]


def test_the_host_reads_only_the_requirements_that_concern_it() -> None:
    required = "unified_shared_memory atomic_default_mem_order(relaxed)"
    found = compiled(f"#pragma omp requires {required}\nvoid f(int *p) {{\n#pragma omp target\n  p[0] = 1;\n}}\n")
    assert directives(found.host) == ["#pragma omp requires atomic_default_mem_order(relaxed)"]
    assert "    REX_REQUIRES_ENTRY(8),\n" in found.host
    plain = compiled("#pragma omp requires unified_address\nvoid f(int *p) {\n#pragma omp target\n  p[0] = 1;\n}\n")
    assert directives(plain.host) == []
    assert "REX_REQUIRES" not in plain.host


def test_delimited_metadirectives_need_both_ends() -> None:
    begin = "#pragma omp «begin metadirective when(user={condition(1)}: parallel)»\n"
    end = "#pragma omp end metadirective"
    both = begin.replace("«", "").replace("»", "") + f"  p[0]++;\n  p[1]++;\n{end}"
    host = code_only(compiled(function(both)).host).split("\n")
    lines = [line.strip() for line in host if line.strip() and not line.startswith("#line")]
    assert lines[2:] == ["#pragma omp parallel", "{", "p[0]++;", "p[1]++;", "}", "}"]
    support.expect_error(function(f"{begin}  p[0]++;"), "omp-unmatched-begin", "without 'end metadirective'")
    support.expect_error(function(end.replace("end", "«end") + "»"), "omp-unmatched-end", "without 'begin")


def test_a_renamed_call_in_front_does_not_shift_what_is_chosen() -> None:
    source = """
static int there(int x) { return 2 * x; }
#pragma omp declare variant(there) match(construct={target})
static int here(int x) { return x; }
void f(int n, int *p) {
  int r = here(n);
#pragma omp target map(tofrom: r)
  r = here(r) + here(n);
#pragma omp metadirective when(user={condition(0)}: simd) otherwise(parallel for reduction(+: r))
  for (int i = 0; i < 100; i++) r += i;
  p[0] = r;
}
"""
    assert "#pragma omp parallel for reduction(+: r)" in directives(compiled(source).host)
