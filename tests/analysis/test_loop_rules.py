"""The canonical loop model: what is accepted and how it is read; every rule that a loop can break."""

from __future__ import annotations

import pytest
from analysis_tools import loop_problem, nest

from support import translate_text

HEAD = "#pragma omp target parallel for\n"


def program(loop: str, directive: str = HEAD) -> str:
    return (
        f"void f(int n, int *p, unsigned u, long long big, int step) {{\n"
        f"  int i, j, a[100]; double x;\n{directive}{loop}\n}}\n"
    )


ACCEPTED = {
    "for (int i = 0; i < n; i++) ;": ("i", True, "0", "<", "n", "1", True),
    "for (int i = 0; i <= n; ++i) ;": ("i", True, "0", "<=", "n", "1", True),
    "for (int i = n; i > 0; i--) ;": ("i", True, "n", ">", "0", "1", False),
    "for (int i = n; i >= 0; --i) ;": ("i", True, "n", ">=", "0", "1", False),
    "for (int i = 0; i != n; i++) ;": ("i", True, "0", "<", "n", "1", True),
    "for (int i = n; i != 0; i--) ;": ("i", True, "n", ">", "0", "1", False),
    "for (int i = 0; n > i; i++) ;": ("i", True, "0", "<", "n", "1", True),
    "for (int i = 0; n >= i; i++) ;": ("i", True, "0", "<=", "n", "1", True),
    "for (int i = n; 0 < i; i--) ;": ("i", True, "n", ">", "0", "1", False),
    "for (int i = n; 0 <= i; i--) ;": ("i", True, "n", ">=", "0", "1", False),
    "for (int i = 0; n != i; i++) ;": ("i", True, "0", "<", "n", "1", True),
    "for (int i = 0; i < n; i += 3) ;": ("i", True, "0", "<", "n", "3", True),
    "for (int i = n; i > 0; i -= 3) ;": ("i", True, "n", ">", "0", "3", False),
    "for (int i = n; i > 0; i += -3) ;": ("i", True, "n", ">", "0", "3", False),
    "for (int i = 0; i < n; i -= -3) ;": ("i", True, "0", "<", "n", "3", True),
    "for (int i = 0; i < n; i += step) ;": ("i", True, "0", "<", "n", "step", True),
    "for (int i = 0; i < n; i += step + 1) ;": ("i", True, "0", "<", "n", "(step + 1)", True),
    "for (int i = 0; i < n; i = i + 2) ;": ("i", True, "0", "<", "n", "2", True),
    "for (int i = 0; i < n; i = 2 + i) ;": ("i", True, "0", "<", "n", "2", True),
    "for (int i = n; i > 0; i = i - 2) ;": ("i", True, "n", ">", "0", "2", False),
    "for (i = 5; i < n; i++) ;": ("i", False, "5", "<", "n", "1", True),
    "for ((i) = 5; (i) < (n); (i)++) ;": ("i", False, "5", "<", "(n)", "1", True),
    "for (int i = 2 * n - 1; i < a[3] + n; i++) ;": ("i", True, "2 * n - 1", "<", "a[3] + n", "1", True),
    "for (int i = (int)x; i < (int)(x * 2); i++) ;": ("i", True, "(int)x", "<", "(int)(x * 2)", "1", True),
    "for (unsigned i = 0; i < u; i++) ;": ("i", True, "0", "<", "u", "1", True),
    "for (long long i = big; i >= 0; i -= 4) ;": ("i", True, "big", ">=", "0", "4", False),
    "for (int *q = p; q < p + n; q++) ;": ("q", True, "p", "<", "p + n", "1", True),
    "for (int *q = p + n; q != p; --q) ;": ("q", True, "p + n", ">", "p", "1", False),
    "{ for (int i = 0; i < n; i++) ; }": ("i", True, "0", "<", "n", "1", True),
    "for (int i = 0; i < n; i++) { if (i) continue; for (;;) break; switch (n) { case 1: break; } }": (
        "i",
        True,
        "0",
        "<",
        "n",
        "1",
        True,
    ),
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_forms_that_are_canonical(text: str) -> None:
    unit, (loop,) = nest(program(text))
    read = (
        loop.name,
        loop.declares,
        unit.user_text(loop.lower),
        loop.relation,
        unit.user_text(loop.bound),
        loop.step.text,
        loop.increasing,
    )
    assert read == ACCEPTED[text]


LITERALS = {
    "for (int i = 3; i < 020; i += 010) ;": (3, 16, 8),
    "for (int i = 9; i > 0; i += -2) ;": (9, 0, 2),
    "for (int i = n; i < (4); i++) ;": (None, None, 1),
    "for (int i = 0; i < 4 * n; i += n) ;": (0, None, None),
}


@pytest.mark.parametrize("text", LITERALS)
def test_literals_in_a_header(text: str) -> None:
    _, (loop,) = nest(program(text))
    assert (loop.lower_value, loop.bound_value, loop.step.value) == LITERALS[text]


def test_types_of_the_index() -> None:
    for text, integer, pointer, wide in (
        ("for (char i = 0; i < 9; i++) ;", True, False, False),
        ("for (unsigned i = 0; i < u; i++) ;", True, False, False),
        ("for (long i = 0; i < 9; i++) ;", True, False, True),
        ("for (unsigned long long i = 0; i < 9; i++) ;", True, False, True),
        ("for (int *q = p; q < p + 9; q++) ;", False, True, True),
    ):
        _, (loop,) = nest(program(text))
        assert (loop.is_integer, loop.is_pointer, loop.is_wide) == (integer, pointer, wide), text


NOT = "not a canonical loop: "
REFUSED = {
    "«while» (n--) ;": "must be a for loop",
    "«n++»;": "must be a for loop",
    "«for (;;)» ;": NOT + "it needs an initialisation, a test, an increment and a body",
    "«for» (int i = 0; i < n;) i++;": NOT + "it needs an initialisation, a test, an increment and a body",
    "for («int i = 0, k = 1»; i < n; i++) ;": NOT + "the initialisation must declare exactly one variable",
    "for («int i»; i < n; i++) ;": NOT + "'i' has no first value",
    "for («i = 0, j = 0»; i < n; i++) ;": NOT + "the initialisation must give one variable its first value",
    "for («a[0] = 0»; a[0] < n; a[0]++) ;": NOT + "the initialisation must give one variable its first value",
    "for (int i = 0; «n»; i++) ;": NOT + "the test must compare the loop variable with a bound",
    "for (int i = 0; «i == n»; i++) ;": NOT + "the test must compare the loop variable with a bound",
    "for (int i = 0; «i < n && p»; i++) ;": NOT + "the test must compare the loop variable with a bound",
    "for (int i = 0; «j < n»; i++) ;": NOT + "the test must compare 'i' itself",
    "for (int i = 0; «i * 2 < n»; i++) ;": NOT + "the test must compare 'i' itself",
    "for (int i = 0; i < n; «j++») ;": NOT + "the increment must add a constant amount to 'i'",
    "for (int i = 0; i < n; «i *= 2») ;": NOT + "the increment must add a constant amount to 'i'",
    "for (int i = 0; i < n; «i <<= 1») ;": NOT + "the increment must add a constant amount to 'i'",
    "for (int i = 0; i < n; «i++, j++») ;": NOT + "the increment must add a constant amount to 'i'",
    "for (int i = 0; i < n; i = «2 * i») ;": NOT + "the increment must have the form i = i + step",
    "for (int i = 0; i < n; i = «5 - i») ;": NOT + "the increment must have the form i = i + step",
    "for (int i = 0; i < n; i = «j + 1») ;": NOT + "the increment must have the form i = i + step",
    "for (int i = 0; «i < n»; i--) ;": NOT + "test and increment go in opposite directions",
    "for (int i = n; «i > 0»; i++) ;": NOT + "test and increment go in opposite directions",
    "for (int i = 0; i < n; i++) { if (i) «break»; }": NOT + "'break' leaves the loop early",
    "for (int i = 0; i < n; i++) { for (;;) { «return»; } }": NOT + "'return' leaves the loop early",
    "for (int i = 0; i < n; i++) { «i»++; }": NOT + "the body changes the loop variable 'i'",
    "for (int i = 0; i < n; i++) { a[0] = («i» = 3); }": NOT + "the body changes the loop variable 'i'",
    "for (int i = 0; i < n; i++) { «i» += 2; }": NOT + "the body changes the loop variable 'i'",
}


@pytest.mark.parametrize("text", REFUSED)
def test_rules_that_a_loop_can_break(text: str) -> None:
    message, _ = loop_problem(program(text))
    assert REFUSED[text] in message


def test_nests() -> None:
    text = (
        "for (int i = 0; i < n; i++) {\n  for (int k = n; k > 2; k -= 2)\n    for (j = 0; j <= 9; j++) a[j] = i + k; }"
    )
    unit, found = nest(program(text), depth=3)
    assert [(loop.name, loop.relation, loop.step.text) for loop in found] == [
        ("i", "<", "1"),
        ("k", ">", "2"),
        ("j", "<=", "1"),
    ]
    assert unit.user_text(found[2].body) == "a[j] = i + k"


NESTS = {
    "for (int i = 0; i < n; i++) «a[i] = 0»;": "loop 2 is not a for loop here",
    "for (int i = 0; i < n; i++) «{ a[i] = 0; while (j--) ; }»": "loop 2 is not a for loop here",
    "for (int i = 0; i < n; i++) «{ a[i] = 0; if (n) for (j = 0; j < n; j++) ; }»": "loop 2 is not a for loop here",
    "for (int i = 0; i < n; i++) { for (j = 0; j < n; j++) ; «for» (j = 0; j < n; j++) ; }": "this is another one",
    "for (int i = 0; i < n; i++) { { «j» = 1; } for (j = 0; j < n; j++) ; }": "between the loops changes the loop",
    "for (int i = 0; i < n; i++) { for (j = 0; j < n; j++) ; «j»++; }": "between the loops changes the loop",
    "for (int i = 0; i < n; i++) { if (i) «break»; for (j = 0; j < n; j++) ; }": "'break' leaves the loop early",
    "for (int i = 0; i < n; i++) «while (j--) ;»": "loop 2 is not a for loop here",
    "for (int i = 0; i < n; i++) for (j = 0; j < n; «j *= 2») ;": "the increment must add",
}


@pytest.mark.parametrize("text", NESTS)
def test_nests_that_cannot_be_collapsed(text: str) -> None:
    message, _ = loop_problem(program(text), depth=2)
    assert NESTS[text] in message


def test_random_access_iterators_and_range_loops() -> None:
    source = """#include <vector>
void f(std::vector<int> &v) {
#pragma omp target parallel for
  for (auto it = v.begin(); it < v.end(); ++it) *it = 1;
}
"""
    unit, (loop,) = nest(source, "t.cpp")
    assert (loop.name, loop.relation, loop.step.text, loop.is_integer, loop.is_pointer) == (
        "it",
        "<",
        "1",
        False,
        False,
    )
    assert unit.user_text(loop.bound) == "v.end()"
    text = source.replace("for (auto it = v.begin(); it < v.end(); ++it)", "«for (int &x : v)»").replace("*it", "x")
    message, _ = loop_problem(text, "t.cpp")
    assert "range-based for loop" in message


ITERATORS = """#include <vector>
typedef std::vector<int>::iterator It;
void f(It b, It e, It j, int step) {
#pragma omp target parallel for
"""
INCREMENTS = {
    "for (It i = b; i < e; i += 2) ;": ("2", True),
    "for (It i = b; i < e; i = i + step) ;": ("step", True),
    "for (It i = b; i < e; i = (i + 2 * step)) ;": ("(2 * step)", True),
    "for (It i = e; i > b; i -= step) ;": ("step", False),
    "for (It i = e; i > b; i = i - 3) ;": ("3", False),
    "for (It i = e; i > b; i--) ;": ("1", False),
}


@pytest.mark.parametrize("text", INCREMENTS)
def test_increments_by_the_operators_of_a_class(text: str) -> None:
    _, (loop,) = nest(f"{ITERATORS}{text}\n}}\n", "t.cpp")
    assert (loop.step.text, loop.increasing) == INCREMENTS[text]


FIRST_VALUES = {
    "for («j = b»; j < e; ++j) ;": NOT + "the initialisation of an iterator must declare it",
    "for (It «i(b, 1)»; i < e; ++i) ;": NOT + "the initialisation must have the form It i = It(…)",
    "for (It «i»; i < e; ++i) ;": NOT + "'i' has no first value",
}


@pytest.mark.parametrize("text", FIRST_VALUES)
def test_first_values_of_a_class_that_cannot_be_read(text: str) -> None:
    source = ITERATORS.replace("typedef std::vector<int>::iterator It;", ITERATOR)
    message, _ = loop_problem(f"{source}{text}\n}}\n", "t.cpp")
    assert FIRST_VALUES[text] in message


ITERATOR = """struct It : std::vector<int>::iterator {
  It(std::vector<int>::iterator at = {}, int skipped = 0) : std::vector<int>::iterator(at + skipped) {}
};"""


@pytest.mark.parametrize("increment", ["«++j»", "«j += 2»", "i = «j + 2»"])
def test_an_increment_of_another_iterator_is_refused(increment: str) -> None:
    message, _ = loop_problem(f"{ITERATORS}for (It i = b; i < e; {increment}) ;\n}}\n", "t.cpp")
    assert "the increment must" in message


def test_a_range_that_its_variable_hides_is_refused() -> None:
    text = "void f(int (&x)[4], int *p) {\n#pragma omp target parallel for\n  for (int x : x) p[x] = 1;\n}\n"
    message, _ = loop_problem(text.replace("for (int x : x)", "«for (int x : x)").replace("= 1;", "= 1;»"), "t.cpp")
    assert "range-based for loop" in message


MADE = """struct range {
  struct it {
    int v;
    int operator*() const { return v; }
    it &operator++() { ++v; return *this; }
    it &operator+=(long n) { v += int(n); return *this; }
    long operator-(const it &o) const { return v - o.v; }
    bool operator!=(const it &o) const { return v != o.v; }
  };
  int a, b;
  range(int x, int y) : a(x), b(y) {}
  it begin() const { return {a}; }
  it end() const { return {b}; }
};
struct S { int n; double x; int count() { return n++; } virtual int last() { return 9; } };
static void take(S *s) { s->n = 1; }
void f(int (&row)[4], const int *fixed, S *s, double *d, int *p, int (*of)()) {
#pragma omp target parallel for
"""
OF_MEMORY = {
    "for (auto i : range(row[0], row[1])) d[i] += 1;": True,
    "for (auto i : range(fixed[0], 4)) p[i] += 1;": True,
    "for (auto i : range(s->n, 4)) s->x += i;": True,
    "for (auto i : range(row[0], 4)) row[3] = i;": False,
    "for (auto i : range(row[0], 4)) p[i] = i;": False,
    "for (auto i : range(*p, 4)) s->n = i;": False,
    "for (auto i : range(s->n, 4)) take(s), d[i] = i;": False,
    "for (auto i : range(s->count(), 4)) d[i] = i;": False,
    "for (auto i : range(0, s->last())) d[i] = i;": False,
    "for (auto i : range(of(), 4)) d[i] = i;": False,
}


@pytest.mark.parametrize("text", OF_MEMORY)
def test_ranges_made_of_memory_that_the_loop_changes_are_refused(text: str) -> None:
    made = translate_text(f"{MADE}  {text}\n}}\n", "t.cpp")
    messages = [d.message for d in made.diagnostics if d.code == "omp-loop-form"]
    assert (made.device is not None, len(messages)) == ((True, 0) if OF_MEMORY[text] else (False, 1)), messages
    assert OF_MEMORY[text] or "this range-based for loop cannot be shared" in messages[0]
