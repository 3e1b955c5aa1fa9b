"""Locals whose values the compiler knows: those that their functions only read."""

from __future__ import annotations

import pytest
from analysis_tools import attributes

HEAD = (
    "enum colour { RED, GREEN }; typedef long number; int take(int x); void change(int *x); int global;\n"
    "#define SET(x, y) ((x) = (y))\n"
)
CPP = (
    "#include <algorithm>\nstruct holder { int &x; }; struct viewer { const int &x; }; struct pair { int x, y; };\n"
    "void bind(int &x); void look(const int &x); template <class T> void any(T &&x);\n"
)


def known(declared: str, before: str = "", after: str = "", name: str = "t.c", clauses: str = "") -> int | None:
    """Return the value that a kernel knows of the local ``d``, None where it is passed."""
    source = (
        f"{HEAD}{CPP if name.endswith('pp') else ''}void f(int n, int *p) {{\n"
        f"{declared};\n{before};\n#pragma omp target {clauses}\np[0] = d + n;\n{after};\n}}\n"
    )
    found = attributes(source, name)["d"]
    assert found.kind.name in ("CONSTANT", "VALUE"), found.kind
    assert (found.kind.name == "CONSTANT") == (found.value is not None)
    return found.value


DECLARED = {
    "int d = 3": 3,
    "int d = 2 * 3 - 7": -1,
    "int d = 3.7": 3,
    "unsigned char d = 300": 44,
    "_Bool d = 7": 1,
    "char d = 'a'": 97,
    "number d = 1L << 40": 1 << 40,
    "int d = sizeof(double)": 8,
    "register int d = 4": 4,
    "int d = GREEN": 1,
}


@pytest.mark.parametrize("declared", DECLARED)
def test_integers_that_are_declared_with_constants(declared: str) -> None:
    assert known(declared) == DECLARED[declared]


@pytest.mark.parametrize(
    "declared",
    ("int d; d = 3", "int d = n", "int d = global", "int d = take(3)", "volatile int d = 3", "static int d = 3",
     "double d = 3", "float d = 3", "extern int d"),
)  # fmt: skip
def test_others_are_passed(declared: str) -> None:
    assert known(declared) is None


READS = ("take(d)", "n = d", "int e[d]", "n = sizeof d", "if (d) n++", "(void)d", "n = p[d]", "{ int d = 1; d++; }",
         "int e = d, g = e++", "int e[3] = {d, 1, d}", "switch (d) { case 3: n++; }",
         "\n#pragma omp parallel for num_threads(d) shared(d)\nfor (int i = 0; i < d; i++) ;",
         "\n#pragma omp target enter data map(to : p[0 : d])\n")  # fmt: skip


@pytest.mark.parametrize("use", READS)
def test_reads_change_nothing(use: str) -> None:
    assert known("int d = 3", use) == 3
    assert known("int d = 3", after=use) == 3


CHANGES = ("d = 4", "__builtin_choose_expr(1, d, n) = 4",
           "d++", "--d", "d += 2", "(d) = 4", "SET(d, 4)", "change(&d)", "int *e = &d", "n ? d++ : 0",
           'asm("" : "+r"(d))', "for (d = 0; d < n; d++) ;", "for (;; d++) break",
           "\n#pragma omp parallel for lastprivate(d)\nfor (int i = 0; i < n; i++) ;",
           "\n#pragma omp parallel reduction(+ : d)\n;", "\n#pragma omp target data map(tofrom : d)\n;",
           "\n#pragma omp target update from(d)\n", "\n#pragma omp target data map(from : d)\n;",
           "\n#pragma omp simd linear(d)\nfor (int i = 0; i < n; i++) ;",
           "\n#pragma omp parallel\n{\n#pragma omp single copyprivate(d)\n;\n}",
           "\n#pragma omp target enter data map(to : d)\n")  # fmt: skip


@pytest.mark.parametrize("use", CHANGES)
def test_what_may_change_a_local(use: str) -> None:
    assert known("int d = 3", use) is None
    assert known("int d = 3", after=use) is None


READS_OF_CPP = ("n = d", "auto e = d; e++", "n = static_cast<int>(d)", "const long &e = d", "n = std::min(d, n)",
                "n = std::max(1, d) + 2", "int e[2]{d, 1}", "int e{d}")  # fmt: skip


@pytest.mark.parametrize("use", READS_OF_CPP)
def test_values_and_arguments_of_the_library_are_reads(use: str) -> None:
    assert known("int d = 3", use, name="t.cpp") == 3


@pytest.mark.parametrize(
    "use",
    ("bind(d)", "any(d)", "int &e = d", "auto &&e = d", "auto e = [&] { d++; }", "auto e = [&d] { return d; }",
     "const_cast<int &>(d) = 4", "(d) = 4", "(n, d) = 4", "(n ? d : n) = 4", "int *e = &(int &)d",
     "holder e{d}", "int &e{d}", "look(d)",
     "const int &e = d", "const int &e{d}", "viewer e{d}", "const_cast<int &>(std::max(d, 1)) = 9", "pair e{d, 1}",
     "auto &&e = std::min(d, n)", "const int &e = std::min(d, n)", "static_cast<const int &>(d)", "(d ?: n) + 1"),
)  # fmt: skip
def test_what_may_change_a_local_of_cpp(use: str) -> None:
    assert known("int d = 3", use, name="t.cpp") is None
    assert known("int d = 3", after=use, name="t.cpp") is None


def test_the_region_itself_may_change_its_copy() -> None:
    source = f"{HEAD}void f(int *p) {{ int d = 3;\n#pragma omp target\n{{ d++; p[0] = d; }}\n}}\n"
    assert attributes(source)["d"].kind.name == "VALUE"


def test_clauses_for_the_category_still_count() -> None:
    assert known("int d = 3", clauses="defaultmap(firstprivate : scalar)") == 3
    source = f"{HEAD}void f(int *p) {{ int d = 3;\n#pragma omp target defaultmap(tofrom : scalar)\np[0] = d;\n}}\n"
    assert attributes(source)["d"].kind.name == "MAPPED_IMPLICITLY"
