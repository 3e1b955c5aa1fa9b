"""Each rule of OpenMP 5.2 for the attributes of a region's variables: sort of variable, attribute, origin, section."""

from __future__ import annotations

import pytest
from analysis_tools import attributes, kinds, sharing

from rexcc.analysis.attributes import Attribute
from rexcc.source.diagnostics import CompileError

C = """
typedef struct {{ int x; double *p; }} Box;
int global, table[7]; const int limit = 9; static double rate; extern int other; int *where;
{before}
void f(int n, double *p, Box *boxes, double rows[][4], int vla[n]) {{
  int i = 0, a[8], grid[n][3]; Box box; static int kept; const int k = n;
  const Box fixed = {{1, 0}};
  i += n;
  {around}
#pragma omp {construct} {clauses}
  {body}
}}
"""

CPLUSPLUS = """
struct Base {{ int inherited; }};
struct Shape : Base {{
  int x; double *p; double a[3]; int &alias; static int count; static constexpr int size = 3;
  void run(int &scalar, int *&pointer, double (&array)[4], Shape &object, const int &constant, int &&moved) {{
    int i = 0; auto lambda = [=](int z) {{ return z + i; }}; constexpr int five = 5;
#pragma omp target {clauses}
    {body}
  }}
}};
"""


def found(
    body: str, clauses: str = "", construct: str = "target", before: str = "", around: str = ""
) -> dict[str, Attribute]:
    return attributes(C.format(body=body, clauses=clauses, construct=construct, before=before, around=around))


def found_in_class(body: str, clauses: str = "") -> dict[str, Attribute]:
    return attributes(CPLUSPLUS.format(body=body, clauses=clauses), "t.cpp")


def said(attribute: Attribute) -> tuple[str, str, str]:
    return attribute.kind.name, attribute.reason.origin.value, attribute.reason.section


IMPLICIT = {
    "i": ("VALUE", "implicit", "5.8.1"),
    "n": ("VALUE", "implicit", "5.8.1"),
    "global": ("VALUE", "implicit", "5.8.1"),
    "rate": ("VALUE", "implicit", "5.8.1"),
    "other": ("VALUE", "implicit", "5.8.1"),
    "kept": ("VALUE", "implicit", "5.8.1"),
    "k": ("VALUE", "implicit", "5.8.1"),
    "limit": ("DEVICE_GLOBAL", "implicit", "5.8.1"),
    "p[0]": ("POINTER", "implicit", "5.8.1"),
    "where[0]": ("POINTER", "implicit", "5.8.1"),
    "boxes->x": ("POINTER", "implicit", "5.8.1"),
    "rows[0][1]": ("POINTER", "implicit", "5.8.1"),
    "vla[0]": ("POINTER", "implicit", "5.8.1"),
    "a[0]": ("MAPPED_IMPLICITLY", "implicit", "5.8.1"),
    "grid[0][1]": ("MAPPED_IMPLICITLY", "implicit", "5.8.1"),
    "table[0]": ("MAPPED_IMPLICITLY", "implicit", "5.8.1"),
    "box.x": ("MAPPED_IMPLICITLY", "implicit", "5.8.1"),
    "fixed.x": ("MAPPED_IMPLICITLY", "implicit", "5.8.1"),
}


@pytest.mark.parametrize("use", IMPLICIT)
def test_implicit_attributes(use: str) -> None:
    (attribute,) = found(f"(void){use};").values()
    assert said(attribute) == IMPLICIT[use]


def test_what_is_implicitly_mapped_comes_back_unless_it_is_constant() -> None:
    of = found("a[0] = box.x + fixed.x + table[1];")
    assert {name: a.map_type for name, a in of.items()} == {
        "a": "tofrom", "box": "tofrom", "fixed": "to", "table": "tofrom"
    }  # fmt: skip


EXPLICIT = {
    "map(i)": ("i", "MAPPED", "5.8.3"),
    "map(to : a[0 : 3])": ("a", "MAPPED", "5.8.3"),
    "map(p[0 : n])": ("p", "MAPPED", "5.8.3"),
    "map(p[:0])": ("p", "MAPPED", "5.8.3"),
    "map(box.p[0 : 3])": ("box", "MAPPED", "5.8.3"),
    "private(i)": ("i", "PRIVATE", "5.4.3"),
    "firstprivate(i)": ("i", "VALUE", "5.4.4"),
    "firstprivate(a)": ("a", "FIRSTPRIVATE", "5.4.4"),
    "firstprivate(p)": ("p", "VALUE", "5.4.4"),
    "is_device_ptr(p)": ("p", "DEVICE_POINTER", "5.4.7"),
    "has_device_addr(a)": ("a", "DEVICE_ADDRESS", "5.4.9"),
    "has_device_addr(i)": ("i", "DEVICE_ADDRESS", "5.4.9"),
}


@pytest.mark.parametrize("clause", EXPLICIT)
def test_explicit_attributes(clause: str) -> None:
    name, kind, section = EXPLICIT[clause]
    attribute = found("{ i = 1; a[0] = p[0] + box.x; }", clause)[name]
    assert said(attribute) == (kind, "explicit", section)
    assert attribute.reason.clause is not None
    assert attribute.reason.clause.name == clause.partition("(")[0]


COMBINED = {
    "reduction(+ : i)": ("MAPPED_IMPLICITLY", "explicit", "5.8.1"),
    "lastprivate(i)": ("MAPPED_IMPLICITLY", "explicit", "5.8.1"),
    "map(to : i) reduction(+ : i)": ("MAPPED", "explicit", "5.8.3"),
    "map(alloc : i) lastprivate(i)": ("MAPPED", "explicit", "5.8.3"),
    "firstprivate(i) lastprivate(i)": ("MAPPED_IMPLICITLY", "explicit", "5.8.1"),
}


@pytest.mark.parametrize("clauses", COMBINED)
def test_what_comes_out_of_a_combined_construct_is_mapped(clauses: str) -> None:
    loop = "for (int z = 0; z < n; z++) i = z;"
    of = found(loop, clauses, "target parallel for")["i"]
    assert said(of) == COMBINED[clauses]
    assert of.kind.name == "MAPPED" or of.map_type == "tofrom"


def test_a_reduction_of_a_nested_construct_maps_nothing() -> None:
    nested = "#pragma omp teams distribute parallel for reduction(+ : i)\nfor (int z = 0; z < n; z++) i += z;"
    assert said(found(nested)["i"]) == ("FIRSTPRIVATE", "implicit", "5.8.1")


def test_iteration_variables_are_predetermined() -> None:
    nest = "for (i = 0; i < n; i++) for (kept = 0; kept < 3; kept++) a[i] = kept;"
    assert said(found(nest, "", "target simd")["i"]) == ("PRIVATE", "predetermined", "5.1.1")
    assert "i" not in found(nest, "", "target parallel for")
    assert found(nest, "", "target parallel for")["kept"].kind.name != "PRIVATE"
    assert "kept" not in found(nest, "collapse(2)", "target parallel for")


def test_declare_target_variables_are_predetermined() -> None:
    before = "#pragma omp declare target to(global) enter(table)"
    of = found("{ global += table[0] + other; }", before=before)
    assert said(of["global"]) == said(of["table"]) == ("DEVICE_GLOBAL", "predetermined", "7.8")
    assert of["other"].kind.name == "VALUE"
    mapped = found("global++;", "map(always, tofrom : global)", before=before)["global"]
    assert said(mapped) == ("MAPPED", "explicit", "5.8.3")


def test_variables_of_enclosing_constructs() -> None:
    """What is private or reduced around a target region is a variable like any other in it (5.1.1)."""
    for around in ("parallel private(i)", "parallel firstprivate(i)", "parallel reduction(+ : i)", "task", "single"):
        assert said(found("a[0] = i;", around=f"#pragma omp {around}")["i"]) == ("VALUE", "implicit", "5.8.1")


def test_names_of_the_region_are_not_outside() -> None:
    assert found("{ int i = 3; static int own; own = i; { int n = own; a[0] = n; } }").keys() == {"a"}


def test_functions_and_enumerators_have_no_attributes() -> None:
    assert found("a[0] = RED + sizeof(Box);", before="enum { RED };").keys() == {"a"}


def test_references_are_what_they_refer_to() -> None:
    of = found_in_class("{ scalar = pointer[0] + array[0] + object.x + constant + moved; }")
    assert {name: said(a)[:2] for name, a in of.items()} == {
        "scalar": ("VALUE", "implicit"),
        "pointer": ("POINTER", "implicit"),
        "array": ("MAPPED_IMPLICITLY", "implicit"),
        "object": ("MAPPED_IMPLICITLY", "implicit"),
        "constant": ("VALUE", "implicit"),
        "moved": ("VALUE", "implicit"),
    }


def test_members_belong_to_this() -> None:
    for body in ("{ x = 1; }", "{ p[0] = a[1]; }", "{ inherited++; }", "{ this->x++; }", "{ alias = 2; }"):
        data = sharing(CPLUSPLUS.format(body=body, clauses=""), "t.cpp")
        assert data.attributes == ()
        assert data.this is not None
        assert (data.this.reason.origin.value, data.this.reason.section) == ("implicit", "5.8.1")


def test_constants_of_classes() -> None:
    of = found_in_class("{ scalar = five + size; }", "map(scalar)")
    assert of["five"].kind.name == "CONSTANT"
    assert of["five"].value == 5


def test_lambdas_and_what_they_capture() -> None:
    of = found_in_class("{ scalar = lambda(2); }", "map(scalar)")
    assert said(of["lambda"]) == ("CLOSURE", "implicit", "5.8.1")
    assert said(of["i"]) == ("VALUE", "implicit", "5.8.1")


CATEGORIES = {"scalar": "i", "pointer": "p", "aggregate": "a"}
BEHAVIOURS = {
    "to": ("MAPPED_IMPLICITLY", "to"),
    "from": ("MAPPED_IMPLICITLY", "from"),
    "tofrom": ("MAPPED_IMPLICITLY", "tofrom"),
    "alloc": ("MAPPED_IMPLICITLY", "alloc"),
    "present": ("MAPPED_IMPLICITLY", "present"),
    "storage": ("MAPPED_IMPLICITLY", "storage"),
    "self": ("MAPPED_IMPLICITLY", "self"),
    "firstprivate": ("", ""),
}


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_defaultmap_sets_one_category(category: str, behaviour: str) -> None:
    text, usual = "{ i = 1; p[0] = a[0]; }", found("{ i = 1; p[0] = a[0]; }")
    for clauses in (f"defaultmap({behaviour} : {category})", f"defaultmap({behaviour})"):
        of = found(text, clauses)
        for each, name in CATEGORIES.items():
            attribute = of[name]
            if category != each and ":" in clauses:
                assert said(attribute) == said(usual[name])
                continue
            kind = BEHAVIOURS[behaviour][0] or ("FIRSTPRIVATE" if each == "aggregate" else "VALUE")
            assert said(attribute) == (kind, "implicit", "5.8.7")
            assert attribute.map_type == BEHAVIOURS[behaviour][1]
            assert f"defaultmap({behaviour})" in attribute.reason.rule


@pytest.mark.parametrize("category", CATEGORIES)
def test_defaultmap_none_and_default(category: str) -> None:
    text, usual = "{ i = 1; p[0] = a[0]; }", found("{ i = 1; p[0] = a[0]; }")
    wanted = rf"defaultmap\(none\) asks for an explicit attribute of '{CATEGORIES[category]}'"
    with pytest.raises(CompileError, match=wanted):
        found(text, f"defaultmap(none : {category})")
    of = found(text, f"defaultmap(default : {category})")
    assert {name: said(a)[:2] for name, a in of.items()} == {name: said(a)[:2] for name, a in usual.items()}


def test_defaultmap_leaves_what_a_clause_names() -> None:
    of = found("{ i = 1; p[0] = a[0]; }", "defaultmap(none) map(to : a) firstprivate(i) is_device_ptr(p)")
    assert {name: a.reason.section for name, a in of.items()} == {"a": "5.8.3", "i": "5.4.4", "p": "5.4.7"}


def test_a_reference_has_the_category_of_what_it_refers_to() -> None:
    source = CPLUSPLUS.format(body="{ scalar = pointer[0] + array[0]; }", clauses="defaultmap(tofrom : {})")
    for category, name in (("scalar", "scalar"), ("pointer", "pointer"), ("aggregate", "array")):
        of = attributes(source.replace("{}", category), "t.cpp")
        assert [n for n, a in of.items() if a.reason.section == "5.8.7"] == [name]
    every = kinds(source.replace("{}", "all"), "t.cpp")
    assert every == dict.fromkeys(("scalar", "pointer", "array"), "MAPPED_IMPLICITLY")


def test_members_that_no_clause_names_map_the_whole_object() -> None:
    source = CPLUSPLUS.format(body="{ x = p[0] + a[1]; }", clauses="map(to : {})")
    for items, whole in (("p[0 : 3]", True), ("p[0 : 3], x, a", False), ("this[0 : 1]", False)):
        this = sharing(source.replace("{}", items), "t.cpp").this
        assert this is not None
        assert (this.whole, this.reason.origin.value) == (whole, "implicit" if whole else "explicit")
        assert len(this.map_items) == items.count(",") + 1
