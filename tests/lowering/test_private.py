"""Private copies in kernels: which variables have one, where it lies, and arrays whose extents only the run knows."""

from __future__ import annotations

import pytest

from support import Output, compiled, expect_error, on_one_line

DIRECT = "#pragma omp target teams distribute parallel for map(tofrom : out)"


def in_function(text: str, top: str = "", name: str = "t.c") -> Output:
    return compiled(f"{top}\nvoid f(int n, int m) {{\n  int out[64];\n{text}\n}}\n", name)


def body(text: str, top: str = "", name: str = "t.c") -> str:
    return in_function(text, top, name).kernel("f").body


def test_an_array_that_is_only_read_has_no_copy() -> None:
    text = body(f"int a[8] = {{1}};\n{DIRECT} firstprivate(a)\nfor (int i = 0; i < n; i++) out[i] = a[i % 8];")
    assert "const int (&a)[8] = *__rex_a;" in text
    assert "memcpy" not in text


def test_an_array_that_is_written_has_a_copy_in_each_thread() -> None:
    text = body(f"int a[8] = {{1}};\n{DIRECT} firstprivate(a)\nfor (int i = 0; i < n; i++) out[i] = a[i % 8]++;")
    assert "int a[8];\n  __builtin_memcpy(a, *__rex_a, sizeof a);" in text
    assert "__shared__" not in text


@pytest.mark.parametrize("use", ["v.k", "v.a[i % 3]", "v.p[0]"])
def test_a_struct_that_is_only_read_has_no_copy(use: str) -> None:
    top = "struct s { int k, a[3], *p; };"
    text = body(f"struct s v = {{1}};\n{DIRECT} firstprivate(v)\nfor (int i = 0; i < n; i++) out[i] = {use};", top)
    assert "const struct s &v = *__rex_v;" in text


@pytest.mark.parametrize(("member", "copied"), [("int last;", False), ("mutable int last;", True)])
def test_a_constant_object_with_mutable_members_has_a_copy(member: str, copied: bool) -> None:
    top = f"struct m {{ {member} }}; struct s {{ int k; m parts[2]; int get() const {{ return k; }} }};"
    text = body(f"s v;\n{DIRECT} firstprivate(v)\nfor (int i = 0; i < n; i++) out[i] = v.get();", top, "t.cpp")
    assert ("  s v = rex_unpack_object<s>(" in text) == copied
    assert ("const s &v = *__rex_v;" in text) != copied


@pytest.mark.parametrize("use", ["v.k = i", "v.a[i % 3]++", "change(&v)", "v = other", "*(&v.k) = i"])
def test_a_struct_that_may_change_has_a_copy(use: str) -> None:
    top = "struct s { int k, a[3]; };\nstatic void change(struct s *x) { x->k = 1; }"
    declared = "struct s v = {1}, other = {2};"
    text = body(f"{declared}\n{DIRECT} firstprivate(v)\nfor (int i = 0; i < n; i++) {{ {use}; out[i] = v.k; }}", top)
    assert "  struct s v = rex_unpack_object<struct s>(__rex_word_v_0, __rex_word_v_1);" in text


@pytest.mark.parametrize(
    ("use", "copied"),
    [("v.get()", False), ("look(v)", False), ("v.next()", True), ("touch(v)", True), ("[&] { return v.k; }()", True)],
)
def test_methods_and_references_tell_whether_an_object_changes(use: str, copied: bool) -> None:
    top = (
        "struct S { int k; int get() const { return k; } int next() { return ++k; } };\n"
        "static int look(const S &s) { return s.k; }\nstatic int touch(S &s) { return s.k++; }"
    )
    text = body(f"S v{{1}};\n{DIRECT} firstprivate(v)\nfor (int i = 0; i < n; i++) out[i] = {use};", top, "t.cpp")
    assert ("  S v = rex_unpack_object<S>(__rex_word_v_0);" in text) is copied
    assert ("  const S v = rex_unpack_object<S>(__rex_word_v_0);" in text) is not copied


@pytest.mark.parametrize(
    ("member", "by_value"),
    [
        ("template <class U> S &operator=(const U &other) { k = other.k; return *this; }", True),
        ("S &operator=(const S &other) { k = other.k + 1; return *this; }", True),
        ("S(const S &other) : k(other.k + 1) {}", False),
        ("S(const S &other) : k(other.k) {} S &operator=(const S &) = default;", False),
        ("~S() { k = 0; }", False),
    ],
)
def test_a_copy_that_is_made_needs_no_assignment(member: str, by_value: bool) -> None:
    top = f"struct S {{ int k, l; S(int i) : k(i), l(i) {{}} {member} int next() {{ return ++k; }} }};"
    text = body(f"S v(1);\n{DIRECT} firstprivate(v)\nfor (int i = 0; i < n; i++) out[i] = v.next();", top, "t.cpp")
    assert ("  S v = rex_unpack_object<S>(__rex_word_v_0);" in text) is by_value


BASES = """template <class T> struct Copies { T k; Copies(T i) : k(i) {} Copies(const Copies &o) : k(o.k + 1) {} };
template <class T> struct Bytes { T k; Bytes(T i) : k(i) {} Bytes &operator=(const Bytes &o) { k = 0; return *this; } };
template <class T> struct Some { T k; Some(T i) : k(i) {} };
template <> struct Some<short> { short k; Some(int i) : k(i) {} ~Some() { k = 0; } };
template <class T> struct Holds { T held; int k; Holds(int i) : held(i), k(i) {} };
template <class T> using Named = Copies<T>;
template <class T> struct Below : Bytes<T> { using Bytes<T>::Bytes; };
template <class T> struct Deep : Below<T> { using Below<T>::Below; };
template <template <class> class B> struct Any : B<int> { using B<int>::B; int next() { return ++this->k; } };
template <class T> struct Given : T { using T::T; int next() { return ++this->k; } };
"""


@pytest.mark.parametrize(
    ("kind", "by_value"),
    [
        ("Given<Bytes<int>>", True),
        ("Given<Deep<int>>", True),
        ("Given<Holds<Bytes<int>>>", True),
        ("Given<Copies<int>>", False),
        ("Given<Some<short>>", False),
        ("Given<Holds<Copies<int>>>", False),
        ("Any<Copies>", False),
        ("Own<int>", False),
        ("Aliased<int>", False),
        ("Partial<short>", False),
        ("Plain<int>", True),
        ("Held<Copies<int>>", False),
        ("Held<Bytes<int>>", True),
    ],
)
def test_bases_that_depend_on_parameters_tell_how_objects_are_copied(kind: str, by_value: bool) -> None:
    bases = {"Own": "Copies", "Aliased": "Named", "Partial": "Some", "Plain": "Deep", "Held": "Holds"}
    top = BASES + "".join(
        f"template <class T> struct {name} : {base}<T> {{ using B = {base}<T>; {name}(int i) : B(i) {{}}"
        " int next() { return ++this->k; } };\n"
        for name, base in bases.items()
    )
    text = body(f"{kind} v(1);\n{DIRECT} firstprivate(v)\nfor (int i = 0; i < n; i++) out[i] = v.next();", top, "t.cpp")
    assert ("= rex_unpack_object<" in text) is by_value


@pytest.mark.parametrize(
    ("size", "use", "words"), [(64, "v.k[i % 3] = i", 64), (65, "v.k[0] = i", 0), (2, "v.k[0]", 0)]
)
def test_large_objects_and_arrays_that_are_only_read_stay_in_memory(size: int, use: str, words: int) -> None:
    head = f"struct S {{ long k[{size}]; }};\nvoid f(int n, int *out) {{ S v = {{}};\n{DIRECT} firstprivate(v)\n"
    text = head.replace("map(tofrom : out)", "") + f"for (int i = 0; i < n; i++) out[i] = ({use}, v.k[1]);\n}}\n"
    output = compiled(text, "t.cpp")
    assert output.host.count("rex_pack_word(&v, sizeof v, ") == words
    assert output.host.count("(void *)&v") == (0 if words else 2)


@pytest.mark.parametrize(
    ("directive", "own"),
    [
        ("target teams distribute parallel for firstprivate(v) nowait", ""),
        ("target teams distribute parallel for firstprivate(v)", "S(const S &o) : k(o.k + 1) {}"),
        ("target teams distribute parallel for firstprivate(v)", "~S() { k = 0; }"),
        ("target firstprivate(v)", ""),
        ("target teams firstprivate(v)\n#pragma omp parallel", ""),
    ],
)
def test_objects_that_threads_share_or_that_copy_themselves_stay_in_memory(directive: str, own: str) -> None:
    """A task's copy is one that the host makes, and in a template it has one form for objects of all sizes."""
    inside = "for (int i = 0; i < 9; i++) v.k++;" if "for" in directive else "{ v.k++; }"
    head = f"struct S {{ S(int n) : k(n) {{}} int k; {own} }};\nvoid f() {{ S v(1);\n"
    text = f"{head}#pragma omp {directive}\n{inside}\n}}\n"
    assert "rex_pack_word" not in compiled(text, "t.cpp").host


def test_each_form_of_a_template_carries_its_objects() -> None:
    text = "template <class T> struct S { T k[3]; };\ntemplate <class T> void f(T *p) { S<T> v = {};\n"
    text += "#pragma omp target teams distribute parallel for firstprivate(v)\n"
    text += "for (int i = 0; i < 9; i++) p[i] = ++v.k[i % 3];\n}\nvoid g(char *a, long *b) { f(a); f(b); }\n"
    output = compiled(text, "t.cpp")
    assert output.host.count("rex_pack_word(&v, sizeof v, ") == 1 + 3 and "form() == 0" in output.host


def test_a_class_with_a_copy_constructor_is_always_copied() -> None:
    top = "struct S { int k; S() : k(1) {} S(const S &o) : k(o.k + 1) {} };"
    text = body(f"S v;\n{DIRECT} firstprivate(v)\nfor (int i = 0; i < n; i++) out[i] = v.k;", top, "t.cpp")
    assert "S v = *__rex_v;" in text


def test_what_the_target_task_owns_is_used_where_the_launch_has_put_it() -> None:
    text = body("int a[8] = {1};\n#pragma omp target map(tofrom : out) firstprivate(a)\n{ a[0] = 3; out[0] = a[1]; }")
    assert "int (&a)[8] = *__rex_a;" in text
    assert "memcpy" not in text


def test_threads_of_a_parallel_share_what_the_target_task_owns() -> None:
    text = body(
        "int a[8] = {1};\n#pragma omp target map(tofrom : out) firstprivate(a)\n#pragma omp parallel\n"
        "{\n#pragma omp atomic\n a[0]++;\n out[0] = a[1]; }"
    )
    assert "int (&a)[8] = *__rex_a;" in text


def test_a_scalar_that_threads_tell_each_other_is_in_memory() -> None:
    made = in_function(
        "int x = 0;\n#pragma omp target firstprivate(x) map(tofrom : out)\n#pragma omp parallel\n"
        "{\n#pragma omp single\nx = 5;\n out[0] = x; }"
    )
    assert "int &x = *__rex_x;" in made.kernel("f").body
    assert made.blocks[0].row("x")[3] == "REX_MAP_PARAM | REX_MAP_PRIVATE | REX_MAP_TO"


def test_what_a_team_owns_lies_in_shared_memory() -> None:
    text = body(
        "int a[8] = {1}, b[4];\n#pragma omp target teams map(tofrom : out) firstprivate(a) private(b)\n"
        "#pragma omp distribute parallel for\nfor (int i = 0; i < n; i++) { a[i % 8]++; b[i % 4] = i; out[i] = a[0]; }"
    )
    assert "__shared__ int a[8];" in text
    assert "__shared__ int b[4];" in text
    assert "rex_copy_by_block(a, *__rex_a, sizeof a);" in text
    assert "__syncthreads();" in text


def test_a_private_array_of_a_target_construct_around_teams_is_one() -> None:
    made = in_function(
        "int a[8];\n#pragma omp target private(a) map(tofrom : out)\n"
        "#pragma omp teams distribute parallel for\nfor (int i = 0; i < n; i++) { a[i % 8] = i; out[i] = 1; }"
    )
    assert made.blocks[0].row("a")[3] == "REX_MAP_PARAM | REX_MAP_PRIVATE"
    assert "int (&a)[8] = *__rex_a;" in made.kernel("f").body


# ---- extents of the run ----------------------------------------------------------------------------------------------


def test_a_variable_length_array_is_the_threads_own() -> None:
    text = body(f"{DIRECT}\nfor (int i = 0; i < n; i++) {{ int a[n], b[n][m]; a[0] = b[1][0] = i; out[i] = a[0]; }}")
    assert "rex_thread_array<int> __rex_array_a(n); int (*const a) = " not in text
    assert "rex_thread_array<int> __rex_array_a(n); int *const a = __rex_array_a.data; " in text
    assert "rex_thread_array<int, 2> __rex_array_b(n, m); const rex_vla<int, 2> b = __rex_array_b.view();" in text


def test_sizes_of_run_time_arrays() -> None:
    sizes = "(int)(sizeof a + sizeof(a[0]) + sizeof(int[n]))"
    text = body(f"{DIRECT}\nfor (int i = 0; i < n; i++) {{ int a[n][m]; out[i] = {sizes}; }}")
    assert "(__rex_array_a.bytes + a.bytes_below(1) + (sizeof(int) * (__SIZE_TYPE__)(n)))" in text


def test_parameters_of_functions_are_rows() -> None:
    top = "static int g(int n, int m, int a[n][m], int b[n]) { return a[1][2] + b[0]; }"
    made = in_function(f"int a[4][5], b[3];\n{DIRECT}\nfor (int i = 0; i < n; i++) out[i] = g(4, 5, a, b);", top)
    assert "g(int n, int m, rex_rows<int> __rex_a, int b[]) { rex_vla<int, 2> a(__rex_a, m);" in made.device


def test_pointers_to_rows_are_views() -> None:
    text = body(f"{DIRECT}\nfor (int i = 0; i < n; i++) {{ int (*p)[m] = (int (*)[m])out; p++; out[i] = p[0][1]; }}")
    assert "rex_vla<int, 2> p(out, m);" in text


def test_copies_of_run_time_arrays_get_their_extents_and_room() -> None:
    made = in_function(f"int a[n][m];\n{DIRECT} private(a)\nfor (int i = 0; i < n; i++) out[i] = a[0][0] = i;")
    block, text = made.blocks[0], made.kernel("f").body
    assert "(void *)(__UINTPTR_TYPE__)(sizeof(a) / sizeof(a[0]))" in block.bases
    assert "(void *)(__UINTPTR_TYPE__)(sizeof(a[0]) / sizeof(a[0][0]))" in block.bases
    assert (
        "(__INT64_TYPE__)(rex_room_bytes(sizeof a, (__INT64_TYPE__)_num_blocks_ * _threads_per_block_))" in block.sizes
    )
    assert "rex_thread_array<int, 2> __rex_array_a(rex_room{__rex_room_a}, __rex_extent_a_0, __rex_extent_a_1);" in text


def test_a_run_time_array_that_is_only_read_has_no_copy() -> None:
    made = in_function(f"int a[n];\n{DIRECT} firstprivate(a)\nfor (int i = 0; i < n; i++) out[i] = a[i];")
    assert made.blocks[0].row("a") == ("(void *)a", "(void *)a", "(__INT64_TYPE__)(sizeof a)",
                                       "REX_MAP_PARAM | REX_MAP_PRIVATE | REX_MAP_TO")  # fmt: skip
    assert "__rex_array_a" not in made.kernel("f").body


def test_a_run_time_array_of_a_team_is_copied_by_its_block() -> None:
    made = in_function(
        "int a[n];\n#pragma omp target teams map(tofrom : out) firstprivate(a)\n{\na[0] = 1;\n"
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) out[i] = a[i]; }"
    )
    text = made.kernel("f").body
    assert "rex_team_array<int> __rex_array_a(__rex_memory, __rex_extent_a_0);" in text
    assert "rex_copy_by_block(__rex_array_a.data, __rex_a, __rex_array_a.bytes);" in text
    assert text.index("rex_team_memory __rex_memory;") < text.index("rex_team_array<int>")
    assert "rex_array_bytes(sizeof a, 1)" in made.host


# ---- objects with constructors ---------------------------------------------------------------------------------------

CLASS = "struct V { int x; V() : x(1) {} V(int v) : x(v) {} V(const V &o) : x(o.x) {} ~V() {} };"
PARALLEL = "#pragma omp parallel for\nfor (int i = 0; i < n; i++) out[i] = v.x;"


@pytest.mark.parametrize(
    ("base", "is_made"),
    [
        ("int x;", False),
        ("int x; ~B() { x = 0; }", True),
    ],
)
@pytest.mark.parametrize("named", ["B<T>", "T"])
def test_objects_of_a_team_end_with_their_dependent_bases(base: str, is_made: bool, named: str) -> None:
    top = f"template <class T> struct B {{ {base} }};\ntemplate <class T> struct V : {named} {{ int y; }};"
    kind = "V<int>" if named == "B<T>" else "V<B<int>>"
    source = f"#pragma omp target map(tofrom : out)\n{{\n{kind} v;\n{PARALLEL}\n}}"
    assert ("rex_team_object<" in body(source, top, "t.cpp")) is is_made


def test_an_object_of_a_team_is_made_by_its_first_thread() -> None:
    source = f"#pragma omp target map(tofrom : out)\n{{\nV v(n);\n{PARALLEL}\n}}"
    text = on_one_line(body(source, CLASS, "t.cpp"))
    assert "__shared__ rex_storage<V> __rex_storage_v; rex_team_object<V> __rex_object_v(__rex_storage_v);" in text
    assert "V &v = __rex_object_v.value; if (threadIdx.x == 0) { new (&v) V(n); } __syncthreads();" in text


@pytest.mark.parametrize(
    ("declared", "made"),
    [("V v;", "rex_make(v);"), ("V v{n};", "new (&v) V{n};"), ("V v = V(n);", "new (&v) V(V(n));")],
)
def test_every_initialisation_has_its_constructor(declared: str, made: str) -> None:
    source = f"#pragma omp target map(tofrom : out)\n{{\n{declared}\n{PARALLEL}\n}}"
    text = on_one_line(body(source, CLASS, "t.cpp"))
    assert f"if (threadIdx.x == 0) {{ {made} }} __syncthreads();" in text


def test_private_objects_of_a_team_are_made_once() -> None:
    clauses = "firstprivate(v) private(w)"
    use = "w.x = 3;"
    text = body(
        f"V v, w;\n#pragma omp target teams map(tofrom : out) {clauses}\n{{\n{use}\n{PARALLEL}\n}}", CLASS, "t.cpp"
    )
    assert "if (threadIdx.x == 0) { rex_make_copy(v, *__rex_v); }" in text
    assert "if (threadIdx.x == 0) { rex_make(w); }" in text


@pytest.mark.parametrize("declared", ["«V v(1)», *p = &v;", "«V v[2] = {V(1), V(2)}»;"])
def test_objects_of_a_team_that_are_refused(declared: str) -> None:
    code = (
        f"{CLASS}\nvoid f(int n) {{\n#pragma omp target\n{{\n{declared}\n#pragma omp parallel\nn = sizeof v;\n}}\n}}\n"
    )
    expect_error(code, "unsupported-team-variable", "'v' has constructors or a destructor and is shared", "t.cpp")


# ---- allocators ------------------------------------------------------------------------------------------------------


def test_copies_are_aligned_as_their_allocation_asks() -> None:
    text = body(
        "int a[4] = {1}, b;\n#pragma omp target teams distribute parallel for map(tofrom : out) firstprivate(a) "
        "private(b) allocate(align(64): a) allocate(allocator(omp_thread_mem_alloc), align(32): b)\n"
        "for (int i = 0; i < n; i++) out[i] = b = a[0];",
        "#include <omp.h>",
    )
    assert "alignas(64) int a[4];" in text
    assert "alignas(32) int b;" in text


def test_alignments_among_constant_traits() -> None:
    text = body(
        "const omp_alloctrait_t t[] = {{omp_atk_fallback, omp_atv_null_fb}, {omp_atk_alignment, 128}};\n"
        "omp_allocator_handle_t mine; int b;\n"
        "#pragma omp target uses_allocators(mine(t)) private(b) allocate(mine: b)\n"
        "b = n;",
        "#include <omp.h>",
    )
    assert "alignas(128) int b;" in text


def test_copies_of_inner_constructs_are_aligned() -> None:
    text = body(
        "int b = 0;\n#pragma omp target map(tofrom : out)\n{\nout[1] = 2;\n"
        "#pragma omp parallel firstprivate(b) allocate(align(64): b)\nout[0] = b++;\n}"
    )
    assert "alignas(64) int b = __rex_b;" in text


def test_directives_align_variables_of_the_region() -> None:
    text = body(
        "#pragma omp target map(tofrom : out)\n{\nint a[4];\n#pragma omp allocate(a) align(64)\nout[0] = a[1] = n;\n}"
    )
    assert "alignas(64) int a[4];" in text


def test_a_static_variable_in_a_teams_memory_is_shared() -> None:
    made = in_function(
        f"{DIRECT} uses_allocators(omp_pteam_mem_alloc)\nfor (int i = 0; i < n; i++) {{\nstatic int a[4];\n"
        "#pragma omp allocate(a) allocator(omp_pteam_mem_alloc)\nout[i] = a[0] = i;\n}",
        "#include <omp.h>",
    )
    assert "__shared__ int a[4];" in made.kernel("f").body


def test_this_of_a_class_inside_of_a_function() -> None:
    source = """int f() {
  static int counted;
  struct S { int n; int next() { return counted++; } int run() {
    int got = 0;
#pragma omp «target» map(from : got)
    got = n + 1;
    return got; } } s{14};
  return s.run();
}
"""
    expect_error(source, "unsupported-construct", "members of a class inside of a function", "t.cpp")


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("target private(«n»)", "on a construct without 'parallel'"),
        ("target teams private(«n»)\n#pragma omp parallel for\nfor (int i = 0; i < 4; i++)", "without 'parallel'"),
        ("target parallel for firstprivate(«at»)\nfor (int i = 0; i < 4; i++)", "use a variable of the function"),
        ("target parallel for private(«cell»)\nfor (int i = 0; i < 4; i++)", "use a variable of the function"),
        ("target parallel for lastprivate(«n»)\nfor (int i = 0; i < 4; i++)", "which is no variable"),
    ],
)
def test_private_members_that_cannot_be(directive: str, message: str) -> None:
    members = "int n, at[2]; struct { int v; } cell;"
    text = f"struct S {{ {members} void f() {{\n#pragma omp {directive}\n{{ n = 1; at[0] = 2; cell.v = 3; }}\n}} }};\n"
    expect_error(text, "unsupported-item", message, "t.cpp")


def test_private_members_of_templates() -> None:
    text = "struct S { int n; template <class T> void f(T x) {\n#pragma omp target parallel for private(«n»)\n"
    text += "for (int i = 0; i < 4; i++) n = x;\n} };\nvoid g(S s) { s.f(2); }\n"
    expect_error(text, "unsupported-item", "in a template", "t.cpp")


@pytest.mark.parametrize(
    "lambda_", ["[this] { return «n» + at[0]; }", "[&] { return this->«n»; }", "[=] { return «n»; }"]
)
def test_lambdas_that_name_private_members(lambda_: str) -> None:
    text = "struct S { int n, at[2]; void f() {\n#pragma omp target parallel for private(n)\n"
    text += f"for (int i = 0; i < 4; i++) {{ n = i; auto g = {lambda_}; at[i % 2] = g(); }}\n}} }};\n"
    expect_error(text.replace("this->«n»", "«this»->n"), "unsupported-item", "the lambda names the member 'n'", "t.cpp")
