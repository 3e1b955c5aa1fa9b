"""Lambdas from outside a region whose captures a kernel cannot have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support import compiled, errors, expect_error, on_one_line, only_error, translate_text

CODE = "unsupported-capture"


def in_method(text: str) -> str:
    made = "int n_of();\ntemplate <class F> F same(F f) { return f; }\n"
    return (
        made
        + "inline auto tick() { static int n; return [](int x) { return n += x; }; }\n"
        + "struct Cell { int v; Cell operator+(Cell o) { return {v++ + o.v}; } };\n"
        + "struct Grid { int width; int method(int n) {\n"
        + f"  int x = 1, r = 0, a[4], *at = a; Cell *q = nullptr;\n{text}\n"
        + "  return r; } };\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("auto f = [x]() mutable { return ++x; };\n#pragma omp target map(r)\nr = «f»();", "its own copy of 'x'"),
        (
            "for (auto f = «[=] { return x; }»; x < 9; x++)\n{\n#pragma omp target map(r)\nr = f();\n}",
            "in a statement of its own",
        ),
        (
            "auto f = [&](int y) { return x + y; }; x = 2;\n#pragma omp target map(r)\n{ r = «f»(1); x = 3; }",
            "'x', which changes",
        ),
        (
            "auto f = [a]() mutable { a[0]++; return a[1]; }; a[1] = 2;\n#pragma omp target map(r)\nr = «f»();",
            "'a', which changes",
        ),
        (
            "auto f = [&x] { return x; }; x = 2;\n#pragma omp target private(x) map(r)\n{ x = 1; r = «f»(); }",
            "'x', which changes",
        ),
        (
            "auto f = [&x] { return x; }; x = 2;\n#pragma omp target firstprivate(x) map(r)\n{ x++; r = «f»(); }",
            "'x', which changes",
        ),
        (
            "auto f = [&x] { return ++x; }; x = 2;\n#pragma omp target map(r)\nr = «f»() + x;",
            "'x', which changes",
        ),
        ("auto f = [y = x++] { return y; };\n#pragma omp target map(r)\nr = «f»();", "a variable of its own"),
        ("auto f = [y = (*at = 2)] { return y; };\n#pragma omp target map(r)\nr = «f»();", "a variable of its own"),
        (
            "volatile int *v = at; auto f = [y = *v] { return y; };\n#pragma omp target map(r)\nr = «f»();",
            "a variable of its own",
        ),
        ("auto f = [y = *q + *q] { return y.v; };\n#pragma omp target map(r)\nr = «f»();", "a variable of its own"),
        ("auto f = [y = n_of()] { return y; };\n#pragma omp target map(r)\nr = «f»();", "a variable of its own"),
        ("auto f = [y(n_of())] { return y; };\n#pragma omp target map(r)\nr = «f»();", "a variable of its own"),
        ("auto f = [y = width] { return y; };\n#pragma omp target map(r)\nr = «f»();", "a variable of its own"),
        ("auto f = [*this] { return width; };\n#pragma omp target map(r)\nr = «f»();", "copies '*this'"),
        (
            "auto f = [y = 0]() mutable { return ++y; };\n#pragma omp target map(r) map(tofrom: f)\nr = «f»();",
            "changes in itself cannot be mapped back",
        ),
        (
            "auto f = [y = 0]() mutable { return ++y; }; f();\n#pragma omp target map(r)\nr = «f»();",
            "changes its own 'y'",
        ),
        ("auto f = tick();\n#pragma omp target map(r)\nr = «f»(1);", "comes from elsewhere"),
        ("auto f = [](int k) { return [k] { return k; }; }(5);\n#pragma omp target map(r)\nr = «f»();", "elsewhere"),
        ("auto g = [x] { return x; }; auto f = g, h = same(f);\n#pragma omp target map(r)\nr = «h»();", "elsewhere"),
        ("auto f = [&] { return x; };\n{ int x = 7;\n#pragma omp target map(r)\nr = «f»() + x; }", "another 'x'"),
        ("auto f = [] { return n_of(); };\n{ int n_of = 7;\n#pragma omp target map(r)\nr = «f»() + n_of; }", "'n_of'"),
        ("static int s; auto f = [] { return s; };\n#pragma omp target map(r)\nr = «f»();", "the static variable 's'"),
        (
            "auto f = [x] { return x; }; decltype(f) fs[2] = {f, f};\n#pragma omp target map(r)\nr = «fs»[1]();",
            "lambda in",
        ),
        ("auto f = [x] { return x; }; auto *p = &f;\n#pragma omp target map(r)\nr = (*«p»)();", "a lambda in its type"),
    ],
)
def test_captures_that_a_kernel_cannot_have(text: str, message: str) -> None:
    expect_error(in_method(text), CODE, message, "t.cpp")


def test_what_lambdas_capture_by_reference_is_mapped_or_the_kernels_own() -> None:
    text = "auto f = [&x](int y) { x += y; }; x = 2;\n#pragma omp target CLAUSE\nf(1);"
    (block,) = compiled(in_method(text.replace("CLAUSE", "")), "t.cpp").blocks
    assert block.row("x")[3] == "REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT"
    (block,) = compiled(in_method(text.replace("CLAUSE", "map(to: x)")), "t.cpp").blocks
    assert block.row("x")[3] == "REX_MAP_PARAM | REX_MAP_TO"


def test_a_lambda_in_a_region_captures_the_kernels_this() -> None:
    text = "#pragma omp target\n{ auto f = [this, n] { return width + n; }; r = f() + [=, this] { return width; }(); }"
    kernel = compiled(in_method(text), "t.cpp").kernels[0]
    assert "[__rex_this, n]" in kernel.body
    assert "[=]" in kernel.body


def test_a_value_that_changes_later_is_kept_where_the_lambda_is_made() -> None:
    text = "auto f = [=](int y) { return x + y; }; x = 2;\n#pragma omp target map(r)\nr = f(1);\n"
    output = compiled(in_method(f"{text}#pragma omp target map(r)\nr = f(x);"), "t.cpp")
    assert output.host.count("auto f = [=](int y) { return x + y; }; const auto __rex_kept_f_x = x; x = 2;") == 1
    first, second = output.blocks
    packed = "rex_pack(&__rex_kept_f_x, sizeof __rex_kept_f_x)"
    assert first.row("__rex_kept_f_x")[0] == second.row("__rex_kept_f_x")[0] == packed
    assert second.row("x")[0] == "rex_pack(&x, sizeof x)"
    assert "auto f = [=, x = __rex_kept_f_x](int y) { return x + y; };" in output.device


EACH = """template <class F> void each(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) «f»(i);
}
struct Cell { float *p; void all() { each(9, METHOD); } };
"""


def test_what_a_lambda_changes_in_itself_does_not_come_back() -> None:
    text = "template <class F> int call(F f) {\n int r = 0;\n#pragma omp target map(r) map(tofrom: f)\n r = «f»();\n"
    text += " return r; }\nint g(int k) { return call([k]() mutable { return k++; }); }\n"
    expect_error(text, CODE, "map it 'to'", "t.cpp")


@pytest.mark.parametrize(
    "given",
    [
        "[=](int i) { p[i] = counted; }",
        "[&](int i) { decltype(k) s = i; p[i] = s + k; }",
    ],
)
def test_lambdas_that_mean_something_only_in_their_function(given: str) -> None:
    text = "int one();\ntemplate <class... M> void g(float *p, int k, M... m) {\n static int counted;\n"
    text += f" each(9, {given}); }}\nvoid h(float *p) {{ g(p, 1, 2, 3); }}\n"
    expect_error(EACH.split("struct")[0] + text, CODE, "comes from elsewhere", "t.cpp")


@pytest.mark.parametrize(
    ("given", "member", "body"),
    [
        ("[this](int i) { p[i] = 1; }", "rex_self *rex_this;", "{ rex_this->p[i] = 1; }"),
        ("[=](int i) { this->p[i] = 1; }", "rex_self *rex_this;", "{ rex_this->p[i] = 1; }"),
        ("[*this](int i) { p[i]; *this; }", "rex_self rex_object;", "{ rex_object.p[i]; *(&rex_object); }"),
    ],
)
def test_lambdas_that_capture_this(given: str, member: str, body: str) -> None:
    text = EACH.replace("METHOD", given).replace("«", "").replace("»", "")
    output = compiled(text + "void g(Cell c) { c.all(); }\n", "t.cpp")
    assert f"  {member}\n" in output.host and body in output.host
    assert body in output.device and "friend" not in output.host


def test_a_class_makes_lambdas_friends_that_name_what_it_keeps_to_itself() -> None:
    text = EACH.replace("METHOD", "[=](int i) { p[i] = 1; }").replace("«", "").replace("»", "")
    text = text.replace("struct Cell { float *p;", "class Cell { float *p; public:")
    output = compiled(text + "void g(Cell c) { c.all(); }\n", "t.cpp")
    friend = re.search(r"class Cell \{ template <class> friend struct (rex_lambda_\d+_\d+_[0-9a-f]{8});", output.host)
    assert friend is not None and f"namespace {{\ntemplate <class rex_self>\nstruct {friend[1]} " not in output.host


def test_a_lambda_that_a_template_gets_becomes_a_class() -> None:
    """Its body keeps its lines; each translation unit has a class of its own."""
    text = EACH.split("struct")[0].replace("«", "").replace("»", "")
    text += "void g(int n, float *p) {\n  const int k = 3;\n  each(n, [=](int i) {\n    p[i] = k;\n  });\n}\n"
    output = compiled(text, "t.cpp")
    (kernel,) = output.kernels
    assert [p.split()[0] for p in kernel.parameters] == ["rex_literal"] * 2
    assert "struct rex_lambda_7_11 {" in output.device and "static constexpr int k = 3;" in output.device
    assert "each(n, rex_make_lambda_7_11(p));" in output.host and "[=]" not in output.host
    made = output.host.index("namespace {\ntemplate <class rex_p>\nstruct rex_lambda_7_11 {\n")
    assert made < output.host.index("void g(")
    assert re.search(r'\{\n#line 8 "t.cpp"\n    p\[i\] = k;\n', output.host), "not where the user wrote it"
    assert compiled(text, "t.cpp").host == output.host


def test_a_lambda_says_of_which_class_it_holds_a_copy() -> None:
    text = EACH.split("struct")[0].replace("«", "").replace("»", "")
    text += "struct Counted { int n; Counted(int k) : n(k) {} Counted(const Counted &o) : n(o.n + 1) {} };\n"
    text += "void g(float *p) { Counted c(1); each(9, [p, c](int i) { p[i] = c.n; }); }\n"
    notes = [note.message for found in errors(text, "t.cpp") for note in found.notes]
    assert any(
        "it holds a copy of a 'Counted', a class whose copies a constructor of its own makes" in n for n in notes
    )


OTHER_NAMES = {
    "struct C { static int k(); void g(int n, float *p); };\nint k();\nint C::k() { return 2; }\n"
    "void C::g(int n, float *p) { each(n, [=](int i) { p[i] = k(); }); }\n": "{ p[i] = C::k(); }",
    "struct B { static int k() { return 2; } };\nint k();\nstruct D : B {\n"
    "  static void g(int n, float *p) { each(n, [=](int i) { p[i] = k(); }); }\n};\n": "{ p[i] = rex_self::k(); }",
    "struct B { static const int k = 2; };\nint k;\nstruct D : B {\n"
    "  static void g(int n, float *p) { each(n, [=](int i) { p[i] = k; }); }\n};\n": "{ p[i] = rex_self::k; }",
    "typedef int k;\nstruct D {\n  typedef float k;\n"
    "  static void g(int n, float *p) { each(n, [=](int i) { p[i] = k(1.5); }); }\n"
    "};\n": "{ p[i] = typename rex_self::k(1.5); }",
}
"""Lambdas in methods, where names mean members, and what they are in front of the function or class."""


ORDER = """
#include <array>
template <int... I> struct Numbers {};
template <int N> struct Upto;
template <> struct Upto<1> { using type = Numbers<0>; };
template <> struct Upto<2> { using type = Numbers<0, 1>; };
template <class I> struct Offsets;
template <int... I> struct Offsets<Numbers<I...>> {
  long at[sizeof...(I)];
  Offsets() : at{I...} {}
  Offsets(Offsets const &o) : at{o.at[sizeof...(I) - 1 - I]...} {}
};
template <int D> struct Layout : Offsets<typename Upto<D>::type> {};
"""


def test_lambdas_whose_objects_are_copied_in_another_order() -> None:
    """One element is copied as it is, two are not: all that is made of a constructor counts."""
    text = f"{ORDER}void g(float *p) {{\n Layout<2> two; Layout<1> one; each(9, [=](int i) {{ p[i] = one.at[0]; }});\n"
    text += " each(9, [=](int i) { p[i] = two.at[1]; }); }\n"
    expect_error(EACH.split("struct")[0] + text, CODE, "comes from elsewhere", "t.cpp")


KEPT = """
template <class T> struct R { T v; R(T x) : v(x) {} R(const R &o) : v(o.v) {} };
%(special)s
void f(int *p) {
  R<int> other(2);
  auto kept = [=](int i) { return i + (int)other.v; };
  other.v = 1;
#pragma omp target map(p[0:9])
  for (int i = 0; i < 9; i++) p[i] = %(call)s(i);
}
"""


def test_lambdas_whose_objects_are_copied_by_a_specialisation() -> None:
    """The template's constructor copies members, the one that the user has written for a class does more."""
    special = "template <> R<int>::R(const R &o) : v(o.v + 4) {}"
    assert compiled(KEPT % {"special": "", "call": "kept"}, "t.cpp").device
    expect_error(KEPT % {"special": special, "call": "«kept»"}, CODE, "'other', which changes", "t.cpp")


@pytest.mark.parametrize("text", OTHER_NAMES)
def test_lambdas_whose_names_are_members(text: str) -> None:
    """In front of its function such a lambda would compile as it is, and call or read another one."""
    assert OTHER_NAMES[text] in on_one_line(
        compiled(re.sub("[«»]", "", EACH.split("struct")[0]) + text, "t.cpp").device
    )


@pytest.mark.parametrize(
    "text",
    [
        "namespace a { int k(); void g(int n, float *p); }\nint k();\n"
        "void a::g(int n, float *p) { each(n, [=](int i) { p[i] = k(); }); }\n",
        "struct { enum { k }; void g(int n, float *p) { each(n, [=](int i) { p[i] = k; }); } } one;\n",
    ],
)
def test_lambdas_whose_names_would_mean_something_else(text: str) -> None:
    expect_error(EACH.split("struct")[0] + text, CODE, "comes from elsewhere", "t.cpp")


def test_comments_behind_the_parameters() -> None:
    text = EACH.split("struct")[0].replace("«f»", "f")
    text += "void g(int n, float *p) { each(n, [=](int i /* one ) */) // all\n { p[i] = 1; }); }\n"
    assert re.search(r"struct rex_lambda_\w+ \{[^}]*operator\(\)\(int i +\) const", compiled(text, "t.cpp").device)


def test_lambdas_at_one_place_of_two_files_are_two_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    text = "void {}(int n, int *p) {{ each(n, [=](int i) {{ p[i] += {}; }}); }}\n"
    each = "template <class F> void each(int n, F f) {\n#pragma omp target teams distribute parallel for\n"
    each += "  for (int i = 0; i < n; i++) f(i);\n}\n"
    header = each + "\n" * 5 + text.format("f", 1)
    monkeypatch.chdir(tmp_path)  # where clang looks for the header
    (tmp_path / "h.h").write_text(header)
    made = compiled('#include "h.h"\n' + "\n" * 8 + text.format("g", 2), "t.cpp", {"h.h": header})
    assert {"rex_lambda_10_33", "rex_lambda_10_33_2"} <= set(re.findall(r"struct (rex_lambda_\w+)", made.device))


@pytest.mark.parametrize("maps", ["", "map(tofrom: g)"])
def test_methods_of_classes_of_regions_cannot_name_what_the_kernel_gets(maps: str) -> None:
    text = f"int g[4];\nvoid f(int r) {{\n#pragma omp target map(r) {maps}\n"
    text += "{ struct L { int k; int sum() const { return k + «g»[1]; } } l{3}; r += l.sum(); }\n}\n"
    expect_error(text, CODE, "a method of a class that this region declares", "t.cpp")


@pytest.mark.parametrize(
    ("around", "body"),
    [
        ("static int st = 7;", "r += x + st;"),
        ("static int K = 4;", "int t[2] = {K, 1}; r += x + t[0];"),
        ("", "static int n; r += x + this->k;"),
    ],
)
def test_bodies_of_generic_lambdas_that_no_function_template_can_have(around: str, body: str) -> None:
    text = f"struct S {{ int k; int m() {{ {around} int r = k; auto f = [&, this](auto x) {{\n"
    text += f"#pragma omp target map(tofrom : r)\n{{ {body} }} }}; f(1); f(2.5); return r; }} }};\n"
    found = [d.message for d in translate_text(text, "t.cpp", arguments=("-std=c++20",)).diagnostics]
    assert any("names of the function around it cannot be lowered yet" in message for message in found), found


def test_a_partial_specialisation_says_what_its_objects_do() -> None:
    """The template that it specialises declares nothing; a base says how it is copied."""
    text = """template <class T> struct Target {
  explicit Target(T v) : val(v) {} Target(const Target &o) : val(o.val + 100) {} T val;
};
template <class P, class T> class Sum;
template <class T> class Sum<int *, T> : public Target<T> { public: using Target<T>::Target; };
template <class B> void forall(int n, B body, int *o) {
#pragma omp target teams distribute parallel for map(from: o[:n]) map(to: body)
  for (int i = 0; i < n; i++) { B c = body; c(i, o); }
}
template <class T> void run(int *o) {
  Sum<int *, T> r(3);
  forall(10, [=](int i, int *o) { o[i] = i * r.val; }, o);
}
void f(int *o) { run<int>(o); }
"""
    assert [d.code for d in errors(text, "t.cpp")] == ["unsupported-capture"]


def test_what_a_parameter_alone_names_may_be_an_array() -> None:
    text = """template <class B> void each(int n, B body, int *o) {
#pragma omp target teams distribute parallel for map(from: o[:n])
  for (int i = 0; i < n; i++) o[i] = body(i);
}
template <class A> void go(const A &a, int *o) { each(10, [=](int i) { return a[i]; }, o); }
void f(int *o) { int a[10] = {}; go(a, o); }
"""
    assert "rex_a a;" in compiled(text, "t.cpp").host


@pytest.mark.parametrize("member", ["Held(); ~Held() { v = 0; }", "Held(int v) : v(v) {}"])
def test_arrays_whose_elements_cannot_begin_first_say_so(member: str) -> None:
    text = f"""struct Held {{ int v; {member} }};
template <class B> void each(int n, B body, int *o) {{
#pragma omp target teams distribute parallel for map(from: o[:n])
  for (int i = 0; i < n; i++) o[i] = body(i);
}}
void f(int *o, Held (&given)[3]) {{
  each(10, [given](int i) {{ return given[i % 3].v; }}, o);
}}
"""
    (found,) = errors(text, "t.cpp")
    assert found.code == "unsupported-capture" and found.span is not None and found.span.line == 4
    note = found.notes[0]
    assert "it holds an array of 'Held'" in note.message and note.span is not None and note.span.line == 7


@pytest.mark.parametrize("inner", ["constexpr int W = 3;", "int W = n;"])
def test_the_class_of_a_lambda_has_no_two_things_of_one_name(inner: str) -> None:
    """Blocks of a function may give a name to several; an enumerator is made of the outer one here."""
    expect_error(
        "template <class F> void call(F f, int *x) {\n#pragma omp target map(tofrom: x[0:1])\n  x[0] = «f»(1);\n}\n"
        "template <int K> void outer(int *x, int n) {\n  constexpr int W = 2 * K;\n  enum { one = W, two };\n"
        f"  {{ {inner} call([=](int i) {{ return i + W + two; }}, x); }}\n}}\n"
        "void start(int *x) { outer<2>(x, 4); }",
        CODE,
        "comes from elsewhere",
        "t.cpp",
    )


def test_notes_say_where_lambdas_stand_in_the_users_text() -> None:
    text = "template <class F, class G> void both(F f, G g) {\n#pragma omp target\n g(f(1));\n}\n"
    text += "void h(float *p) {\n static int counted;\n#pragma omp target\n p[0] = 1;\n"
    text += " both([p](auto i) { return p[i]; },\n  [](float) { return counted; });\n}\n"
    (note,) = [note.message for note in only_error(text, "t.cpp").notes if "instantiation" in note.message]
    assert note == "in instantiation of 'both((lambda at 9:7), (lambda at t.cpp:10:3))' requested here"


@pytest.mark.parametrize(
    ("before", "place"), [("", "7:14"), ("#line 5000\n", "5000:14"), ("#line 2\n", "2:14"), ("/* ä */ ", "7:23")]
)
def test_notes_say_where_lambdas_stand_by_line_directives(before: str, place: str) -> None:
    text = "#include <initializer_list>\ntemplate <class F> int both(F f) {\n int s = 0;\n"
    text += "#pragma omp target map(s) thread_limit(-1)\n s = 1;\n return s + f(2); }\n"
    text += f"{before}int r = both([a = {{1, 2}}](int x) {{ return x + (int)a.size(); }});\n"
    (note,) = [n.message for e in errors(text, "t.cpp") for n in e.notes if "instantiation" in n.message]
    assert f"(lambda at t.cpp:{place})" in note
