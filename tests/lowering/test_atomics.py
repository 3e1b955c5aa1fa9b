"""Atomic constructs in device code: the call that each statement becomes, and what is refused."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

import pytest

import support
from support import expect_error

TYPES = """
typedef struct { int n; unsigned bits : 3; int list[4]; } Cell;
#pragma pack(push, 1)
typedef struct { char tag; int n; } Packed;
#pragma pack(pop)
enum colour { RED, GREEN };
#define ADD(a, b) a += b
#define INC(a) a++
#define TWO 2
#define PLUS(a, b) a + b
#define IS ==
#define SET(a) a = 1
"""
PARAMETERS = "int *p, double *q, int **pp, Cell *c, Packed *k, long double *w, enum colour *h, int e, int d, int n"
MAPS = "map(p[0:n], q[0:n], pp[0:n], c[0:n], k[0:n], h[0:n])"


def in_region(body: str, function: str = "f") -> str:
    return (
        f"void {function}({PARAMETERS}) {{\n  int x = 0, v = 0, r = 0;\n"
        f"#pragma omp target teams distribute parallel for {MAPS} map(tofrom: x) num_teams(n)\n"
        f"  for (int i = 0; i < n; i++) {{\n{body}  }}\n}}\n"
    )


def source(statement: str, clauses: str = "", before: str = "") -> str:
    region = in_region(f"    int own = 0;\n#pragma omp atomic {clauses}\n    {statement}\n")
    return f"{TYPES}{before}{region}"


def listed() -> Iterator[tuple[str, str]]:
    """Yield statements and clauses that are right; where a macro makes a statement, all macros would be expanded."""
    yield from ((statement, clauses) for clauses, statement, *_ in ORDERS)
    yield from ((statement, clause) for statement in UPDATES for clause in ("", "update"))
    yield from ((statement, "capture") for statement in CAPTURES)
    for statement in CONDITIONS:
        yield statement, "compare"
        yield f"{{ v = x; {statement} }}", "compare capture"
        yield f"{{ {statement} v = x; }}", "compare capture"
    yield from ((statement, clauses) for statement in SWAPS for clauses in WITH_RESULT)


TOGETHER = 16
"""Statements of one region."""


@functools.cache
def of_listed() -> dict[tuple[str, str], str]:
    """Return what stands for each of them, in regions of several."""
    cases = list(dict.fromkeys(listed()))
    blocks = [f" {{\nint own = 0;\n#pragma omp atomic {clauses}\n{statement}\n }}\n" for statement, clauses in cases]
    groups = ["".join(blocks[at : at + TOGETHER]) for at in range(0, len(blocks), TOGETHER)]
    regions = [in_region(f"{group} {{\nint own = 0;\n }}\n", f"f{number}") for number, group in enumerate(groups)]
    device = support.on_one_line(support.compiled(TYPES + "".join(regions)).device)
    parts = [part for part in device.split("int own = 0;") if part.startswith(" /* #pragma omp atomic")]
    found = [re.fullmatch(r" /\*.*?\*/ (.*) \} \{ ", part) for part in parts]
    return {case: match[1] for case, match in zip(cases, found, strict=True) if match is not None}


def lowered(statement: str, clauses: str = "", before: str = "", name: str = "t.c") -> str:
    """Return what stands in the kernel for an atomic construct, on one line."""
    if not before and name == "t.c" and (statement, clauses) in of_listed():
        return of_listed()[statement, clauses]
    body = support.compiled(source(statement, clauses, before), name).kernels[0].body
    found = re.search(r"int own = 0;\s*/\*.*?\*/\s*([\s\S]*?)\s*\}\s*$", body)
    assert found is not None, body
    return support.on_one_line(found[1])


MADE_BY_MACROS = [
    ("", "ADD(x, e);", "rex_atomic_add(&x, e);"),
    ("", "INC(x);", "rex_atomic_add(&x, 1);"),
    ("compare", "if (x IS e) { x = d; }", "rex_atomic_compare_exchange(&x, e, d);"),
    ("compare", "if (x == e) { SET(x); }", "rex_atomic_compare_exchange(&x, e, 1);"),
]


@pytest.mark.parametrize(("clauses", "statement", "expected"), MADE_BY_MACROS)
def test_macros_may_make_the_statement(clauses: str, statement: str, expected: str) -> None:
    assert lowered(statement, clauses) == expected


UPDATES = {
    "x++;": "rex_atomic_add(&x, 1);",
    "--x;": "rex_atomic_sub(&x, 1);",
    "x += e * d;": "rex_atomic_add(&x, e * d);",
    "x -= e;": "rex_atomic_sub(&x, e);",
    "x *= e;": "rex_atomic_mul(&x, e);",
    "x /= e;": "rex_atomic_div(&x, e);",
    "x %= e;": "rex_atomic_mod(&x, e);",
    "x &= e;": "rex_atomic_and(&x, e);",
    "x |= e;": "rex_atomic_or(&x, e);",
    "x ^= e;": "rex_atomic_xor(&x, e);",
    "x <<= e;": "rex_atomic_shl(&x, e);",
    "x >>= e;": "rex_atomic_shr(&x, e);",
    "x = x + e;": "rex_atomic_add(&x, e);",
    "x = e * d + x;": "rex_atomic_add(&x, e * d);",
    "x = e - x;": "rex_atomic_rsub(&x, e);",
    "x = (e >> (x));": "rex_atomic_rshr(&x, e);",
    "x = x / (e + d);": "rex_atomic_div(&x, (e + d));",
    "p[i] += e;": "rex_atomic_add(&p[i], e);",
    "*p += e;": "rex_atomic_add(p, e);",
    "(*(p + i))++;": "rex_atomic_add((p + i), 1);",
    "**pp |= 1;": "rex_atomic_or(*pp, 1);",
    "c[i].n++;": "rex_atomic_add(&c[i].n, 1);",
    "c->list[i % 4] = c->list[i%4] - TWO;": "rex_atomic_sub(&c->list[i % 4], TWO);",
    "q[i] += PLUS(e, d);": "rex_atomic_add(&q[i], PLUS(e, d));",
    "p[PLUS(e, d)]--;": "rex_atomic_sub(&p[PLUS(e, d)], 1);",
    "*h = *h | 1;": "rex_atomic_or(h, 1);",
    "*h += 1;": "rex_atomic_add(h, 1);",
}


@pytest.mark.parametrize("statement", UPDATES)
@pytest.mark.parametrize("clause", ["", "update"])
def test_updates(statement: str, clause: str) -> None:
    found = lowered(statement, clause).replace("(enum colour)(", "(")
    assert found == UPDATES[statement]


CAPTURES = {
    "v = x++;": "v = rex_atomic_add(&x, 1);",
    "v = ++x;": "v = rex_atomic_add_new(&x, 1);",
    "v = x -= e;": "v = rex_atomic_sub_new(&x, e);",
    "v = x = e / x;": "v = rex_atomic_rdiv_new(&x, e);",
    "v = (x = x & e);": "v = rex_atomic_and_new(&x, e);",
    "{ v = x; x *= e; }": "v = rex_atomic_mul(&x, e);",
    "{ v = x; x = e | x; }": "v = rex_atomic_or(&x, e);",
    "{ v = x; --x; }": "v = rex_atomic_sub(&x, 1);",
    "{ v = x; x = e + d; }": "v = rex_atomic_exchange(&x, e + d);",
    "{ x--; v = x; }": "v = rex_atomic_sub_new(&x, 1);",
    "{ x = x << e; v = x; }": "v = rex_atomic_shl_new(&x, e);",
    "{ p[v] = *p; *p = e; }": "p[v] = rex_atomic_exchange(p, e);",
    "{ *h = x; x += 1; }": "*h = (unsigned int)rex_atomic_add(&x, 1);",
}


@pytest.mark.parametrize("statement", CAPTURES)
def test_captures(statement: str) -> None:
    assert lowered(statement, "capture") == CAPTURES[statement]


CONDITIONS = {
    "if (x == e) { x = d; }": ("compare_exchange", "&x, e, d"),
    "if (e == x) x = d;": ("compare_exchange", "&x, e, d"),
    "x = x == e ? d : x;": ("compare_exchange", "&x, e, d"),
    "x = (e == x) ? (d) : x;": ("compare_exchange", "&x, e, (d)"),
    "if (x < e) { x = e; }": ("max", "&x, e"),
    "if (x > e) { x = e; }": ("min", "&x, e"),
    "if (e < x) { x = e; }": ("min", "&x, e"),
    "if (e > x) x = e;": ("max", "&x, e"),
    "x = x < e ? e : x;": ("max", "&x, e"),
    "x = x > e ? e : x;": ("min", "&x, e"),
    "x = e < x ? e : x;": ("min", "&x, e"),
    "x = (e > x ? e : x);": ("max", "&x, e"),
}


@pytest.mark.parametrize("statement", CONDITIONS)
def test_comparisons_and_their_captures(statement: str) -> None:
    helper, arguments = CONDITIONS[statement]
    old, new = f"rex_atomic_{helper}({arguments});", f"rex_atomic_{helper}_new({arguments});"
    assert lowered(statement, "compare") == old
    assert lowered(f"{{ v = x; {statement} }}", "compare capture") == f"v = {old}"
    assert lowered(f"{{ {statement} v = x; }}", "compare capture") == f"v = {new}"
    if statement.startswith("x"):
        assert lowered(f"v = {statement}", "capture compare") == f"v = {new}"


def test_each_of_many_is_lowered_as_it_is_alone() -> None:
    """One that were left out would be translated by its tests."""
    assert of_listed().keys() == set(listed())
    assert lowered("x++;", before="int other;\n") == of_listed()["x++;", ""]


SWAPS = {
    "if (x == e) { x = d; } else { v = x; }": "rex_atomic_compare_swap(&x, e, d, v);",
    "{ if (e == x) x = d; else v = x; }": "rex_atomic_compare_swap(&x, e, d, v);",
    "{ r = x == e; if (r) { x = d; } }": "r = rex_atomic_compare_swap(&x, e, d);",
    "{ r = (e == x); if ((r)) { x = d; } else { v = x; } }": "r = rex_atomic_compare_swap(&x, e, d, v);",
}


WITH_RESULT = ("compare capture", "weak capture compare")


@pytest.mark.parametrize("statement", SWAPS)
@pytest.mark.parametrize("clauses", WITH_RESULT)
def test_swaps_that_tell_the_result(statement: str, clauses: str) -> None:
    assert lowered(statement, clauses) == SWAPS[statement]


def test_read_and_write() -> None:
    assert lowered("v = p[i];", "read") == "v = rex_atomic_read(&p[i]);"
    assert lowered("*q = e + 1;", "write") == "rex_atomic_write(q, e + 1);"


ORDERS = [
    ("seq_cst", "x++;", True, True),
    ("acq_rel", "x++;", True, True),
    ("release", "x++;", True, False),
    ("acquire", "x++;", False, True),
    ("relaxed", "x++;", False, False),
    ("read seq_cst", "v = x;", True, True),
    ("read acquire", "v = x;", False, True),
    ("read acq_rel", "v = x;", False, True),
    ("write seq_cst", "x = 1;", True, True),
    ("write release", "x = 1;", True, False),
    ("write acq_rel", "x = 1;", True, False),
    ("capture acquire", "v = x++;", False, True),
    ("compare release fail(acquire)", "if (x == e) { x = d; }", True, True),
    ("compare relaxed fail(relaxed)", "if (x == e) { x = d; }", False, False),
    ("compare fail(seq_cst)", "if (x == e) { x = d; }", True, True),
]


@pytest.mark.parametrize(("clauses", "statement", "before", "after"), ORDERS)
def test_memory_orders_are_fences(clauses: str, statement: str, before: bool, after: bool) -> None:
    text = lowered(statement, clauses)
    assert text.startswith("{ __threadfence(); ") == before
    assert text.endswith("; __threadfence(); }") == after
    assert text.count("__threadfence") == before + after


def test_the_default_memory_order_is_the_units() -> None:
    requires = "#pragma omp requires atomic_default_mem_order(acq_rel)\n"
    assert lowered("x++;", before=requires) == "{ __threadfence(); rex_atomic_add(&x, 1); __threadfence(); }"
    assert lowered("v = x;", "read", requires) == "{ v = rex_atomic_read(&x); __threadfence(); }"
    assert lowered("x++;", "relaxed", requires) == "rex_atomic_add(&x, 1);"


@pytest.mark.parametrize("statement", ["own += e;", "own = e - own;"])
def test_a_threads_own_variable_needs_no_atomic(statement: str) -> None:
    assert lowered(statement) == statement
    assert lowered(statement, "seq_cst") == f"{{ __threadfence(); {statement} __threadfence(); }}"


def test_what_a_parallel_shares_needs_one() -> None:
    text = support.compiled(
        "void f(int *p) {\n#pragma omp target map(p[0:1])\n{\n  int all = 0;\n#pragma omp parallel\n  {\n"
        "    int own = 0;\n#pragma omp atomic\n    all++;\n#pragma omp atomic\n    own++;\n  }\n  p[0] = all;\n}\n}\n"
    ).device
    assert "rex_atomic_add(&all, 1);" in text and "    own++;" in text


def test_the_copy_that_takes_part_is_the_whole_teams() -> None:
    code = "void f(void) { int x = 0;\n#pragma omp taskgroup task_reduction(+ : x)\n{\n"
    code += "#pragma omp target parallel for in_reduction(+ : x)\nfor (int i = 0; i < 9; i++) {\n"
    code += "#pragma omp atomic\nx += i * i;\n} } }\n"
    assert "rex_bin_add(__rex_bins_x, &x, i * i);" in support.compiled(code).kernels[0].body


def test_lines_are_kept() -> None:
    statement = "x\n =\n x\n  /* more\n */ + // so\n e\n;"
    body = support.compiled(source(statement)).kernels[0].body
    assert "rex_atomic_add(&x, e);\n\n\n\n\n\n\n  }" in body


def test_the_preprocessor_may_choose() -> None:
    assert lowered("\n#ifdef NONE\nx += 3;\n#else\nx += 4;\n#endif") == "rex_atomic_add(&x, 4);"


MEMBERS = """
struct S {
  int n, list[4];
  static int all;
  void f() {
#pragma omp target map(tofrom: n, list)
    {
#pragma omp atomic
      n = n + list[0];
#pragma omp atomic compare
      list[n] = list[n] < this->n ? this->n : list[n];
#pragma omp atomic
      this->n -= 1;
    }
  }
};
void g() { S s; s.f(); }
"""


def test_members_without_an_object() -> None:
    text = support.compiled(MEMBERS, "t.cpp").kernels[0].body
    assert "rex_atomic_add(&__rex_this->n, __rex_this->list[0]);" in text
    assert "rex_atomic_max(&__rex_this->list[__rex_this->n], __rex_this->n);" in text
    assert "rex_atomic_sub(&__rex_this->n, 1);" in text


def test_other_passes_leave_the_operands_alone() -> None:
    """A load that is read only would be wrapped elsewhere; here its address is taken."""
    text = support.compiled(source("v = p[i];\n    q[i] = p[i] > 0;", "read")).kernels[0].body
    assert "v = rex_atomic_read(&p[i]);" in text and "q[i] = __ldg(&p[i]) > 0;" in text


# ---- refused ---------------------------------------------------------------------------------------------------------

FORM = "omp-atomic-form"
WRONG = [
    ("", "«x = e»;", "one of the operators"),
    ("", "«x = x + e + d»;", "neither operand is the variable that is assigned"),
    ("", "«x = e + d»;", "neither operand is the variable that is assigned"),
    ("", "«x = x && e»;", "one of the operators"),
    ("", "«x = (int)(x + e)»;", "one of the operators"),
    ("", "«x = x < e ? e : x»;", "not a form of 'atomic update': an update has one of the operators"),
    ("", "«f»(p, q, pp, c, k, w, h, e, d, n);", "not a form of 'atomic update'"),
    ("", "«{» x++; x++; }", "not a form of 'atomic update'"),
    ("update", "«if» (x == e) { x = d; }", "not a form of 'atomic update'"),
    ("read", "«x++»;", "not a form of 'atomic read'"),
    ("write", "«x += e»;", "not a form of 'atomic write'"),
    ("capture", "«x++»;", "not a form of 'atomic capture'"),
    ("capture", "«v = x»;", "not a form of 'atomic capture'"),
    ("capture", "{ «v = x»; }", "not a form of 'atomic capture'"),
    ("capture", "«{» v = x; x++; x++; }", "the block has to hold two statements"),
    ("capture", "«{» v = x; p[0]++; }", "one statement has to copy the variable that the other one changes"),
    ("capture", "{ v = x; «x = v + 1»; }", "must not use the variable that is captured into"),
    ("capture", "{ v = x; «x = p[x]»; }", "the new value must not use the variable that is assigned"),
    ("capture", "{ v = x; «x = x * e + d»; }", "neither operand"),
    ("compare", "if («x <= e») { x = e; }", "the comparison has to be '==', '<' or '>'"),
    ("compare", "if («x != e») { x = d; }", "the comparison has to be '==', '<' or '>'"),
    ("compare", "if (x < e) «x = d»;", "the value that is assigned has to be the one that is compared"),
    ("compare", "if («e == d») { x = d; }", "the comparison has to be with the variable that is assigned"),
    ("compare", "if (x == e) { x = d; } else «{» v = x; }", "there must be no 'else' here"),
    ("compare capture", "{ v = x; if (x == e) { x = d; } else «{» v++; } }", "there must be no 'else' here"),
    ("compare", "if (x == e) «{» x++; }", "not a form of 'atomic compare'"),
    ("compare", "«x = x < e ? x : e»;", "the last operand has to be the variable that is assigned"),
    ("compare", "«x++»;", "not a form of 'atomic compare'"),
    ("compare capture", "«if» (x == e) { x = d; }", "nothing is captured"),
    ("compare capture", "if («x < e») { x = e; } else { v = x; }", "the comparison has to be '=='"),
    ("compare capture", "if (x == e) { x = d; } else «{» v = r; }", "'else' has to capture the variable"),
    ("compare capture", "{ r = x == e; if («v») { x = d; } }", "the variable that got the result"),
    ("compare capture", "«v = x < e ? e : x»;", "not a form of 'atomic compare capture'"),
    ("compare capture", "«v = x++»;", "not a form of 'atomic compare capture'"),
]


@pytest.mark.parametrize(("clauses", "statement", "message"), WRONG)
def test_other_forms_are_refused(clauses: str, statement: str, message: str) -> None:
    found = expect_error(source(statement, clauses), FORM, message)
    assert bool(found.notes) != ("macro" in message)


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ("read", "expected v = x"),
        ("write", "expected x = e"),
        ("update", "expected x++, ++x, x--, --x, x binop= e, x = x binop e or x = e binop x"),
        ("compare", "expected if (x == e) { x = d; }, if (x < e) { x = e; }"),
        ("capture", "expected v = u, { v = x; u; }, { u; v = x; } or { v = x; x = e; }, where u is one of x++"),
        ("compare capture", "{ r = x == e; if (r) { x = d; } else { v = x; } }, where c is one of if (x == e)"),
    ],
)
def test_an_error_says_which_forms_there_are(clauses: str, expected: str) -> None:
    assert expected in support.only_error(source("f(p, q, pp, c, k, w, h, e, d, n);", clauses)).notes[0].message


@pytest.mark.parametrize(
    ("clauses", "statement"),
    [
        ("", "x = x < e ? e : x;"),
        ("update", "if (x == e) { x = d; }"),
        ("capture", "{ v = x; x = x < e ? e : x; }"),
        ("capture", "{ v = x; if (x > e) { x = e; } }"),
    ],
)
def test_an_error_names_compare_where_a_condition_decides(clauses: str, statement: str) -> None:
    notes = support.only_error(source(statement, clauses)).notes
    assert "a change that depends on a condition needs 'compare'" in notes[1].message


OPERANDS = [
    ("", "«c->bits» += 1;", "omp-atomic-operand", "a bit-field has no address of its own"),
    ("compare capture", "if (x == e) { x = d; } else { «c->bits» = x; }", "unsupported-clause", "is a bit-field"),
    ("write", "«*c» = c[1];", "omp-atomic-operand", "its type 'Cell' is not a scalar one"),
    ("", "«*w» += 1;", "unsupported-type", "a device has no 'long double'"),
    ("", "«k->n»++;", "unsupported-type", "a member of a packed structure"),
]


@pytest.mark.parametrize(("clauses", "statement", "code", "message"), OPERANDS)
def test_what_cannot_be_changed_atomically_is_refused(clauses: str, statement: str, code: str, message: str) -> None:
    expect_error(source(statement, clauses), code, message)


def test_classes_have_no_atomics() -> None:
    text = "struct V { V &operator+=(int) { return *this; } };\nvoid f(V *v) {\n#pragma omp target map(v[0:1])\n"
    expect_error(f"{text}{{\n#pragma omp atomic\n  «*v += 1»;\n}}\n}}\n", FORM, "'atomic update'", "t.cpp")


FIT, NEEDED = "omp-atomic-clause", "omp-missing-clause"
CLAUSES = [
    ("«weak»", "x++;", NEEDED, "'weak' needs the clause 'compare'"),
    ("capture «fail(relaxed)»", "v = x++;", NEEDED, "'fail' needs the clause 'compare'"),
    ("compare «weak»", "if (x < e) { x = e; }", FIT, "'weak' needs a comparison with '=='"),
    ("read «release»", "v = x;", FIT, "'release' makes no sense on 'atomic read'"),
    ("write «acquire»", "x = v;", FIT, "'acquire' makes no sense on 'atomic write'"),
]


@pytest.mark.parametrize(("clauses", "statement", "code", "message"), CLAUSES)
def test_clauses_that_do_not_fit_are_refused(clauses: str, statement: str, code: str, message: str) -> None:
    expect_error(source(statement, clauses), code, message)


@pytest.mark.parametrize(
    ("name", "before", "read"),
    [
        ("t.cpp", "struct S { int a, b; } s; int S::*m = &S::b;", "s.*m"),
        ("t.cpp", "struct S { int a, b; } s; int S::*m = &S::b; S *q = &s;", "q->*m"),
        ("t.cpp", "int s;", "++s"),
        ("t.c", "double _Complex s;", "__real__ s"),
        ("t.c", "int s[3];", "*(s + 1)"),
    ],
)
def test_a_read_of_any_variable_or_part_of_one(name: str, before: str, read: str) -> None:
    body = f"#pragma omp target map(v)\n{{\n#pragma omp atomic read\nv = {read};\n}}\nreturn v;\n"
    found = support.translate_text(f"int f(void) {{\n{before} int v = 0;\n{body}}}\n", name, architectures=())
    assert not found.diagnostics
    assert found.device is not None and "rex_atomic_read(" in found.device.text
