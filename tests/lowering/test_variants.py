"""Which function a call means on the host and in device code, and what the host compiler reads of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import support
from support import code_only, compiled

BASE = "int v(int x) { return 1; }\nint w(int x) { return 2; }\n"
CALLS = (
    "int helper(int x) { return b(x); }\n"
    "void run(int *p) {\n  p[0] = b(0);\n"
    "#pragma omp target teams distribute parallel for map(tofrom: p[0:9])\n"
    "  for (int i = 0; i < 9; i++) p[i] = b(i) + helper(i);\n"
    "#pragma omp parallel\n  p[1] = b(1);\n}\n"
)


def called(text: str) -> list[str]:
    """Return the functions that the calls in a text mean, in order."""
    return re.findall(r"(?:= |return )([bvw])\(", code_only(text))


def host_calls(host: str) -> list[str]:
    return called(host[host.index("int helper") :].split("__rex_offload_entries")[0])


@pytest.mark.parametrize(
    ("variants", "host", "kernel", "helper"),
    [
        ("", "b b b b", "b", "b"),
        ("#pragma omp declare variant(v) match(device={kind(nohost)})", "b b b b", "v", "v"),
        ("#pragma omp declare variant(v) match(device={kind(host)})", "v v v v", "b", "b"),
        ("#pragma omp declare variant(v) match(construct={target})", "b b v b", "v", "v"),
        ("#pragma omp declare variant(v) match(construct={parallel})", "b b v v", "v", "b"),
        ("#pragma omp declare variant(v) match(construct={teams, parallel})", "b b v b", "v", "b"),
        ("#pragma omp declare variant(v) match(construct={target, simd})", "b b b b", "b", "b"),
        ("#pragma omp declare variant(v) match(implementation={vendor(gnu)})", "b b b b", "b", "b"),
        ("#pragma omp declare variant(v) match(user={condition(sizeof(int) == 4)})", "v v v v", "v", "v"),
        ("#pragma omp declare variant(v) match(user={condition(sizeof(int) == 8)})", "b b b b", "b", "b"),
        ("#pragma omp declare variant(v) match(construct={parallel})\n"
         "#pragma omp declare variant(w) match(construct={target})", "b b v v", "v", "w"),
        ("#pragma omp declare variant(v) match(implementation={vendor(llvm)})\n"
         "#pragma omp declare variant(w) match(implementation={vendor(score(1): llvm)})", "w w w w", "w", "w"),
    ],
)  # fmt: skip
def test_calls_mean_the_variant_that_fits_best(variants: str, host: str, kernel: str, helper: str) -> None:
    found = compiled(f"{BASE}{variants}\nint b(int x) {{ return 0; }}\n{CALLS}")
    assert host_calls(found.host) == host.split()
    assert called(found.kernels[0].body)[0] == kernel
    assert called(found.device[found.device.index("int helper") :])[0] == helper
    assert "#pragma omp declare" not in code_only(found.host)


def test_a_variant_without_a_base_is_the_only_error() -> None:
    text = (
        "double v(double x);\n"
        "#pragma omp begin declare variant match(device={kind(nohost)})\nint v(int x) { return 1; }\n"
        "#pragma omp end declare variant\nvoid run(int *p, int c) {\n"
        "#pragma omp metadirective when(user={condition(c)}: target map(p[0:1])) otherwise(nothing)\n  p[0] = 1;\n}\n"
    )
    assert [found.code for found in support.errors(text)] == ["omp-variant-base"]


def test_variants_alone_declare_their_function() -> None:
    text = (
        "namespace a {\n#pragma omp begin declare variant match(device={kind(nohost)})\n"
        "int f(int x) { return x; }\n#pragma omp end declare variant\n"
        "#pragma omp begin declare variant match(device={kind(host)})\n"
        "int f(int x) { return 2 * x; }\n#pragma omp end declare variant\n}\n"
        "void run(int *p) {\n  p[1] = a::f(2);\n#pragma omp target map(tofrom: p[0:9])\n  p[0] = a::f(1);\n}\n"
    )
    host = code_only(compiled(text, "t.cpp").host)
    assert "int f(int x); int f__variant_2" in host
    assert "a::f__variant_5(2)" in host


def test_a_variant_counts_its_own_constructs() -> None:
    text = (
        "int deep(int x) { return 1; }\n#pragma omp declare variant(deep) match(construct={parallel})\n"
        "int b(int x) { return 0; }\nint v(int x) { return b(x); }\n"
        "#pragma omp declare variant(v) match(construct={parallel})\nint a(int x) { return b(x); }\n"
    )
    host = code_only(compiled(text).host)
    assert "int v(int x) { return deep(x); }" in host
    assert "int a(int x) { return b(x); }" in host


def test_functions_between_begin_and_end_get_names() -> None:
    text = (
        "int f(int x) { return 0; }\n"
        "#pragma omp begin declare variant match(construct={target})\n"
        "/* f( { */ __attribute__((noinline)) int f(int x) { return 1; }\n#pragma omp end declare variant\n"
        "#pragma omp begin declare variant match(device={kind(nohost)}, construct={teams})\n"
        "static inline int f(int x) { return g(x); }\n#pragma omp end declare variant\n"
        "#pragma omp begin declare variant match(device={arch(arm)})\n"
        "int f(int x) { return no_such_function(x); }\n#pragma omp end declare variant\n"
        "void run(int *p) {\n#pragma omp target map(tofrom: p[0:9])\n  p[0] = f(1);\n"
        "#pragma omp target teams map(tofrom: p[0:9])\n  p[1] = f(2);\n  p[2] = f(3);\n}\n"
    )
    found = compiled("int g(int x) { return x; }\n" + text)
    host = found.host.split("\n")
    assert "int f__variant_3(int x) { return 1; }" in code_only(found.host)
    assert "#ifndef REX_KMP_H /* #pragma omp begin declare variant match(device={kind(nohost)}" in found.host
    assert "#if 0 /* #pragma omp begin declare variant match(device={arch(arm)}) */" in host
    assert re.findall(r"= (f\w*)\(", found.host) == ["f__variant_3", "f__variant_3", "f"]
    assert [re.findall(r"= (f\w*)\(", k.body)[0] for k in found.kernels] == ["f__variant_3", "f__variant_6"]


def test_calls_behind_scopes_and_objects() -> None:
    text = (
        "namespace n { int v(int x) { return 1; }\n"
        "#pragma omp declare variant(v) match(device={kind(host)})\nint b(int x) { return 0; }\n"
        "int inner() { return b(1); } }\n"
        "struct S { int two() { return 2; }\n"
        "#pragma omp declare variant(two) match(device={kind(host)})\n  int one() { return 1; } };\n"
        "int run(S s) { return n::b(2) + s.one(); }\n"
    )
    host = code_only(compiled(text, "t.cpp").host)
    assert "int inner() { return v(1); }" in host
    assert "return n::v(2) + s.two();" in host


def test_a_call_in_a_region_is_resolved_for_the_gpu() -> None:
    text = f"{BASE}#pragma omp declare variant(v) match(device={{kind(gpu)}})\nint b(int x) {{ return 0; }}\n{CALLS}"
    found = support.translate_text(text)
    assert [d.code for d in found.diagnostics] == ["variant-of-the-gpu"]
    assert not support.translate_text(text, cpu_device=False).diagnostics


def test_a_macro_that_hides_a_call_is_expanded() -> None:
    text = (
        "int v(int x) { return 1; }\n#pragma omp declare variant(v) match(device={kind(host)})\n"
        "int b(int x) { return 0; }\n#define CALL(x) b(x)\nint run(void) { return CALL(1); }\n"
    )
    assert "int run(void) { return v(1) ; }" in code_only(compiled(text).host)


DISPATCH = (
    "#include <omp.h>\nvoid v(int *p, int *q);\n"
    "#pragma omp declare variant(v) match(construct={dispatch}) adjust_args(need_device_ptr: q)\n"
    "void b(int *p, int *q) {}\n"
)


@pytest.mark.parametrize(
    ("clauses", "text"),
    [
        ("is_device_ptr(q)", "v(p, q);"),
        ("novariants(1)", "b(p, q);"),
        ("novariants(0) is_device_ptr(q)", "v(p, q);"),
        ("nocontext(1)", "b(p, q);"),
        ("novariants(n) is_device_ptr(q)", "if (n) b(p, q); else v(p, q);"),
        ("depend(in: p) nowait novariants(1)", "{ #pragma omp taskwait depend(in: p) nowait b(p, q); }"),
        ("device(n) nocontext(1)",
         "{ const int __rex_device = omp_get_default_device(); omp_set_default_device(n); b(p, q); "
         "omp_set_default_device(__rex_device); }"),
        ("", "v(p, (int *)(omp_get_mapped_ptr(q, omp_get_default_device()) ? "
             "omp_get_mapped_ptr(q, omp_get_default_device()) : (void *)(q)));"),
    ],
)  # fmt: skip
def test_dispatch_becomes_a_call(clauses: str, text: str) -> None:
    source = f"{DISPATCH}void run(int n, int *p, int *q) {{\n#pragma omp dispatch {clauses}\n  b(p, q);\n}}\n"
    host = code_only(compiled(source).host)
    body = re.sub(r"#line \d+ \"\"", "", host[host.index("void run") :])
    assert " ".join(body.split()).endswith(f"{{ {text} }}")


def test_the_host_evaluates_clauses() -> None:
    text = (
        f"{BASE}#pragma omp declare variant(v) match(device={{kind(nohost)}})\nint b(int x) {{ return 9; }}\n"
        "void run(int *p) {\n#pragma omp target map(tofrom: p[0:b(3)]) device(b(0))\n  p[0] = b(1);\n}\n"
    )
    found = compiled(text)
    assert "map(tofrom: p[0:b(3)]) device(b(0))" in found.host
    assert "p[0] = v(1);" in found.kernels[0].body


def test_templates_have_variants() -> None:
    text = (
        "template <class T> T v(T x) { return x; }\n#pragma omp declare variant(v) match(device={kind(nohost)})\n"
        "template <class T> T b(T x) { return x; }\n"
        "void run(int *p, double *q) {\n#pragma omp target map(p[0:1], q[0:1])\n"
        "  { p[0] = b(1); q[0] = b<double>(2); }\n}\n"
    )
    found = compiled(text, "t.cpp")
    assert "p[0] = v(1); q[0] = v<double>(2);" in found.kernels[0].body
    assert "p[0] = b(1); q[0] = b<double>(2);" in found.host


def test_a_call_that_a_template_leaves_open_is_refused() -> None:
    support.expect_error(
        "int v(int x) { return 1; }\n#pragma omp declare variant(v) match(device={kind(host)})\n"
        "int b(int x) { return 0; }\nint b(double x) { return 0; }\n"
        "template <class T> int f(T x) { return «b»(x); }\nint run(void) { return f(1); }\n",
        "unsupported-variant",
        "this call of 'b', which has variants, cannot be renamed",
        "t.cpp",
    )


WRONG = {
    "no such function": ("omp-variant-function", "'w' is no function", "#pragma omp declare variant(«w») match()"),
    "another type": ("omp-variant-function", "has the type 'int (long)'", "#pragma omp declare variant(«v») match()"),
    "no parameter": (
        "omp-variant-argument",
        "'z' is no parameter",
        "#pragma omp declare variant(u) match(construct={dispatch}) adjust_args(need_device_ptr: «z»)",
    ),
    "run-time condition": (
        "omp-variant-condition",
        "has to be a constant",
        "#pragma omp declare variant(u) match(user={condition(«n > 2»)})",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_variants_are_refused(name: str) -> None:
    code, message, directive = WRONG[name]
    directive = directive.replace("match()", "match(device={kind(host)})")
    text = f"int n;\nint v(long x);\nint u(int x);\n{directive}\nint b(int x) {{ return 0; }}\n"
    support.expect_error(text, code, message)


def test_an_open_block_of_variants_is_refused() -> None:
    text = "int f(int x) { return 1; }\n#pragma omp «begin declare variant» match(device={kind(host)})\n"
    found = support.errors(text.replace("«", "").replace("»", "") + "int f(int x) { return 2; }\n")
    assert [d.code for d in found] == ["omp-unmatched-begin"]
    support.expect_error(text, "omp-unmatched-begin", "without 'end declare variant'")


def test_an_error_directive_speaks_when_the_program_is_compiled() -> None:
    support.expect_error(
        'void f(void) {\n#pragma omp «error at(compilation) message("no \\"device\\"")»\n}\n',
        "omp-stated-error",
        'no "device"',
    )
    text = "void f(void) {\n#pragma omp metadirective when(device={kind(%s)}: error) otherwise(nothing)\n}\n"
    assert support.only_error(text % "host").code == "omp-stated-error"
    assert not support.translate_text(text % "nohost").diagnostics
    warned = support.translate_text("void f(void) {\n#pragma omp error severity(warning)\n}\n")
    assert [d.code for d in warned.diagnostics] == ["omp-stated-warning"]
    assert warned.host is not None
    assert "#pragma omp" not in code_only(warned.host.text)


def test_inactive_and_running_errors_say_nothing() -> None:
    text = "void f(void) {\n#if 0\n#pragma omp error\n#endif\n#pragma omp error at(execution)\n}\n"
    assert not support.translate_text(text).diagnostics


def test_assumptions_are_kept_from_the_host_compiler() -> None:
    host = compiled("void f(int *p) {\n#pragma omp assume holds(p[0] > 1)\n  p[0]++;\n}\n").host
    assert "/* #pragma omp assume holds(p[0] > 1) */" in host


DECIDED = """static int on_cpu(void) { return 1; }
#pragma omp declare variant(on_cpu) match(device = {kind(host)})
static int base(void) { return 2; }
"""


def test_headers_of_the_command_line_are_known_where_variants_are_decided(tmp_path: Path) -> None:
    header = "static void region(int *r) {\n#pragma omp target map(from : r[0:1])\n  *r = 21;\n}\n"
    source = f"{DECIDED}int main(void) {{ int r; region(&r); return base() + r; }}\n"
    path = str(tmp_path / "h.h")
    Path(path).write_text(header)
    found = support.translate_text(source, headers={path: header}, arguments=("-include", path))
    assert found.forced == (path,)


def test_objects_of_lambdas_are_mapped_where_variants_are_decided() -> None:
    source = f"""{DECIDED}template <class F> void forall(int n, F f) {{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}}
int run(int *p) {{
  forall(9, [=](int i) {{ p[i] = i; }});
  return base();
}}
"""
    assert "rex_there<decltype(f)>(f, __rex_captures)" in support.compiled(source, "t.cpp").host
