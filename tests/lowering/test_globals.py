"""Global variables on the device: entries, pointers to storage that is not in the image, rows that attach them."""

from __future__ import annotations

import re

import pytest

from support import Output, compiled, expect_error


def of(text: str, name: str = "t.c") -> Output:
    return compiled(text, name)


def entries(output: Output) -> list[str]:
    return re.findall(r"REX_GLOBAL\w*_ENTRY\((.*)\),", output.host)


FUNCTION = "static int get(int i) { return a[i]; }\n"
REGION = "void f(int *r) {\n#pragma omp target map(from : r[0 : 1])\n  r[0] = get(1);\n}\n"


def test_a_link_variable_is_a_pointer_that_rows_attach() -> None:
    output = of("int a[4];\n#pragma omp declare target link(a)\n" + FUNCTION + REGION)
    assert entries(output) == ['&rex_link_a, "rex_link_a", sizeof rex_link_a']
    assert 'extern "C" { __device__ int (*rex_link_a)[4]; }' in output.device
    assert "return (*rex_link_a)[i];" in output.device
    (block,) = output.blocks
    assert block.bases[-1] == "(void *)&rex_link_a" and block.sizes[-1] == "0"
    assert block.types[-1] == "REX_MAP_IMPLICIT | REX_MAP_PTR_AND_OBJ"
    assert "rex_offload_globals" not in output.host.split("REX_OFFLOAD_MODULE")[0].split("rex_kmp.h")[1]


def test_a_region_names_a_link_variable() -> None:
    output = of("int a[4];\n#pragma omp declare target link(a)\nvoid f(void) {\n#pragma omp target\n  a[1] = 2;\n}\n")
    (block,) = output.blocks
    assert (block.bases, block.begins) == (("(void *)&rex_link_a",), ("(void *)a",))
    assert set(block.types[0].split(" | ")) == {
        "REX_MAP_PARAM", "REX_MAP_TOFROM", "REX_MAP_IMPLICIT", "REX_MAP_PTR_AND_OBJ",
    }  # fmt: skip
    assert "int (&a)[4] = *__rex_a;" in output.device


def test_what_another_file_defines_is_attached_where_functions_use_it() -> None:
    head = "#pragma omp begin declare target\nextern int a[4];\nextern int unused;\n#pragma omp end declare target\n"
    output = of(head + FUNCTION + REGION)
    assert entries(output) == ['&rex_link_a, "rex_link_a", sizeof rex_link_a']
    assert '{&rex_link_a, "a", 0},' in output.host
    assert "unused" not in output.device


def test_what_the_file_defines_is_in_its_image() -> None:
    output = of("extern int a[4];\n#pragma omp declare target(a)\nint a[4] = {1};\n" + FUNCTION + REGION)
    assert entries(output) == ['&a, "a", sizeof a']
    assert "__device__ int a[4] = {1};" in output.device and "rex_link" not in output.host


def test_unified_memory_has_one_storage() -> None:
    text = "#pragma omp requires unified_shared_memory\nint a[4];\n#pragma omp declare target(a)\n" + FUNCTION + REGION
    output = of(text)
    assert entries(output) == ['&rex_link_a, "rex_link_a", sizeof rex_link_a']
    assert "__device__ int a[4]" not in output.device


def test_a_value_that_the_host_computes_is_copied() -> None:
    text = "int g();\n#pragma omp begin declare target\nint a[2] = {g(), 1}, b = 3;\n"
    output = of(text + FUNCTION + "#pragma omp end declare target\n" + REGION, "t.cpp")
    assert '{&rex_link_a, "a", sizeof a},' in output.host
    assert "g()" not in output.device


def test_a_private_static_member_has_an_address() -> None:
    text = (
        "class C {\n  static int count;\npublic:\n  static int next() { return ++count; }\n};\n"
        "#pragma omp begin declare target\nint C::count = 4;\n#pragma omp end declare target\n"
        "void f(int *r) {\n#pragma omp target map(from : r[0 : 1])\n  r[0] = C::next();\n}\n"
    )
    output = of(text, "t.cpp")
    assert 'extern "C" char rex_link_C_count_storage[] __asm__("_ZN1C5countE");' in output.host
    assert "return ++(*rex_link_C_count);" in output.device


def test_a_static_member_whose_type_is_a_member_of_another_class() -> None:
    text = "struct %s { struct T { int a; }; };\nstruct S { %s static %s::T x; int get() { return x.a; } };\n"
    text += "«%s::T S::x = {1}»;\n#pragma omp declare target link(S::x)\n"
    text += "int f(S s) {\n  int r = 0;\n#pragma omp target map(tofrom: r, S::x)\n  r = s.get();\n  return r;\n}\n"
    other = (text % ("OfS", "", "OfS", "OfS")).translate({ord("«"): None, ord("»"): None})
    assert "__device__ OfS::T *rex_link_S_x; }" in compiled(other, "t.cpp").device
    own = text % ("OfS", "struct T { int a; };", "S", "S")
    expect_error(own, "unsupported-static-member", "its type is a member of its class as well", "t.cpp")


def test_device_type_host_keeps_a_variable_off_the_device() -> None:
    directive = "#pragma omp declare target enter(a) device_type(host)\n"
    output = of(f"int a;\n{directive}void f(void) {{\n#pragma omp target\n  a = 1;\n}}\n")
    assert not entries(output)
    assert len(output.blocks[0].bases) == 1


def test_where_a_name_is_also_one_of_cuda_the_image_has_other_symbols() -> None:
    head = "#pragma omp begin declare target\nint a[4];\nstatic int half(int i) { return i / 2 + a[i]; }\n"
    text = f"{head}#pragma omp end declare target\n{REGION.replace('get(1)', 'half(1)')}"
    output = of(text)
    assert "namespace rex_user" in output.device
    assert entries(output) == ['&a, "_ZN8rex_user1aE", sizeof a']
    assert entries(of(f"namespace n {{\n{text}}}\n", "t.cpp")) == ['&n::a, "_ZN8rex_user1n1aE", sizeof n::a']


def test_specifiers_go_and_words_of_values_stay() -> None:
    begin, end = "#pragma omp begin declare target\n", "#pragma omp end declare target\n"
    words = '/* static int */ static const char *a[4] = {"static int", "an inline one"};\n'
    output = of(f"{begin}{words}int get(int i) {{ return a[i][0]; }}\n{end}{REGION}", "t.cpp")
    assert '__device__ const char *a[4] = {"static int", "an inline one"};' in output.device
    declared = "static struct S { static int f() { static int k = 2; return k; } int m; } a[4], b;\n"
    output = of(f"{begin}{declared}int get(int i) {{ return a[i].m + S::f(); }}\n{end}{REGION}", "t.cpp")
    assert "__device__ struct S a[4], b;" in output.device and "static int k = 2;" in output.device


def test_symbols_of_variables_in_namespaces() -> None:
    names = {"x": "int x = 1;", "y": "static int y = 1;", "z": 'extern "C" { extern int z; }\nint z = 1;'}
    for name, declared in names.items():
        spaces = ("namespace a { inline namespace b { namespace a {\n", "}}}\n")
        head = f"#pragma omp begin declare target\n{declared}\n#pragma omp end declare target\n".join(spaces)
        output = compiled(
            f"{head}void f(int *r) {{\n#pragma omp target map(from: r[0:1])\n  r[0] = a::b::a::{name};\n}}\n", "t.cpp"
        )
        assert entries(output) == [f'&a::b::a::{name}, "_ZN1a1b1a1{name}E", sizeof a::b::a::{name}']
        assert (
            f"namespace a {{ inline namespace b {{ namespace a {{ __device__ int {name} = 1; }} }} }}" in output.device
        )


def test_initialisers_put_on_the_device_what_they_point_to_and_nothing_else() -> None:
    head = (
        "int a = 1, b = 2, c[3];\nint *pa = &a;\nunsigned size = sizeof b;\n#pragma omp declare target to(pa, size)\n"
    )
    text = f"{head}void f(int *r) {{\n#pragma omp target map(from : r[0:1])\n  r[0] = a + b + c[1] + *pa + size;\n}}\n"
    host = compiled(text).host
    assert "REX_GLOBAL_ENTRY(&a, " in host and "REX_GLOBAL_ENTRY(&pa, " in host
    assert "REX_GLOBAL_ENTRY(&b, " not in host and "rex_pack(&b, " in host and "(void *)c" in host


def test_a_constant_is_found_by_files_that_do_not_know_its_size() -> None:
    head = "#pragma omp begin declare target\nextern const int {}[];\nint one(int i);\n#pragma omp end declare target\n"
    text = "const int {}[] = {{4, 5}};\nint one(int i) {{ return a[i]; }}\n"
    host = compiled(head.format("a") + text.format("a")).host
    assert 'REX_GLOBAL_ENTRY(&a, "' in host
    assert "REX_GLOBAL_ENTRY" not in compiled(head.replace("[]", "[2]").format("a") + text.format("a")).host


def test_a_constant_of_another_file_is_copied_where_functions_use_it() -> None:
    output = of("extern const int a[4];\n" + FUNCTION + REGION)
    assert "return (*rex_link_a)[i];" in output.device
    assert '{&rex_link_a, "a", sizeof a},' in output.host


def test_a_constant_whose_value_the_host_computes_is_copied_where_functions_use_it() -> None:
    text = "int made(int);\nconst int a[2] = {made(1), made(2)}, known[1] = {7};\n"
    output = of(text + FUNCTION.replace("a[i]", "a[i] + known[0]") + REGION, "t.cpp")
    assert "return (*rex_link_a)[i] + known[0];" in output.device
    assert "made" not in output.device


MEMBERS = """struct S {
  static constexpr int t[2] = {1, 2}, n = 2;
  static const double later[2];
  int get(int i) const { return t[i] + n; }
};
const double S::later[2] = {1, 2};
"""


def test_constant_members_have_storage_where_they_are_objects() -> None:
    text = MEMBERS + "void f(int *r) {\n#pragma omp target map(from : r[0 : 2])\n  r[0] = S().get(1) + S::n;\n}\n"
    output = of(text, "t.cpp")
    assert "return rex_constant_t()[i] + n;" in output.device and "+ S::n;" in output.device
    own = "{ static constexpr int t[2] = {1, 2}, n = 2; return t; }"
    head = "__device__ static REX_MEMBER_CONSTEXPR auto rex_constant_t() -> decltype((t))"
    assert f"{head} REX_MEMBER_OBJECT(t, {own})" in output.device
    assert "rex_constant_n" not in output.device and "rex_constant_later" not in output.device


def test_constant_members_are_defined_where_their_values_are() -> None:
    text = MEMBERS + "void f(int i, int *r) {\n#pragma omp target map(from : r[0 : 2])\n  r[0] = S::later[i];\n}\n"
    output = of(text, "t.cpp")
    assert "r[0] = S::rex_constant_later()[i];" in output.device
    assert "__device__ inline auto S::rex_constant_later() -> decltype((later)) {" in output.device
    assert "const double S::later[2]" not in output.device and "rex_constant_t" not in output.device


def test_constant_members_that_only_the_compiler_looks_at_stay_as_they_are() -> None:
    body = "{ int x[S::t[1]] = {}; switch (i) { case S::t[0]: r[0] = x[0] + sizeof S::t / sizeof S::t[0]; } }"
    text = MEMBERS + "void f(int i, int *r) {\n#pragma omp target map(from : r[0 : 2])\n  " + body + "\n}\n"
    assert "rex_constant_" not in of(text, "t.cpp").device


def test_variables_of_each_device_are_marked() -> None:
    """Whoever compares copies must not take the host's for one (6.0, 9.9)."""
    head = "int a, b;\n#pragma omp declare target local(a) enter(b)\n"
    host = compiled(f"{head}void f(void) {{\n#pragma omp target\n  a = b;\n}}\n").host
    assert 'REX_LOCAL_ENTRY(&a, "a", sizeof a)' in host and 'REX_GLOBAL_ENTRY(&b, "b", sizeof b)' in host


@pytest.mark.parametrize(
    ("declared", "names"),
    [
        ("extern const char *const names[2];\n", ['&names, "names", sizeof names']),
        ("", []),
        ("extern const int numbers[2];\n", []),
    ],
)
def test_constants_that_hold_addresses_are_found_by_other_files(declared: str, names: list[str]) -> None:
    """Where a declaration lets them be: a copy of the host's would lead to the host. Numbers are copied."""
    text = f"#pragma omp begin declare target\n{declared}"
    text += 'const char *const names[2] = {"a", "b"};\nconst int numbers[2] = {1, 2};\n#pragma omp end declare target\n'
    assert entries(of(text, "t.cpp")) == names
