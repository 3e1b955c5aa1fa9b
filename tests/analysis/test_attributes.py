"""Data-sharing and mapping attributes of a region's variables."""

from __future__ import annotations

import pytest
from analysis_tools import attributes, kinds, sharing

from rexcc.source.diagnostics import CompileError

TYPES = """
typedef struct { int x; double *p; float w[4]; } Point;
enum colour { RED, GREEN };
typedef union { int i; float f; } Both;
static int global; static double real; const int limit = 4; static int table[9]; int *shared; extern int elsewhere;
static const double half = 0.5; static Point origin;
int function(int x); void by_address(int *x);
"""


def region(body: str, clauses: str = "", construct: str = "target", before: str = "") -> str:
    """Return a C program with one region in a function with variables of all sorts."""
    return (
        f"{TYPES}{before}\nvoid f(int n, double *p, const float *restrict q, Point *s, int vla[n], int m[][4]) {{\n"
        "  int i = 0, j = 0, a[8]; char c = 0; double d = 0; long double ld = 0; "
        "_Bool b = 0; enum colour e = RED; Point t; Both u;\n"
        "  const int k = 3; const double kd = 1.5; int grid[n][3]; void *v = 0; "
        "long long ll = 0; static int local_static;\n"
        "  i++; c++; b = n; ll++;\n"
        f"#pragma omp {construct} {clauses}\n{body}\n}}\n"
    )


def test_scalars_are_first_private_by_value() -> None:
    found = kinds(region("{ p[0] = n + c + d + b + e + ll; }"))
    assert {found[v] for v in ("n", "c", "d", "b", "e", "ll")} == {"VALUE"}
    assert kinds(region("{ i++; c = 2; }")) == {"i": "VALUE", "c": "VALUE"}
    assert kinds(region("ld = 1;")) == {"ld": "FIRSTPRIVATE"}


def test_pointers_are_zero_length_sections() -> None:
    assert kinds(region("{ p[0] = *q + s->x; v = p; }")) == dict.fromkeys("pqsv", "POINTER")
    assert kinds(region("shared[0] = 1;")) == {"shared": "POINTER"}


def test_array_parameters_are_pointers() -> None:
    assert kinds(region("vla[0] = m[1][2];")) == {"vla": "POINTER", "m": "POINTER"}


def test_aggregates_are_mapped_tofrom() -> None:
    found = attributes(region("{ a[0] = t.x + u.i + grid[1][2] + table[3] + origin.x; }"))
    assert {n: (x.kind.name, x.implicit) for n, x in found.items()} == dict.fromkeys(
        ("a", "t", "u", "grid", "table", "origin"), ("MAPPED_IMPLICITLY", True)
    )


def test_globals_follow_the_same_rules() -> None:
    assert kinds(region("{ global++; real += 1; local_static++; }")) == {
        "global": "VALUE",
        "real": "VALUE",
        "local_static": "VALUE",
    }


def test_constants_need_no_transport() -> None:
    found = attributes(region("p[0] = k + limit + half + GREEN;"))
    assert {n: x.kind.name for n, x in found.items()} == {
        "p": "POINTER",
        "k": "CONSTANT",
        "limit": "DEVICE_GLOBAL",
        "half": "DEVICE_GLOBAL",
    }
    assert found["k"].value == 3
    assert kinds(region("p[0] = kd;"))["kd"] == "VALUE"


def test_what_the_region_declares_is_its_own() -> None:
    assert kinds(region("{ int i = 1; for (int z = 0; z < 3; z++) i += z; { double p = i; (void)p; } }")) == {}


def test_names_in_sizeof_and_calls_are_no_transport_of_functions() -> None:
    assert kinds(region("p[0] = function(3);")) == {"p": "POINTER"}


def test_a_scalar_that_threads_may_share_gets_storage_of_its_own() -> None:
    assert kinds(region("by_address(&i);", construct="target parallel"))["i"] == "FIRSTPRIVATE"
    assert kinds(region("by_address(&i);"))["i"] == "VALUE"
    atomically = "{\n#pragma omp atomic\n i++;\n}"
    assert kinds(region(atomically, construct="target teams"))["i"] == "FIRSTPRIVATE"


def test_the_index_of_a_distributed_loop_is_private() -> None:
    body = "for (i = 0; i < n; i++) a[0] += i;"
    assert kinds(region(body, construct="target teams distribute parallel for")) == {
        "n": "VALUE",
        "a": "MAPPED_IMPLICITLY",
    }


def test_map_clauses() -> None:
    found = attributes(region("{ p[0] = a[0] + t.x; }", "map(to : a) map(tofrom : p[0 : n], t) map(from : q[0 : 3])"))
    assert {name: x.kind.name for name, x in found.items()} == {
        "a": "MAPPED",
        "p": "MAPPED",
        "t": "MAPPED",
        "q": "MAPPED",
        "n": "VALUE",
    } or {name: x.kind.name for name, x in found.items()} == {
        "a": "MAPPED",
        "p": "MAPPED",
        "t": "MAPPED",
        "q": "MAPPED",
    }
    assert not found["a"].implicit
    assert [item.whole.text for _, item, _ in found["p"].map_items] == ["p[0 : n]"]
    assert [clause.map_type for clause, _, _ in found["t"].map_items] == ["tofrom"]


def test_members_belong_to_their_variable() -> None:
    found = attributes(region("t.p[0] = s->p[1] + t.x;", "map(to : t.p[0 : n], t.x, s->p[0 : n])"))
    assert found["t"].kind.name == found["s"].kind.name == "MAPPED"
    assert [item.whole.text for _, item, _ in found["t"].map_items] == ["t.p[0 : n]", "t.x"]


def test_privates() -> None:
    found = attributes(region("{ i = j + a[0] + t.x; }", "private(i) firstprivate(j, a, t)"))
    assert {n: (x.kind.name, x.copied) for n, x in found.items()} == {
        "i": ("PRIVATE", False),
        "j": ("VALUE", True),
        "a": ("FIRSTPRIVATE", True),
        "t": ("FIRSTPRIVATE", True),
    }


def test_unused_privates_vanish() -> None:
    assert kinds(region("j++;", "private(i) firstprivate(a)")) == {"j": "VALUE"}


def test_clauses_of_inner_constructs_count() -> None:
    source = region(
        "#pragma omp parallel for private(j) firstprivate(c) reduction(+ : d)\n"
        "for (i = 0; i < n; i++) { j = i; d += j + c; }",
        "map(tofrom : d)",
    )
    found = attributes(source)
    assert found["j"].kind.name == "PRIVATE"
    assert found["c"].copied
    assert (found["d"].kind.name, found["d"].reduction) == ("MAPPED", "+")


@pytest.mark.parametrize("operator", ["+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"])
def test_reductions_map_their_variable_tofrom(operator: str) -> None:
    source = region(
        "for (int z = 0; z < n; z++) i = z;", f"reduction({operator} : i)", "target teams distribute parallel for"
    )
    (found,) = [a for n, a in attributes(source).items() if n == "i"]
    assert (found.kind.name, found.reduction, found.implicit) == ("MAPPED_IMPLICITLY", operator, False)


def test_what_a_region_reduces_with_others_is_mapped_tofrom() -> None:
    source = region("{ i++; global++; a[2]++; }", "in_reduction(+ : i, global, a[1 : 3])", before=(
        "#pragma omp declare target(global)\n"
    ))  # fmt: skip
    found = attributes(source)
    assert (found["i"].kind.name, found["i"].implicit, found["i"].reduction) == ("MAPPED_IMPLICITLY", False, "")
    assert found["i"].reason.text.startswith("explicit: 'in_reduction' on a target construct maps its variable tofrom")
    assert found["global"].kind.name == "MAPPED_IMPLICITLY"
    assert [item.whole.text for _, item, _ in found["a"].map_items] == ["a[1 : 3]"]


def test_device_pointers_and_addresses() -> None:
    found = kinds(region("p[0] = a[0];", "is_device_ptr(p) has_device_addr(a)"))
    assert found == {"p": "DEVICE_POINTER", "a": "DEVICE_ADDRESS"}


def test_declare_target_variables_live_on_the_device() -> None:
    before = (
        "#pragma omp declare target to(global) enter(table)\n#pragma omp declare target\n"
        "int inside; static Point many[3];\n#pragma omp end declare target\n"
    )
    found = kinds(region("{ global = table[0] + inside + many[1].x + elsewhere; }", before=before))
    assert found == {
        "global": "DEVICE_GLOBAL",
        "table": "DEVICE_GLOBAL",
        "inside": "DEVICE_GLOBAL",
        "many": "DEVICE_GLOBAL",
        "elsewhere": "VALUE",
    }


def test_a_map_clause_wins_over_declare_target() -> None:
    found = kinds(region("global++;", "map(always, tofrom : global)", before="#pragma omp declare target to(global)\n"))
    assert found == {"global": "MAPPED"}


DEFAULTMAP = {
    "tofrom : scalar": {"i": "MAPPED_IMPLICITLY", "p": "POINTER", "a": "MAPPED_IMPLICITLY"},
    "firstprivate : scalar": {"i": "VALUE", "p": "POINTER", "a": "MAPPED_IMPLICITLY"},
    "tofrom : pointer": {"i": "VALUE", "p": "MAPPED_IMPLICITLY", "a": "MAPPED_IMPLICITLY"},
    "firstprivate : pointer": {"i": "VALUE", "p": "VALUE", "a": "MAPPED_IMPLICITLY"},
    "firstprivate : aggregate": {"i": "VALUE", "p": "POINTER", "a": "FIRSTPRIVATE"},
    "to : aggregate": {"i": "VALUE", "p": "POINTER", "a": "MAPPED_IMPLICITLY"},
    "tofrom": {"i": "MAPPED_IMPLICITLY", "p": "MAPPED_IMPLICITLY", "a": "MAPPED_IMPLICITLY"},
    "firstprivate": {"i": "VALUE", "p": "VALUE", "a": "FIRSTPRIVATE"},
    "default : all": {"i": "VALUE", "p": "POINTER", "a": "MAPPED_IMPLICITLY"},
    "present : aggregate": {"i": "VALUE", "p": "POINTER", "a": "MAPPED_IMPLICITLY"},
}


@pytest.mark.parametrize("argument", DEFAULTMAP)
def test_defaultmap(argument: str) -> None:
    assert kinds(region("{ i = 1; p[0] = 1; a[0] = 1; }", f"defaultmap({argument})")) == DEFAULTMAP[argument]


def test_defaultmap_none_wants_every_variable_named() -> None:
    with pytest.raises(CompileError, match=r"defaultmap\(none\) asks for an explicit attribute of 'i'"):
        kinds(region("{ a[0] = i; }", "defaultmap(none) map(a)"))
    assert kinds(region("{ a[0] = i + k; }", "defaultmap(none) map(a) firstprivate(i)"))["i"] == "VALUE"


def test_order_is_clauses_first_then_first_use() -> None:
    data = sharing(region("{ c = i; j = d; a[0] = p[0]; }", "map(to : p[0 : 1]) map(tofrom : a)"))
    assert [a.variable.name for a in data.attributes] == ["p", "a", "c", "i", "j", "d"]


CXX = """
#include <vector>
struct S {
  int x; static int count; static constexpr int size = 3;
  int get() const { return x; }
  void run(int &r, const int &c, double (&array)[4], std::vector<int> &v) {
    constexpr int five = 5; auto &alias = r; S other{}; auto lambda = [&](int z) { return z + x; };
#pragma omp target BODY
  }
};
"""


def cxx(text: str) -> dict[str, str]:
    return kinds(CXX.replace("BODY", text), "t.cpp")


def test_references_count_as_what_they_refer_to() -> None:
    assert cxx("\n{ r += c; array[0] = alias; }") == {
        "r": "VALUE",
        "c": "VALUE",
        "array": "MAPPED_IMPLICITLY",
        "alias": "VALUE",
    }
    assert cxx("map(tofrom : r)\n{ r += c; }") == {"r": "MAPPED", "c": "VALUE"}


def test_constexpr_and_static_members() -> None:
    found = cxx("map(tofrom : r)\n{ r = five + size; }")
    assert found["five"] == "CONSTANT"
    assert found.get("size", "DEVICE_GLOBAL") in ("DEVICE_GLOBAL", "CONSTANT")


def test_this_is_seen_in_all_its_spellings() -> None:
    for text in ("x = 1;", "this->x = 1;", "r = get();", "r = this->get();", "(*this).x = 2;"):
        data = sharing(CXX.replace("BODY", f"\n{{ {text} }}"), "t.cpp")
        assert data.uses_this, text
    data = sharing(CXX.replace("BODY", "\n{ r = other.x + other.get(); }"), "t.cpp")
    assert not data.uses_this
    assert [a.variable.name for a in data.attributes] == ["r", "other"]


def test_a_lambda_inside_a_region_has_its_own_variables() -> None:
    assert cxx("map(tofrom : r)\n{ auto f = [](int z) { int w = z; return w; }; r = f(2); }") == {"r": "MAPPED"}
    assert cxx("map(tofrom : r)\n{ auto f = [&] { r += c; }; f(); }") == {"r": "MAPPED", "c": "VALUE"}


def test_every_attribute_says_why() -> None:
    source = region(
        "for (int z = 0; z < n; z++) { d += a[z] + p[z] + t.x + k + limit; global = j; c = e; }",
        "map(to : p[0 : n]) private(j) firstprivate(c) reduction(+ : d) defaultmap(tofrom : aggregate)",
        "target teams distribute parallel for",
        "#pragma omp declare target(global)\n",
    )
    assert {name: a.reason.text for name, a in attributes(source).items()} == {
        "p": "explicit: named in 'map' (5.2, 5.8.3)",
        "j": "explicit: named in 'private' (5.2, 5.4.3)",
        "c": "explicit: named in 'firstprivate' (5.2, 5.4.4)",
        "d": "explicit: 'reduction' on a combined target construct maps its variable tofrom (5.2, 5.8.1)",
        "n": "implicit: a scalar is first-private (5.2, 5.8.1)",
        "a": "implicit: defaultmap(tofrom) for its category, aggregate (5.2, 5.8.7)",
        "t": "implicit: defaultmap(tofrom) for its category, aggregate (5.2, 5.8.7)",
        "k": "implicit: a constant, first-private, whose value the compiler knows (5.2, 5.8.1)",
        "limit": "implicit: a constant whose definition the kernel repeats (5.2, 5.8.1)",
        "global": "predetermined: declare target puts it on the device (5.2, 7.8)",
        "e": "implicit: a scalar is first-private (5.2, 5.8.1)",
    }


def test_what_every_inner_construct_privatises_is_not_passed() -> None:
    loop = "#pragma omp for private(c)\nfor (i = 0; i < n; i++) { c = i; a[i] = c; }"
    found = attributes(region(f"{{\n{loop}\n;\n{loop}\n}}", "map(a)", "target parallel"))
    assert {name: found[name].kind.name for name in ("i", "c", "n")} == {"i": "PRIVATE", "c": "PRIVATE", "n": "VALUE"}
    assert found["c"].reason.section == "5.1.1"
    used = kinds(region(f"{{\n{loop}\nj = i + c;\n}}", "map(a)", "target parallel"))
    assert used["i"] == used["c"] == "VALUE"
    first = loop.replace("private", "firstprivate")
    assert kinds(region(f"{{\n{first}\n;\n}}", "map(a)", "target parallel"))["c"] != "PRIVATE"


def test_what_is_only_measured_is_not_passed() -> None:
    assert kinds(region("i = sizeof a + sizeof(t) + sizeof d;")) == {
        "i": "VALUE", "a": "PRIVATE", "t": "PRIVATE", "d": "PRIVATE"
    }  # fmt: skip
    assert kinds(region("i = sizeof grid;"))["grid"] == "MAPPED_IMPLICITLY"
    assert kinds(region("i = sizeof(int[n]);"))["n"] == "VALUE"


def test_the_object_of_this_is_mapped() -> None:
    implicitly = sharing(CXX.replace("BODY", "map(from : r)\n{ r = x; }"), "t.cpp").this
    assert implicitly is not None
    assert (
        implicitly.reason.text == "implicit: in a member function, the object of 'this' is mapped tofrom (5.2, 5.8.1)"
    )
    for item in ("this[0 : 1]", "x", "this->x"):
        named = sharing(CXX.replace("BODY", f"map(to : {item})\n{{ r = x; }}"), "t.cpp").this
        assert named is not None
        assert [(c.map_type, i.whole.text) for c, i, _ in named.map_items] == [("to", item)]
        assert named.reason.text == "explicit: named in 'map' (5.2, 5.8.3)"
    assert sharing(CXX.replace("BODY", "\n{ r = c; }"), "t.cpp").this is None


def test_static_members_are_globals() -> None:
    assert cxx("\n{ count += r; }")["count"] == "VALUE"
    assert cxx("map(tofrom : count)\n{ S::count += r; }")["count"] == "MAPPED"
