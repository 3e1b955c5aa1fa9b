"""Which declarations and names are one variable, which are another one of the same name, and which are none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from front_tools import parsed

from rexcc.analysis.references import collect
from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, variable_of

SHADOWS = """
extern int x;
extern int x;
int x = 1;
int before() { return x; }
int parameter(int x) { { int x = 2; x = 3; } return x; }
int statics() { static int x; for (int x = 0; x < 3; x++); return x; }
int after() { extern int x; return x; }
"""

LAMBDAS = """
int f(int n) {
  int x = n, *p = &x;
  auto value = [x] { return x; };
  auto reference = [&] { return x++; };
  auto made = [x = n] { return x; };
  auto parameter = [](int x) { return x; };
  return value() + reference() + made() + parameter(*p);
}
"""

KINDS = """
enum E { CONSTANT = 4 };
struct S { int field; static int shared; void method(); };
int S::shared = 5;
struct Pair { int a, b; };
template <class T> T sized = sizeof(T);
template <int N> int number() { return N; }
int f(S &s, Pair pair) {
  auto [first, second] = pair;
  auto *function = &f;
  return s.field + s.shared + S::shared + CONSTANT + first + sized<int> + number<3>() + (function != nullptr);
}
"""


def declared(node: Node, name: str) -> list[Node]:
    """Return the declarations of variables of a name, in the order of the text."""
    return [n for n in node.walk() if n.kind in ("VAR_DECL", "PARM_DECL") and n.spelling == name]


def used(node: Node, name: str) -> list[Variable]:
    """Return what the uses of a name mean, in the order of the text."""
    uses = (n for n in node.walk() if n.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") and n.spelling == name)
    found = [variable_of(n.referenced) for n in uses]
    assert None not in found
    return [variable for variable in found if variable is not None]


def functions(unit: ParsedUnit) -> dict[str, Node]:
    """Return the functions of a unit by name."""
    return {n.spelling: n for n in unit.declarations if n.kind == "FUNCTION_DECL"}


def test_redeclarations_are_one_variable() -> None:
    unit = parsed(SHADOWS).unit
    by_name = functions(unit)
    every = [Variable(n.cursor) for n in unit.declarations if n.spelling == "x"]
    every += [*used(by_name["before"], "x"), *used(by_name["after"], "x")]
    every += [Variable(n.cursor) for n in declared(by_name["after"], "x")]
    assert len(every) == 6 and len(set(every)) == 1 and len({hash(variable) for variable in every}) == 1
    assert all(variable.name == "x" and variable.is_global for variable in every)


def test_variables_that_hide_others_are_different() -> None:
    unit = parsed(SHADOWS).unit
    by_name = functions(unit)
    outside = next(Variable(n.cursor) for n in unit.declarations if n.spelling == "x")
    given, inner = (Variable(n.cursor) for n in declared(by_name["parameter"], "x"))
    kept, index = (Variable(n.cursor) for n in declared(by_name["statics"], "x"))
    assert len({outside, given, inner, kept, index}) == 5
    assert used(by_name["parameter"], "x") == [inner, given]
    assert used(by_name["statics"], "x") == [index, index, kept]
    assert kept.is_global and not index.is_global


def test_captures_are_the_captured_variable() -> None:
    (function,) = functions(parsed(LAMBDAS, "t.cpp").unit).values()
    local, own = (Variable(n.cursor) for n in declared(function, "x")[:: len(declared(function, "x")) - 1])
    lambdas = [n for n in function.walk() if n.kind == "LAMBDA_EXPR"]
    inside = [set(used(n, "x")) for n in lambdas]
    assert inside[0] == inside[1] == {local}
    assert inside[3] == {own} and local != own
    (made,) = inside[2]
    assert made not in (local, own)


def names(node: Node) -> Iterator[tuple[str, Variable | None]]:
    """Yield what a function names, each with the variable that it is."""
    for use in node.walk():
        if use.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
            yield use.spelling, variable_of(use.referenced)


def test_what_is_a_variable() -> None:
    unit = parsed(KINDS, "t.cpp").unit
    found = dict(names(functions(unit)["f"]))
    assert {name for name, variable in found.items() if variable is not None} == {
        "s", "shared", "pair", "first", "sized", "function",
    }  # fmt: skip
    assert {"field", "CONSTANT", "f", "number"} <= found.keys()
    assert len(set(used(functions(unit)["f"], "shared"))) == 1
    assert variable_of(None) is None


@pytest.mark.parametrize(
    ("written", "is_parameter", "decays"),
    [("int *p", True, False), ("int p[]", True, True), ("int p[4]", True, True), ("int (&p)[4]", True, False),
     ("int p[4];", False, False)],
)  # fmt: skip
def test_parameters_that_decay(written: str, is_parameter: bool, decays: bool) -> None:
    text = f"void f({written}) {{ }}" if is_parameter else f"void f() {{ {written} }}"
    (node,) = declared(functions(parsed(text, "t.cpp").unit)["f"], "p")
    assert Variable(node.cursor).decays is decays


def test_list_items_are_the_variables_of_the_statement() -> None:
    text = "struct S { int *m; void f(int n, int a[]); };\nvoid S::f(int n, int a[]) {\n"
    text += (
        "#pragma omp target map(a[0:n]) map(m[0:n]) firstprivate(n)\n  for (int i = 0; i < n; i++) a[i] = m[i];\n}\n"
    )
    (construct,) = parsed(text, "t.cpp").constructs
    assert construct.body is not None
    array, member = (item.variable for item in construct.items("map"))
    (number,) = construct.items("firstprivate")
    variables = collect([construct.body]).variables
    assert member is None and [array, number.variable] == [
        v for name in ("a", "n") for v in variables if v.name == name
    ]
    assert number.whole_variable == number.variable and set(variables) == {array, number.variable}
    assert all(known == variable and known.uses for variable, known in variables.items())


def test_what_is_no_declaration_is_no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """libclang would read bytes of another class as those of a variable."""

    def refused(_: object) -> None:
        raise AssertionError("libclang is asked")

    source = "int f(int); int f(long);\ntemplate <class T> int g(T t) { return f(t); }\nint h() { return g(1); }\n"
    unit = parsed(source, "t.cpp").unit
    sets = [n for top in unit.declarations for n in top.walk() if n.kind == "OVERLOADED_DECL_REF"]
    assert sets
    for name in ("_global_storage", "_initialiser"):
        monkeypatch.setattr(library, name, refused)
    for node in sets:
        assert not library.has_global_storage(node.cursor)
        assert not library.is_made_at_first_use(node.cursor)
        assert library.initialiser(node.cursor) is None
