"""Members of virtual bases, which devices cannot find in objects of the host."""

from __future__ import annotations

import pytest

from support import expect_error, translate_text

CLASSES = """struct S { int n = 1; int *d = nullptr; int get() const { return n; } static int known() { return 3; } };
struct P { int own = 2; };
struct A : virtual S, P { void f(); };
struct B : A { int k = 3; void g(); };
"""
MAP = "#pragma omp target map(tofrom: r)\n"
CASES = {
    "member of this": f"void A::f() {{\n  int r = 0;\n{MAP}  r = «n»;\n}}\n",
    "written this": f"void A::f() {{\n  int r = 0;\n{MAP}  r = «this->n»;\n}}\n",
    "base of a base": f"void B::g() {{\n  int r = 0;\n{MAP}  r = k + «n»;\n}}\n",
    "object": f"void f(B &b) {{\n  int r = 0;\n{MAP}  r = «b.n»;\n}}\n",
    "function": f"void f(B &b) {{\n  int r = 0;\n{MAP}  r = «b.get»();\n}}\n",
    "section": "void A::f() {\n#pragma omp target map(tofrom: d[0:4])\n  «d»[0] = 1;\n}\n",
    "pointer of the region": f"void f(B *b) {{\n  int r = 0;\n{MAP}  {{ B *c; c = b; r = «c->n»; }}\n}}\n",
    "reference of the region": f"void f(B &b) {{\n  int r = 0;\n{MAP}  {{ B &c = b; r = «c.n»; }}\n}}\n",
    "range": f"void f(B (&b)[3]) {{\n  int r = 0;\n{MAP}  for (auto &c : b) r += «c.n»;\n}}\n",
    "held by an object": f"void f(B &b) {{\n  int r = 0;\n{MAP}  {{ struct {{ B &c; }} h{{b}}; r = «h.c.n»; }}\n}}\n",
}
CONVERTED = {
    "reference": f"void f(B &b) {{\n  int r = 0;\n{MAP}  {{ S &s = «b»; r = s.n; }}\n}}\n",
    "pointer": f"void f(B *b) {{\n  int r = 0;\n{MAP}  {{ S *s = «b»; r = s->n; }}\n}}\n",
    "cast": f"void f(B *b) {{\n  int r = 0;\n{MAP}  r = ((S *)«b»)->n;\n}}\n",
    "member pointer": f"void f(B &b) {{\n  int r = 0;\n{MAP}  r = «b».*&S::n;\n}}\n",
}
COPIED = {
    "new object": f"void f(B &b) {{\n  int r = 0;\n{MAP}  {{ B c = «b»; r = c.k; }}\n}}\n",
    "assignment": f"void f(B &b) {{\n  int r = 0;\n{MAP}  {{ B c; «c = b»; r = c.k; }}\n}}\n",
}


@pytest.mark.parametrize("name", CASES)
def test_members_of_virtual_bases_are_refused(name: str) -> None:
    source = CLASSES + CASES[name]
    expect_error(source, "unsupported-type", "is a member of the virtual base 'S' of an object of the host", "t.cpp")


@pytest.mark.parametrize("name", CONVERTED)
def test_objects_of_the_host_do_not_become_their_virtual_bases(name: str) -> None:
    told = "an object of the host becomes its virtual base 'S', which a device cannot find"
    expect_error(CLASSES + CONVERTED[name], "unsupported-type", told, "t.cpp")


@pytest.mark.parametrize("name", COPIED)
def test_objects_of_the_host_with_virtual_bases_are_not_copied(name: str) -> None:
    told = "an object of the host with the virtual base 'S' is copied"
    expect_error(CLASSES + COPIED[name], "unsupported-type", told, "t.cpp")


EACH = """template <class F> void each(F f) {
#pragma omp target
  «f»();
}
"""
GIVEN = {
    "object by reference": "void f(B &b, int *r) { each([&, r] { r[0] = b.n; }); }\n",
    "object by value": "void f(B &b, int *r) { each([=] { r[0] = b.n; }); }\n",
    "this": "void A::f() { int *r = d; each([=] { r[0] = n; }); }\n",
    "functions of this": "void A::f() { int *r = d; each([=] { r[0] = get(); }); }\n",
}


@pytest.mark.parametrize("name", GIVEN)
def test_lambdas_that_look_for_virtual_bases_lead_to_no_objects_of_the_host(name: str) -> None:
    told = "'f' leads to an object of the host, and a function that the region calls has to find its virtual base 'S'"
    expect_error(CLASSES + EACH + GIVEN[name], "unsupported-type", told, "t.cpp")


def test_lambdas_of_the_function_that_look_for_virtual_bases_of_this() -> None:
    source = "void A::f() {\n  int *r = d;\n  auto g = [=] { r[0] = n; };\n#pragma omp target\n  «g»();\n}\n"
    told = "'g' leads to an object of the host, and a function that the region calls has to find its virtual base 'S'"
    expect_error(CLASSES + source, "unsupported-type", told, "t.cpp")


def test_what_leads_to_objects_of_the_region_has_their_places() -> None:
    rest = """void f(B &b, int *r, B made) {
#pragma omp target private(made)
  {
    B c, *p = &c; S &s = c; struct { B &held; } h = {c};
    auto read = [](const B &d) { return d.n; };
    r[0] = p->n + s.n + h.held.n + read(c) + b.k + made.n;
  }
}
void A::f() { int *r = d; each([=] { B c; auto read = [](const B &d) { return d.n; }; r[0] = own + read(c); }); }
"""
    assert translate_text(CLASSES + EACH.replace("«", "").replace("»", "") + rest, "t.cpp").device is not None


def test_other_members_and_objects_of_the_region_have_their_places() -> None:
    rest = f"void A::f() {{\n  int r = 0, *p = d;\n{MAP}  {{ B b; r = own + b.n + b.k + b.get() + B::known(); }}\n"
    rest += "#pragma omp target map(tofrom: p[0:4])\n  p[0] = 1;\n}\n"
    rest += f"void f(B *made) {{\n  int r = 0;\n{MAP.rstrip()} is_device_ptr(made)\n  r = made->n;\n}}\n"
    assert translate_text(CLASSES + rest, "t.cpp").device is not None


@pytest.mark.parametrize("architectures", [("sm_90",), ()])
def test_the_cpu_device_alone_reads_the_tables_of_the_host(architectures: tuple[str, ...]) -> None:
    source = (CLASSES + CASES["object"]).replace("«", "").replace("»", "")
    made = translate_text(source, "t.cpp", architectures=architectures)
    assert (made.cpu_device is not None) is not architectures


FUNCTIONS = """int B::twice() const { return 2 * n; }
static int of(const B &b) { return b.n; }
static int own(B b) { B c; return b.k + c.n; }
static int max(int a, int b) { return a > b ? a : b; }
static int deep(const B *b) { return of(*b); }
"""


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("void f(B &b)", "«b».twice()"),
        ("void f(B &b)", "of(«b»)"),
        ("void f(B &b)", "deep(&«b»)"),
        ("void f(W &w)", "of(«w.b»)"),
        ("void B::g()", "«twice»()"),
        ("void B::g()", "«this->twice»()"),
    ],
)
def test_functions_that_look_for_virtual_bases_get_no_objects_of_the_host(function: str, call: str) -> None:
    source = CLASSES.replace("void g();", "void g(); int twice() const;") + "struct W { B b; };\n" + FUNCTIONS
    source += f"{function} {{\n  int r = 0;\n{MAP}  r = {call};\n}}\n"
    told = "an object of the host, and a function that the region calls has to find its virtual base 'S'"
    expect_error(source, "unsupported-type", told, "t.cpp")


def test_pointers_that_get_each_others_values() -> None:
    source = f"""{CLASSES}static int third(const B *b) {{ return b->k; }}
static int of(const B *b) {{ return b->n; }}
void f(B &b, int n) {{
  int r = 0;
{MAP}  {{
    B own, *c = &own, *d = &own;
    for (int i = 0; i < n; i++) {{ c = d; d = c; c = &b; }}
    r = third(c) + of(«d»);
  }}
}}
"""
    told = "'d' is an object of the host, and a function that the region calls has to find its virtual base 'S'"
    expect_error(source, "unsupported-type", told, "t.cpp")


def test_functions_may_get_objects_of_the_region() -> None:
    source = CLASSES.replace("void g();", "void g(); int twice() const;") + FUNCTIONS
    source += (
        f"void f(B &b) {{\n  int r = 0;\n{MAP}  {{ B c; r = c.twice() + of(c) + own(c) + b.k + max(b.k, r); }}\n}}\n"
    )
    assert translate_text(source, "t.cpp").device is not None
