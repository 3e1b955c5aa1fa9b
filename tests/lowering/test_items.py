"""Rows of list items that lead through members and pointers: cover, members, attachments, in the runtime's order."""

from __future__ import annotations

import re

import pytest

from support import compiled, expect_error

TYPES = (
    "struct In { int i; double f[6]; double *p; };\n"
    "struct S { int n; double f[8]; struct In in; struct In many[4]; double *p, *q; struct S *next; int t; };\n"
    "double *gp; struct S gs;\n"
)
HEAD = f"{TYPES}void f(int n, int k, struct S s, struct S *t, double *p, double **rows, struct S **all) {{\n"
LOCALS = "  double a[10], *array[4]; struct S objects[3]; int x = 0;\n"


def rows(
    directive: str, statement: str = "", name: str = "t.c", head: str = HEAD + LOCALS, end: str = "}"
) -> list[str]:
    """Return the rows of a construct, each as ``base, begin, size, bits`` without casts and prefixes."""
    (found,) = compiled(f"{head}#pragma omp target {directive}\n{statement}\n{end}\n", name).blocks
    listed = zip(found.bases, found.begins, found.sizes, found.types, strict=True)
    return [", ".join([_plain(base), _plain(begin), _plain(size), _bits(bits)]) for base, begin, size, bits in listed]


def _plain(text: str) -> str:
    """Return an expression without its cast and without parentheses around all of it."""
    text = re.sub(r"^\((void \*|__INT64_TYPE__)\)", "", text)
    depths = [text[:at].count("(") - text[:at].count(")") for at in range(1, len(text))]
    return text[1:-1] if text.startswith("(") and 0 not in depths else text


def _bits(text: str) -> str:
    words = text.replace("REX_MAP_", "").split(" | ")
    return " ".join(sorted(words, key=lambda word: 2 * (word == "PTR_AND_OBJ") + word.startswith("MEMBER_OF")))


DATA = {
    "s.n": ["&s, &s.n, sizeof s.n, TO"],
    "s.f": ["&s, s.f, sizeof s.f, TO"],
    "s.p": ["&s, &s.p, sizeof s.p, TO"],
    "s.in.f[k]": ["&s, &s.in.f[k], sizeof s.in.f[0], TO"],
    "s.f[2 : 3]": [
        "&s, &s.f[2], sizeof s.f[0] * (__SIZE_TYPE__)3, NONE",
        "&s, &s.f[2], sizeof s.f[0] * (__SIZE_TYPE__)3, TO MEMBER_OF(0)",
    ],
    "s.p[0 : n]": [
        "&s, &s.p, sizeof s.p, NONE",
        "&s.p, &s.p[0], sizeof s.p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "t->p[0 : n]": [
        "t, &t->p, sizeof t->p, NONE",
        "&t->p, &t->p[0], sizeof t->p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "(*t).n": ["t, &t->n, sizeof t->n, TO"],
    "t[k].n": ["t, &t[k].n, sizeof t[k].n, TO"],
    "objects[k].in.i": ["objects, &objects[k].in.i, sizeof objects[k].in.i, TO"],
    "s.n, s.t": [
        "&s, &s.n, (char *)(&s.t + 1) - (char *)&s.n, NONE",
        "&s, &s.n, sizeof s.n, TO MEMBER_OF(0)",
        "&s, &s.t, sizeof s.t, TO MEMBER_OF(0)",
    ],
    "s.in.f, s.in.i": [
        "&s, &s.in.i, (char *)(&s.in.f + 1) - (char *)&s.in.i, NONE",
        "&s, s.in.f, sizeof s.in.f, TO MEMBER_OF(0)",
        "&s, &s.in.i, sizeof s.in.i, TO MEMBER_OF(0)",
    ],
    "s.many[k].i, s.many[k].f[1]": [
        "&s, &s.many[k].i, (char *)(&s.many[k].f[1] + 1) - (char *)&s.many[k].i, NONE",
        "&s, &s.many[k].i, sizeof s.many[k].i, TO MEMBER_OF(0)",
        "&s, &s.many[k].f[1], sizeof s.many[k].f[0], TO MEMBER_OF(0)",
    ],
    "s.many[k].i, s.many[n].i": [
        "&s, s.many, sizeof s.many, NONE",
        "&s, &s.many[k].i, sizeof s.many[k].i, TO MEMBER_OF(0)",
        "&s, &s.many[n].i, sizeof s.many[n].i, TO MEMBER_OF(0)",
    ],
    "t[k].n, t[n].n": [
        "t, rex_first(&t[k].n, &t[n].n), "
        "(char *)rex_last(&t[k].n + 1, &t[n].n + 1) - (char *)rex_first(&t[k].n, &t[n].n), NONE",
        "t, &t[k].n, sizeof t[k].n, TO MEMBER_OF(0)",
        "t, &t[n].n, sizeof t[n].n, TO MEMBER_OF(0)",
    ],
    "s.p[0 : n], s": [
        "&s, &s, sizeof s, NONE",
        "&s, &s, sizeof s, TO MEMBER_OF(0)",
        "&s.p, &s.p[0], sizeof s.p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "*t, t->p[0 : n]": [
        "t, t, sizeof(*t), NONE",
        "t, t, sizeof(*t), TO MEMBER_OF(0)",
        "&t->p, &t->p[0], sizeof t->p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "s.in.p[0 : 2]": [
        "&s, &s.in.p, sizeof s.in.p, NONE",
        "&s, &s.in.p, sizeof s.in.p, TO MEMBER_OF(0)",
        "&s.in.p, &s.in.p[0], sizeof s.in.p[0] * (__SIZE_TYPE__)2, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "s.next->n": [
        "&s, &s.next, sizeof s.next, NONE",
        "&s.next, &s.next->n, sizeof s.next->n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "t->next->next->p[0 : n]": [
        "t, &t->next, sizeof t->next, NONE",
        "&t->next, &t->next->next, sizeof t->next->next, MEMBER_OF(0) PTR_AND_OBJ",
        "&t->next->next, &t->next->next->p, sizeof t->next->next->p, MEMBER_OF(1) PTR_AND_OBJ",
        "&t->next->next->p, &t->next->next->p[0], sizeof t->next->next->p[0] * (__SIZE_TYPE__)n, "
        "TO MEMBER_OF(2) PTR_AND_OBJ",
    ],
    "t->next->n, t->next->p[0 : n]": [
        "t, &t->next, sizeof t->next, NONE",
        "&t->next, &t->next->n, (char *)(&t->next->p + 1) - (char *)&t->next->n, MEMBER_OF(0) PTR_AND_OBJ",
        "t->next, &t->next->n, sizeof t->next->n, TO MEMBER_OF(1)",
        "&t->next->p, &t->next->p[0], sizeof t->next->p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(1) PTR_AND_OBJ",
    ],
    "rows[k][1 : n]": [
        "rows, &rows[k], sizeof rows[0], TO",
        "&rows[k], &rows[k][1], sizeof rows[k][0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "(*rows)[1 : n]": [
        "rows, rows, sizeof(*rows), TO",
        "rows, &(*rows)[1], sizeof (*rows)[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "**rows": ["rows, rows, sizeof(*rows), TO", "rows, *rows, sizeof(**rows), TO MEMBER_OF(0) PTR_AND_OBJ"],
    "array[1][0 : n], array[3][0 : k]": [
        "array, &array[1], (char *)(&array[3] + 1) - (char *)&array[1], NONE",
        "array, &array[1], sizeof array[0], TO MEMBER_OF(0)",
        "&array[1], &array[1][0], sizeof array[1][0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
        "array, &array[3], sizeof array[0], TO MEMBER_OF(0)",
        "&array[3], &array[3][0], sizeof array[3][0] * (__SIZE_TYPE__)k, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "all[k]->n": [
        "all, &all[k], sizeof all[k], TO",
        "&all[k], &all[k]->n, sizeof all[k]->n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "p, p[1 : n]": ["&p, &p, sizeof p, TO", "&p, &p[1], sizeof p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ"],
    "t, t->n": ["&t, &t, sizeof t, TO", "&t, &t->n, sizeof t->n, TO MEMBER_OF(0) PTR_AND_OBJ"],
    "*(p + k)": ["p, p + k, sizeof(*(p + k)), TO"],
    "((double (*)[4])p)[1 : n]": [
        "p, &((double (*)[4])p)[1], sizeof ((double (*)[4])p)[0] * (__SIZE_TYPE__)n, TO"
    ],
    "gp[0 : n], gs.p[0 : n]": [
        "gp, &gp[0], sizeof gp[0] * (__SIZE_TYPE__)n, TO",
        "&gs, &gs.p, sizeof gs.p, NONE",
        "&gs.p, &gs.p[0], sizeof gs.p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(1) PTR_AND_OBJ",
    ],
    "a[0 : 2], a[5 : 3]": [
        "a, &a[0], sizeof a[0] * (__SIZE_TYPE__)2, TO",
        "a, &a[5], sizeof a[0] * (__SIZE_TYPE__)3, TO",
    ],
    "p[n : 0]": ["p, &p[n], sizeof p[0] * (__SIZE_TYPE__)0, TO"],
}  # fmt: skip


@pytest.mark.parametrize("items", DATA)
def test_rows_of_data_constructs(items: str) -> None:
    assert rows(f"enter data map(to : {items})") == DATA[items]


KERNELS = {
    "map(s.n)": ["&s, &s.n, sizeof s.n, PARAM TOFROM"],
    "map(to : s.p[0 : n])": [
        "&s, &s.p, sizeof s.p, PARAM",
        "&s.p, &s.p[0], sizeof s.p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "map(to : s.f) map(alloc : s.n) map(present, from : s.t)": [
        "&s, &s.n, (char *)(&s.t + 1) - (char *)&s.n, PARAM PRESENT",
        "&s, &s.t, sizeof s.t, FROM PRESENT MEMBER_OF(0)",
        "&s, s.f, sizeof s.f, TO MEMBER_OF(0)",
        "&s, &s.n, sizeof s.n, MEMBER_OF(0)",
    ],
}


@pytest.mark.parametrize("clauses", KERNELS)
def test_rows_of_kernels(clauses: str) -> None:
    assert rows(clauses, "  s.n = s.t;") == KERNELS[clauses]


def test_a_parameter_written_as_an_array_is_a_pointer() -> None:
    head = "void f(int v[5], int (*w)[3]) {\n"
    assert rows("enter data map(v)", head=head) == ["&v, &v, sizeof(void *), TO"]
    assert rows("enter data map(to : v, v[1 : 2])", head=head) == [
        "&v, &v, sizeof(void *), TO",
        "&v, &v[1], sizeof v[0] * (__SIZE_TYPE__)2, TO MEMBER_OF(0) PTR_AND_OBJ",
    ]


def test_the_sections_of_an_array_have_one_base_in_a_kernel() -> None:
    assert rows("map(p[0 : 2], p[n : k])", "  p[0] = p[n];") == [
        "p, rex_first(&p[0], &p[n]), (char *)rex_last((char *)&p[0] + sizeof p[0] * (__SIZE_TYPE__)2, (char *)&p[n] + "
        "sizeof p[0] * (__SIZE_TYPE__)k) - (char *)rex_first(&p[0], &p[n]), PARAM",
        "p, &p[0], sizeof p[0] * (__SIZE_TYPE__)2, TOFROM MEMBER_OF(0)",
        "p, &p[n], sizeof p[0] * (__SIZE_TYPE__)k, TOFROM MEMBER_OF(0)",
        "rex_pack(&n, sizeof n), __args_base[3], sizeof n, IMPLICIT_LITERAL",
    ]


MODIFIERS = {
    "enter data map(ompx_hold, to : s.n) map(to : s.p[0 : 3])": ["OMPX_HOLD", "TO OMPX_HOLD MEMBER_OF(0)",
                                                                "TO OMPX_HOLD MEMBER_OF(0) PTR_AND_OBJ"],
    "enter data map(present, to : s.n) map(to : s.t)": ["PRESENT", "TO PRESENT MEMBER_OF(0)", "TO MEMBER_OF(0)"],
    "enter data map(present, to : s.p[0 : n])": ["NONE", "TO PRESENT MEMBER_OF(0) PTR_AND_OBJ"],
    "exit data map(present, from : s.p[0 : n])": ["NONE", "FROM PRESENT MEMBER_OF(0) PTR_AND_OBJ"],
    "enter data map(present, to : s.n, s.p[0 : n])": ["PRESENT", "TO PRESENT MEMBER_OF(0)",
                                                      "TO PRESENT MEMBER_OF(0) PTR_AND_OBJ"],
    "enter data map(present, to : rows[1][0 : n])": ["TO", "TO PRESENT MEMBER_OF(0) PTR_AND_OBJ"],
    "enter data map(s.n)": ["TO"],
    "exit data map(always: s.n)": ["FROM ALWAYS"],
    "enter data map(alloc : s.t) map(to : s.n)": ["NONE", "MEMBER_OF(0)", "TO MEMBER_OF(0)"],
    "enter data map(to : s.n) map(alloc : s.t)": ["NONE", "MEMBER_OF(0)", "TO MEMBER_OF(0)"],
    "enter data map(always, close, to : rows[1][0 : n])": ["TO CLOSE", "TO ALWAYS CLOSE MEMBER_OF(0) PTR_AND_OBJ"],
    "exit data map(delete : s.n, s.p[0 : n])": ["DELETE", "DELETE MEMBER_OF(0)", "DELETE MEMBER_OF(0) PTR_AND_OBJ"],
    "exit data map(delete : s.p[0 : n])": ["NONE", "DELETE MEMBER_OF(0) PTR_AND_OBJ"],
    "exit data map(from : s.p[0 : n]) map(release : s.t)": ["NONE", "FROM MEMBER_OF(0) PTR_AND_OBJ", "MEMBER_OF(0)"],
    "update to(s.n) from(s.p[0 : n])": ["NONE", "TO MEMBER_OF(0)", "FROM MEMBER_OF(0) PTR_AND_OBJ"],
    "update from(s.p[0 : n]) to(s.n)": ["NONE", "TO MEMBER_OF(0)", "FROM MEMBER_OF(0) PTR_AND_OBJ"],
}  # fmt: skip


@pytest.mark.parametrize("directive", MODIFIERS)
def test_bits_and_order_of_the_members_of_one_struct(directive: str) -> None:
    assert [row.rsplit(", ", 1)[1] for row in rows(directive)] == MODIFIERS[directive]


DERIVED = "struct B { int m; double *w; };\nstruct D : B { int x; void f(int n); };\nvoid D::f(int n) {\n"
PLAIN = "struct D { int x, y; double *p; int &r; double *&v; void f(int n); };\nvoid D::f(int n) {\n"

OBJECTS = {
    "x": ["this, &x, sizeof x, TO"],
    "this->x, y": [
        "this, &this->x, (char *)(&y + 1) - (char *)&this->x, NONE",
        "this, &this->x, sizeof this->x, TO MEMBER_OF(0)",
        "this, &y, sizeof y, TO MEMBER_OF(0)",
    ],
    "p[0 : n]": ["this, &p, sizeof p, NONE", "&p, &p[0], sizeof p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ"],
    "*this": ["this, this, sizeof(*this), TO"],
    "this[:1], p[0 : n]": [
        "this, &this[0], sizeof this[0], NONE",
        "this, &this[0], sizeof this[0], TO MEMBER_OF(0)",
        "&p, &p[0], sizeof p[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "r": [
        "this, REX_REFERENCE(*this, r), sizeof(void *), NONE",
        "REX_REFERENCE(*this, r), &r, sizeof r, TO MEMBER_OF(0) PTR_AND_OBJ",
    ],
    "v[0 : n]": [
        "this, REX_REFERENCE(*this, v), sizeof(void *), NONE",
        "REX_REFERENCE(*this, v), &v, sizeof v, MEMBER_OF(0) PTR_AND_OBJ",
        "&v, &v[0], sizeof v[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(1) PTR_AND_OBJ",
    ],
}


@pytest.mark.parametrize("items", OBJECTS)
def test_rows_of_members_of_this(items: str) -> None:
    assert rows(f"enter data map(to : {items})", name="t.cpp", head=PLAIN) == OBJECTS[items]


def test_members_of_base_classes_are_covered_by_the_whole_object() -> None:
    assert rows("enter data map(to : x, w[0 : n])", name="t.cpp", head=DERIVED) == [
        "this, this, sizeof *this, NONE",
        "this, &x, sizeof x, TO MEMBER_OF(0)",
        "&w, &w[0], sizeof w[0] * (__SIZE_TYPE__)n, TO MEMBER_OF(0) PTR_AND_OBJ",
    ]


def test_the_row_around_an_object_that_is_mapped_besides_takes_what_is_there() -> None:
    """A part of the object that is on the device already is taken (5.8.3); `present` asks for the item only."""
    assert rows("map(present, to : x)", "y = x;", name="t.cpp", head=PLAIN) == [
        "this, this, sizeof *this, PARAM IMPLICIT",
        "this, this, sizeof *this, TOFROM IMPLICIT MEMBER_OF(0)",
        "this, &x, sizeof x, TO PRESENT MEMBER_OF(0)",
        "this, &this->y, 0, MEMBER_OF(0)",
    ]


REFUSED = {
    "g()[0 : 2]": ("enter data", "'g()[0 : 2]' is no variable, member, array element"),
    "n ? x : y": ("enter data", "is no variable, member, array element, array section or target of a pointer"),
    "*(n ? p : q)": ("data", "is no variable, member, array element, array section or target of a pointer"),
}


@pytest.mark.parametrize("item", REFUSED)
def test_what_is_refused(item: str) -> None:
    head = "double *g(void);\nvoid f(int n, double *p, double *q, double x, double y) {\n"
    kind, message = REFUSED[item]
    directive = f"target {kind}" if kind != "data" else "target"
    expect_error(f"{head}#pragma omp {directive} map(to : «{item}»)\n;\n}}\n", "unsupported-item", message)


COMPUTED = ["*(n ? p : q)", "g()[2]", "h()->x", "(n ? x : y)", "r().x"]


@pytest.mark.parametrize("item", COMPUTED)
def test_rows_of_items_whose_storage_an_expression_computes(item: str) -> None:
    head = "struct s { int x; };\ndouble *g(); s *h(); s &r();\n"
    head += "void f(int n, double *p, double *q, double x, double y) {\n"
    assert rows(f"enter data map(to : {item})", name="t.cpp", head=head) == [
        f"&({item}), __args_base[0], sizeof ({item}), TO"
    ]


def test_an_always_copy_says_where_it_copies_pointers() -> None:
    found = rows("enter data map(always, to : s, s.p[0 : n], a, gp, s.in.f)")
    told = [row.split(", ")[1] for row in found if "COPIES_POINTERS" in row]
    assert told == ["&s", "&gp"]
    assert not any("COPIES_POINTERS" in row for row in rows("exit data map(always, from : s)"))
