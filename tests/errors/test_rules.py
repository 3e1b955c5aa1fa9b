"""The rules of OpenMP, one program per rule: the code, and the exact place that it points at.

A mark ``«…»`` is around the characters that the first diagnostic shows; the programs without a mark break no rule.
"""

from __future__ import annotations

import pytest

import support
from rexcc.source.diagnostics import Diagnostic, Severity
from support import marked

HEAD = (
    "int omp_get_thread_num(void);\nint own;\n#pragma omp threadprivate(own)\nextern int open_end[];\n"
    "struct S { int bits : 3; int x; };\nvoid g(void);\n"
    "void f(int n, int *p, double *q) {\n"
    "  int i, j, k, s = 0, a[10], m[4][4];\n  double x = 0;\n  const int fixed = 3;\n  struct S z;\n"
)
FOR = "for (i = 0; i < n; i++)"
NEST = "for (i = 0; i < n; i++) for (j = 0; j < n; j++)"


def diagnostics(text: str, name: str = "t.c") -> list[Diagnostic]:
    return [d for d in support.translate_text(text, name).diagnostics if d.severity is not Severity.REMARK]


def expect(code: str, message: str, source: str, severity: Severity = Severity.ERROR, name: str = "t.c") -> Diagnostic:
    """Insist on just one finding, at the marked characters."""
    text, line, column, token = marked(source)
    found = diagnostics(text, name)
    assert [d.code for d in found] == [code], "\n".join(d.message for d in found)
    (one,) = found
    assert one.severity is severity
    assert message in one.message, one.message
    assert one.span is not None and (one.span.line, one.span.column) == (line, column), one.span
    assert one.span.text == token
    return one


def program(text: str) -> str:
    return f"{HEAD}{text}\n}}\n"


def apart(outer: str, inner: str, loop: str = "") -> str:
    """Return a construct in another one, in a parallel region of the host."""
    return f"#pragma omp parallel\n{{\n#pragma omp {outer}\n{loop}{{\n#pragma omp {inner}\n}}\n}}"


NOT_ALL = "not all threads of the team arrive here"
NESTING = {
    "barrier in single": ("must not stand in 'single': " + NOT_ALL, apart("single", "«barrier»")),
    "barrier in for": (NOT_ALL, apart("for", "«barrier»", FOR)),
    "barrier in masked": ("'masked'", apart("masked", "«barrier»")),
    "barrier in critical": ("'critical'", apart("critical", "«barrier»")),
    "barrier in a task": ("'task'", apart("task", "«barrier»")),
    "barrier in taskloop": ("'taskloop'", apart("taskloop", "«barrier»", FOR)),
    "single in for": (NOT_ALL, apart("for", "«single»\n;", FOR)),
    "for in a section": (
        "'section'",
        f"#pragma omp parallel sections\n{{\n#pragma omp section\n{{\n#pragma omp «for»\n{FOR} g();\n}}\n}}",
    ),
    "scope in single": (NOT_ALL, apart("single", "«scope»\n;")),
    "masked in a task": ("the thread that it asks for", apart("task", "«masked»\n;")),
    "critical in simd": ("must not stand in 'simd'", f"#pragma omp simd\n{FOR} {{\n#pragma omp «critical»\ng();\n}}"),
    "ordered in simd": ("needs the clause 'simd'", f"#pragma omp simd\n{FOR} {{\n#pragma omp «ordered»\ns++;\n}}"),
    "ordered without ordered": (
        "add 'ordered' to it",
        f"#pragma omp parallel for\n{FOR} {{\n#pragma omp «ordered»\ng();\n}}",
    ),
    "ordered in parallel": (
        "in a loop with the clause 'ordered'",
        "#pragma omp parallel\n{\n#pragma omp «ordered»\ng();\n}",
    ),
    "ordered in critical": (
        "'critical'",
        f"#pragma omp parallel for ordered\n{FOR} {{\n#pragma omp critical\n{{\n#pragma omp «ordered»\ng();\n}}\n}}",
    ),
    "doacross without a number": (
        "'ordered(n)'",
        f"#pragma omp parallel for ordered\n{FOR} {{\n#pragma omp «ordered depend(sink : i - 1)»\n}}",
    ),
    "a statement with a number": (
        "'ordered' without a number",
        f"#pragma omp parallel for ordered(1)\n{FOR} {{\n#pragma omp «ordered»\ng();\n}}",
    ),
    "section alone": ("must stand directly in 'sections'", "#pragma omp «section»\ng();"),
    "section in parallel": ("not in 'parallel'", "#pragma omp parallel\n{\n#pragma omp «section»\ng();\n}"),
    "scan alone": ("in a worksharing or simd loop", f"{FOR} {{\n#pragma omp «scan inclusive(s)»\n}}"),
    "scan without inscan": (
        "modifier 'inscan'",
        f"#pragma omp simd reduction(+ : s)\n{FOR} {{\ns++;\n#pragma omp «scan inclusive(s)»\na[i] = s;\n}}",
    ),
    "teams in parallel": ("in 'target', not in 'parallel'", "#pragma omp parallel\n{\n#pragma omp «teams»\ng();\n}"),
    "teams in target data": ("not in 'target data'", "#pragma omp target data map(a)\n{\n#pragma omp «teams»\ng();\n}"),
    "teams among statements": (
        "must be the only statement",
        "#pragma omp target\n{\ns++;\n#pragma omp «teams»\na[0]++;\n}",
    ),
    "distribute in parallel": ("in 'teams'", f"#pragma omp parallel\n{{\n#pragma omp «distribute»\n{FOR} g();\n}}"),
    "critical in teams": ("may stand directly in a teams", "#pragma omp teams\n{\n#pragma omp «critical»\ng();\n}"),
    "task in teams": ("may stand directly in a teams", "#pragma omp teams\n{\n#pragma omp «task»\ng();\n}"),
    "loop of teams in parallel": (
        "binds to teams",
        f"#pragma omp parallel\n{{\n#pragma omp «loop bind(teams)»\n{FOR} g();\n}}",
    ),
    "cancel alone": ("in the 'for' construct that it cancels", "#pragma omp «cancel for»"),
    "cancel parallel in for": ("not in 'for'", apart("for", "«cancel parallel»", FOR)),
    "cancel taskgroup in parallel": ("in a task", "#pragma omp parallel\n{\n#pragma omp «cancel taskgroup»\n}"),
    "cancel of a nowait loop": ("with 'nowait'", apart("for nowait", "«cancel for»", FOR)),
    "cancel of an ordered loop": ("with 'ordered'", apart("for ordered", "«cancel for»", FOR)),
    "cancellation point": (
        "not in 'section'",
        apart("sections", "section\n{\n#pragma omp «cancellation point for»\n}"),
    ),
    "a critical in itself": (
        "of the same name",
        "#pragma omp critical(lock)\n{\n#pragma omp «critical(lock)»\ng();\n}",
    ),
    "critical in any order": (
        "'order(concurrent)'",
        f"#pragma omp parallel for order(concurrent)\n{FOR} {{\n#pragma omp «critical»\ng();\n}}",
    ),
}


@pytest.mark.parametrize("name", NESTING)
def test_what_must_not_stand_in_what(name: str) -> None:
    message, text = NESTING[name]
    expect("omp-nesting", message, program(text))


NESTED = {
    "for in scope": apart("scope", f"for\n{FOR} g();"),
    "barrier in taskgroup": "#pragma omp parallel\n#pragma omp taskgroup\n{\n#pragma omp barrier\n}",
    "masked in masked": apart("masked", "masked\ng();"),
    "alone": "#pragma omp barrier\n#pragma omp ordered\ng();",
    "distribute alone": f"#pragma omp distribute\n{FOR} g();",
    "ordered": f"#pragma omp parallel for ordered\n{FOR} {{\n#pragma omp ordered\ng();\n}}",
    "ordered simd": f"#pragma omp simd\n{FOR} {{\n#pragma omp ordered simd\ns++;\n}}",
    "loops in simd": f"#pragma omp simd\n{FOR} {{\n#pragma omp loop bind(thread)\nfor (j = 0; j < n; j++) g();\n}}",
    "atomic in teams": "#pragma omp teams\n{\n#pragma omp atomic\ns++;\n}",
    "other critical": "#pragma omp critical(lock)\n{\n#pragma omp critical(other)\ng();\n}",
    "parallel in distribute": f"#pragma omp teams distribute\n{FOR} {{\n#pragma omp parallel\ng();\n}}",
    "cancel": f"#pragma omp parallel for\n{FOR} {{\n#pragma omp cancel for\n#pragma omp cancellation point for\n}}",
    "taskwait in single": apart("single", "taskwait"),
    "a metadirective in between": "#pragma omp target\n{\n#pragma omp metadirective default(teams)\n"
    f"#pragma omp distribute\n{FOR} a[0] = 1;\n}}",
}


@pytest.mark.parametrize("name", NESTED)
def test_what_may_stand_in_what(name: str) -> None:
    assert "omp-nesting" not in [d.code for d in diagnostics(program(NESTED[name]))]


ITEMS = {
    "a function that is mapped": (
        "omp-list-item-type",
        "'g' is a function, which has no storage",
        "#pragma omp target map(«g»)\n{}",
    ),
    "a function that is moved": (
        "omp-list-item-type",
        "'g' is a function",
        "#pragma omp target update to(«g»)",
    ),
    "a function that is private": ("omp-list-item-type", "'g' is a function", "#pragma omp target private(«g»)\n{}"),
    "a bound with a fraction": (
        "omp-section-bounds",
        "'x' is a floating-point number",
        "#pragma omp target map(p[0 : «x»])\np[0] = 1;",
    ),
    "an atomic read of a sum": (
        "omp-atomic-form",
        "what is read has to be a variable",
        "#pragma omp target map(a)\n{\n#pragma omp atomic read\n«s = n + 1»;\na[0] = s;\n}",
    ),
    "a structure as a pointer": (
        "omp-list-item-type",
        "'use_device_ptr' is for pointers",
        "#pragma omp target data map(s) use_device_ptr(«z»)\n{}",
    ),
    "taking part twice": (
        "omp-data-sharing",
        "'n' is in 'in_reduction'",
        "#pragma omp target in_reduction(+ : n, «n»)\n{ n++; }",
    ),
    "taking part in no reduction": (
        "omp-unknown-reduction",
        "no reduction 'foo' is declared for 'n' of type 'int'",
        "#pragma omp target in_reduction(foo : «n»)\n{ n++; }",
    ),
    "a chunk with a fraction": (
        "omp-clause-value",
        "the chunk size must be an integer",
        f"#pragma omp target teams distribute dist_schedule(static, «1.5»)\n{FOR} a[i] = 1;",
    ),
    "a linear step with a fraction": (
        "omp-clause-value",
        "a linear step must be an integer",
        "#pragma omp target simd linear(n : «x»)\nfor (i = 0; i < 4; i++) a[i] = n;",
    ),
    "a hint of the run": (
        "omp-clause-value",
        "'hint' needs an integer constant",
        "#pragma omp target\n{\n#pragma omp atomic hint(«n»)\ns++;\n}",
    ),
    "other hints": (
        "omp-clause-conflict",
        "all 'critical (x)' have the same hint; it is 0 here and 1 elsewhere",
        "#pragma omp target\n{\n#pragma omp critical(x) hint(1)\ns++;\n#pragma omp «critical(x)»\ns++;\n}",
    ),
    "private and given to others": (
        "omp-data-sharing",
        "'n' is in 'copyprivate' and in 'private'",
        "#pragma omp target parallel\n{\n#pragma omp single private(n) copyprivate(«n»)\ns++;\n}",
    ),
    "loops that only 'ordered' counts": (
        "omp-loop-form",
        "'ordered' needs 2 nested loops, and here is 1",
        f"#pragma omp target parallel\n{{\n#pragma omp for «ordered(2)»\n{FOR} a[i] = 1;\n}}",
    ),
    "zero threads": ("omp-clause-value", "is 0 here", "#pragma omp parallel num_threads(«0»)\ng();"),
    "zero iterations": ("omp-clause-value", "'grainsize'", f"#pragma omp taskloop grainsize(«1 - 1»)\n{FOR} g();"),
    "zero loops": ("omp-clause-value", "the number of loops", f"#pragma omp parallel for ordered(«0»)\n{FOR} g();"),
    "zero tiles": ("omp-clause-value", "the size of a tile", f"#pragma omp tile sizes(«0»)\n{FOR} g();"),
    "negative priority": ("omp-clause-value", "a priority", "#pragma omp task priority(«-1»)\ng();"),
    "negative device": ("omp-clause-value", "a device number", "#pragma omp target update to(s) device(«-2»)\n"),
    "a device with a fraction": ("omp-clause-value", "a floating-point", "#pragma omp target device(«x»)\ns++;"),
    "pointers for teams": ("omp-clause-value", "'p' is a pointer", "#pragma omp target teams num_teams(«p»)\ns++;"),
    "reading all memory": ("omp-bad-list-item", "not 'in'", "#pragma omp target depend(in : «omp_all_memory»)\ns++;"),
    "no object": ("omp-list-item-type", "'omp_depend_t'", "#pragma omp target depend(depobj : «s»)\ns++;"),
    "dependent ranges": (
        "omp-bad-iterator",
        "iterator 'v' must not depend on iterator 'u'",
        "#pragma omp target update to(s) depend(iterator(u = 0 : n, v = «2 * u» : n), in : p[v])\n",
    ),
    "negative alignment": ("omp-clause-value", "power of two", f"#pragma omp simd aligned(p : «-8»)\n{FOR} g();"),
    "variable length": ("omp-clause-value", "'n' is a variable", f"#pragma omp simd safelen(«n»)\n{FOR} g();"),
    "variable collapse": ("omp-collapse", "constant", f"#pragma omp parallel for collapse(«n»)\n{FOR} g();"),
    "lengths": ("omp-clause-conflict", "8 lanes", f"#pragma omp simd safelen(4) «simdlen(8)»\n{FOR} g();"),
    "depths": ("omp-clause-conflict", "1 loops", f"#pragma omp parallel for collapse(2) «ordered(1)»\n{NEST} g();"),
    "bounds of teams": ("omp-clause-conflict", "at least 5", "#pragma omp teams num_teams(«5» : 3)\ng();"),
    "linear in order": (
        "omp-clause-conflict",
        "'linear'",
        f"#pragma omp parallel for ordered(1) «linear(s)»\n{FOR} g();",
    ),
    "both monotonic": (
        "omp-clause-conflict",
        "or 'nonmonotonic'",
        f"#pragma omp parallel for schedule(monotonic, «nonmonotonic» : dynamic)\n{FOR} g();",
    ),
    "order lost": (
        "omp-clause-conflict",
        "contradicts 'ordered'",
        f"#pragma omp parallel for schedule(«nonmonotonic» : dynamic) ordered\n{FOR} g();",
    ),
    "half a scan": (
        "omp-clause-conflict",
        "all reductions",
        f"#pragma omp simd reduction(inscan, + : s) «reduction(+ : x)»\n{FOR} {{\n#pragma omp scan inclusive(s)\n;\n}}",
    ),
    "a call in any order": (
        "omp-concurrent-call",
        "'omp_get_thread_num'",
        f"#pragma omp parallel for order(concurrent)\n{FOR} a[i] = «omp_get_thread_num()»;",
    ),
    "private const": ("omp-const-item", "firstprivate keeps", "#pragma omp parallel private(«fixed»)\ng();"),
    "reduced const": ("omp-const-item", "'reduction'", "#pragma omp parallel reduction(+ : s, «fixed»)\ng();"),
    "shared own": ("omp-threadprivate", "'own' is threadprivate", "#pragma omp parallel shared(«own»)\ng();"),
    "copyin of another": ("omp-threadprivate", "'s' is none", "#pragma omp parallel copyin(«s»)\ng();"),
    "own index": (
        "omp-threadprivate",
        "the loop variable",
        "#pragma omp parallel for\nfor («own = 0»; own < n; own++) g();",
    ),
    "shared index": ("omp-loop-variable", "it is private", f"#pragma omp parallel for shared(«i»)\n{FOR} g();"),
    "index with a value": (
        "omp-loop-variable",
        "gives it",
        f"#pragma omp parallel for firstprivate(s, «i»)\n{FOR} g();",
    ),
    "reduced index": ("omp-loop-variable", "assigns it", f"#pragma omp parallel for reduction(+ : «i»)\n{FOR} g();"),
    "update of threadprivate": ("omp-threadprivate", "in 'to'", "#pragma omp target update to(«own»)"),
    "use_device_addr of threadprivate": (
        "omp-threadprivate",
        "in 'use_device_addr'",
        "#pragma omp target data use_device_addr(«own»)\n;",
    ),
    "map of threadprivate": ("omp-threadprivate", "in 'map'", "#pragma omp target map(«own»)\n;"),
    "device pointer, private": (
        "omp-data-sharing",
        "is_device_ptr",
        "#pragma omp target is_device_ptr(p) private(«p»)\np = 0;",
    ),
    "device pointer, first-private": (
        "omp-data-sharing",
        "is_device_ptr",
        "#pragma omp target firstprivate(«p») is_device_ptr(p)\n*p = 0;",
    ),
    "section behind a device pointer": (
        "omp-mapped-private",
        "memory of the device",
        "#pragma omp target map(«p[0:n]») is_device_ptr(p)\n*p = 0;",
    ),
    "two forms of if": (
        "omp-exclusive-clauses",
        "without the name",
        "#pragma omp target enter data map(to: a) if(target enter data: n) «if(n)»",
    ),
    "if first, then by name": (
        "omp-exclusive-clauses",
        "without the name",
        "#pragma omp target parallel «if(n)» if(parallel: n)\n;",
    ),
    "linear on distribute simd": (
        "omp-loop-variable",
        "only that can be linear",
        f"#pragma omp target teams distribute simd linear(«s»)\n{FOR} ;",
    ),
    "loop bound to parallel in loop": (
        "omp-nesting",
        "binds to parallel",
        f"#pragma omp target teams loop\n{FOR} {{\n#pragma omp «loop bind(parallel)»\nfor (j = 0; j < 9; j++) ; }}",
    ),
    "loop bound to parallel in single": (
        "omp-nesting",
        "binds to parallel",
        f"#pragma omp parallel\n#pragma omp single\n#pragma omp «loop bind(parallel)»\n{FOR} ;",
    ),
    "linear index": ("omp-loop-variable", "'linear'", f"#pragma omp parallel for linear(«i»)\n{FOR} g();"),
    "last value of no index": (
        "omp-loop-variable",
        "'for' and 'distribute' do",
        f"#pragma omp parallel\n#pragma omp loop bind(parallel) lastprivate(i, «s»)\n{FOR} g();",
    ),
    "last value of a combined loop": (
        "omp-loop-variable",
        "'for' and 'distribute' do",
        f"#pragma omp target teams loop lastprivate(«s»)\n{FOR} s = i;",
    ),
    "inner index": (
        "omp-loop-variable",
        "'j' is the variable",
        f"#pragma omp parallel for collapse(2) shared(«j»)\n{NEST} g();",
    ),
    "linear floating": ("omp-list-item-type", "type 'double'", f"#pragma omp simd linear(«x»)\n{FOR} g();"),
    "aligned number": ("omp-list-item-type", "pointers and arrays", f"#pragma omp simd aligned(«s» : 8)\n{FOR} g();"),
    "use_device_ptr": (
        "omp-list-item-type",
        "'use_device_ptr' is for pointers",
        "#pragma omp target data map(s) use_device_ptr(«s»)\ng();",
    ),
    "bits": ("omp-list-item-type", "a bit-field", "#pragma omp target map(to : «z.bits»)\ns = 1;"),
    "no size": ("omp-list-item-type", "incomplete", "#pragma omp target map(to : «open_end»)\ns = 1;"),
    "mapped and private": (
        "omp-mapped-private",
        "mapped and in 'firstprivate'",
        "#pragma omp target firstprivate(s) map(from : «s»)\ns = 1;",
    ),
    "private already": (
        "omp-private-original",
        "has to be shared",
        f"#pragma omp parallel private(s)\n#pragma omp for reduction(+ : «s»)\n{FOR} s++;",
    ),
    "declared inside": (
        "omp-private-original",
        "has to be shared",
        f"#pragma omp parallel\n{{ int t = 0;\n#pragma omp for lastprivate(«t»)\n{FOR} t = i;\n}}",
    ),
    "two clauses": ("omp-data-sharing", "'s' is in 'shared'", "#pragma omp parallel private(s) shared(«s»)\ng();"),
    "twice linear": ("omp-data-sharing", "'linear'", f"#pragma omp simd linear(s) linear(«s»)\n{FOR} g();"),
    "twice in one clause": ("omp-data-sharing", "'reduction'", "#pragma omp parallel reduction(+ : s, «s»)\ng();"),
    "first and last of teams": (
        "omp-data-sharing",
        "in 'lastprivate' and in 'firstprivate'",
        f"#pragma omp target teams distribute firstprivate(s) lastprivate(«s»)\n{FOR} s = i;",
    ),
    "scanned by no loop": (
        "omp-clause-conflict",
        "'parallel' is none",
        "#pragma omp parallel reduction(«inscan», + : s)\ns++;",
    ),
    "tasks of lanes": (
        "omp-clause-conflict",
        "not for 'simd'",
        f"#pragma omp simd reduction(«task», + : s)\n{FOR} s++;",
    ),
    "a hint for nothing": ("omp-clause-conflict", "needs a name", "#pragma omp critical «hint(1)»\ng();"),
    "waiting for nothing": ("omp-clause-conflict", "without 'depend'", "#pragma omp taskwait «nowait»\n"),
    "aligned twice": ("omp-repeated-item", "in 'aligned'", f"#pragma omp simd aligned(p) aligned(«p»)\n{FOR} g();"),
    "moved twice": ("omp-repeated-item", "in 'to'", "#pragma omp target update to(s, a, «s»)\n"),
    "allocated nowhere": ("omp-allocate-item", "no clause here", "#pragma omp parallel allocate(«s») shared(s)\ng();"),
    "copied to nobody": (
        "omp-copyprivate",
        "'s' is shared",
        "#pragma omp parallel\n{\n#pragma omp single copyprivate(«s»)\ns = 1;\n}",
    ),
    "no braces": ("omp-sections", "in braces", "#pragma omp parallel sections\n«g()»;"),
    "between sections": (
        "omp-sections",
        "in no section",
        "#pragma omp parallel sections\n{\ng();\n#pragma omp section\ng();\n«g()»;\n}",
    ),
    "no scan": ("omp-scan", "there are 0", f"#pragma omp simd «reduction(inscan, + : s)»\n{FOR} s++;"),
    "a scan of another": (
        "omp-scan",
        "'s' is reduced",
        f"#pragma omp simd reduction(inscan, + : «s», j)\n{FOR} {{\ns++;\n#pragma omp scan inclusive(j)\n;\n}}",
    ),
    "reduced pointer": ("omp-reduction-type", "'int *'", f"#pragma omp parallel for reduction(+ : «p»)\n{FOR} g();"),
    "reduced bits of a number": (
        "omp-reduction-type",
        "'&'",
        f"#pragma omp parallel for reduction(& : «x»)\n{FOR} g();",
    ),
    "reduced struct": (
        "omp-unknown-reduction",
        "'struct S'",
        f"#pragma omp parallel for reduction(+ : «z»)\n{FOR} g();",
    ),
    "negative length": ("omp-section-bounds", "cannot be negative", "#pragma omp target map(a[0 : «-1»])\ns = 1;"),
    "no stride": ("omp-section-bounds", "must be positive", "#pragma omp task depend(in : a[0 : 2 : «0»])\ng();"),
    "too long": ("omp-section-bounds", "ends at element 11 of", "#pragma omp target map(a[1 : «10»])\ns = 1;"),
    "too early": ("omp-section-bounds", "before the array", "#pragma omp target map(a[«-1» : 3])\ns = 1;"),
    "nothing to depend on": (
        "omp-section-bounds",
        "must be positive",
        "#pragma omp task depend(in : a[0 : «0»])\ng();",
    ),
    "stride of a map": (
        "omp-section-stride",
        "only 'target update' moves such sections",
        "#pragma omp target map(to : p[0 : 3 : «2»])\ns = 1;",
    ),
    "stride of the run": (
        "omp-section-stride",
        "only 'target update' moves such sections",
        "#pragma omp target map(to : a[0 : 2 : «s»])\ns = 1;",
    ),
    "gaps": ("omp-section-gaps", "has gaps", "#pragma omp target map(to : «m[0 : 2][1 : 2]»)\ns = 1;"),
}


@pytest.mark.parametrize("name", ITEMS)
def test_what_clauses_must_not_say(name: str) -> None:
    code, message, text = ITEMS[name]
    expect(code, message, program(text))


SAID = {
    "sections of several statements": (
        "#pragma omp target parallel\n{\n#pragma omp sections\n{ s++;\n#pragma omp section\ns++;\ns--;\n}\n}"
    ),
    "first values of constants": "#pragma omp parallel firstprivate(fixed)\ng();",
    "copies of one's own": "#pragma omp parallel copyin(own)\ng();",
    "index": f"#pragma omp parallel for lastprivate(i)\n{FOR} g();",
    "indices of loop": "#pragma omp parallel\n#pragma omp loop bind(parallel) collapse(2) lastprivate(i, j)\n"
    f"{NEST} g();",
    "private device pointers of an inner construct": "#pragma omp target parallel is_device_ptr(p) private(p)\np = 0;",
    "if by name twice": "#pragma omp target parallel if(target: n) if(parallel: n)\n;",
    "linear index on distribute simd": f"#pragma omp target teams distribute simd linear(i)\n{FOR} ;",
    "device pointers beside a map": "#pragma omp target is_device_ptr(p) map(to : q[0:n])\n*p = q[0];",
    "linear index": f"#pragma omp simd linear(i)\n{FOR} g();",
    "a loop variable inside": f"#pragma omp parallel for private(j)\n{NEST} g();",
    "the initial device": "#pragma omp target update to(s) device(-1)\n",
    "private on both": f"#pragma omp parallel private(s)\n#pragma omp parallel for reduction(+ : s)\n{FOR} s++;",
    "before a pointer": "#pragma omp target map(to : p[-1 : 2])\ns = 1;",
    "rows": "#pragma omp target map(to : m[1 : 2][0 : 4])\ns = 1;",
    "part of a row": "#pragma omp target map(to : m[1][1 : 2])\ns = 1;",
    "part of a row as a section": "#pragma omp target map(to : m[1 : 1][1 : 2])\ns = 1;",
    "first and last": f"#pragma omp parallel for firstprivate(s) lastprivate(s)\n{FOR} s = i;",
    "copied to all": "#pragma omp parallel private(s)\n{\n#pragma omp single copyprivate(s, own)\ns = 1;\n}",
    "copied in an orphan": "#pragma omp single copyprivate(s)\ns = 1;",
    "allocated": "#pragma omp parallel allocate(s) private(s)\ng();",
    "a named hint": "#pragma omp critical(lock) hint(1)\ng();",
    "sections": "#pragma omp parallel sections\n{\ng();\n#pragma omp section\n{\ng();\ng();\n}\n}",
    "a scan": f"#pragma omp simd reduction(inscan, + : s)\n{FOR} {{\ns++;\n#pragma omp scan inclusive(s)\ng();\n}}",
    "gaps of an update": "#pragma omp target data map(m)\n{\n#pragma omp target update to(m[0 : 2][1 : 2])\n}",
    "strides of an update": "#pragma omp target update to(a[1 : 5 : 2], p[s : s : s])",
    "a stride of one element": "#pragma omp target map(to : p[2 : 1 : 4])\ns = 1;",
    "a stride that is one": "#pragma omp target map(to : p[2 : 4 : (1)])\ns = 1;",
    "a length that is one": "#pragma omp target map(to : p[2 : (1) : 4])\ns = 1;",
    "private and mapped": "#pragma omp target teams map(s) firstprivate(s)\n{ s = 1; }",
}


@pytest.mark.parametrize("name", SAID)
def test_what_clauses_may_say(name: str) -> None:
    assert [d.message for d in diagnostics(program(SAID[name]))] == []


LOOPS = {
    "no loop": ("must be a for loop", "#pragma omp parallel for\n«while (n--) g()»;"),
    "no initialisation": ("needs an initialisation", "#pragma omp parallel for\n«for (; i < n; i++) g()»;"),
    "two variables": ("exactly one variable", "#pragma omp parallel for\nfor («int b = 0, c = 0;» b < n; b++) g();"),
    "two tests": ("compare the loop variable", "#pragma omp parallel for\nfor (i = 0; «i < n && s»; i++) g();"),
    "another variable": ("compare 'i' itself", "#pragma omp parallel for\nfor (i = 0; «j < n»; i++) g();"),
    "products": ("add a constant amount", "#pragma omp parallel for\nfor (i = 1; i < n; «i *= 2») g();"),
    "backwards": ("opposite directions", "#pragma omp parallel for\nfor (i = 0; «i < n»; i--) g();"),
    "no step": ("a step of 0", "#pragma omp parallel for\nfor (i = 0; i < n; i += «0») g();"),
    "floating": ("floating-point type", "#pragma omp simd\nfor («x» = 0; x < n; x++) g();"),
    "own bound": ("its own variable 'i'", "#pragma omp parallel for\nfor (i = 0; i < n + «i»; i++) g();"),
    "break": ("'break' leaves the loop", f"#pragma omp parallel for\n{FOR} {{ if (i) «break»; }}"),
    "too few": ("here is 1", f"#pragma omp parallel for «collapse(2)»\n{FOR} g();"),
    "squares": (
        "'a * i + b'",
        "#pragma omp parallel for collapse(2)\nfor (i = 0; i < n; i++) for (j = 0; j < i * «i»; j++) g();",
    ),
    "two outer variables": (
        "'a * i + b'",
        "#pragma omp parallel for collapse(3)\n" + NEST + " for (k = i; k < «j»; k++) g();",
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_of_the_host_have_the_form(name: str) -> None:
    message, text = LOOPS[name]
    if name == "two outer variables":
        text = text.replace("k = i; k < «j»", "k = 0; k < i + «j»")
    expect("omp-loop-form", message, program(text))


COUNTED = {
    "backwards": "#pragma omp parallel for\nfor (i = n; i > 0; i -= 2) g();",
    "unequal": "#pragma omp parallel for\nfor (i = 0; i != n; i++) g();",
    "triangle": "#pragma omp parallel for collapse(2)\nfor (i = 0; i < n; i++) for (j = i; j < n - i - 1; j++) g();",
    "an index of a table": "#pragma omp parallel for collapse(2)\n"
    "for (i = 0; i < n; i++) for (j = p[i]; j < p[i] + p[i + 1]; j++) g();",
    "pointers": "#pragma omp parallel for\nfor (int *r = p; r < p + n; r++) g();",
    "a changing bound": "#pragma omp parallel for\nfor (i = 0; i < n; i++) s = n;",
    "transformed": "#pragma omp parallel for\n#pragma omp tile sizes(4)\nfor (i = 0; i < n; i++) g();",
    "between loops": "#pragma omp parallel for collapse(2)\nfor (i = 0; i < n; i++) {\n"
    "g(); for (j = 0; j < n; j++) g(); }",
    "out of a macro": "#define EACH(i) for (int i = 0; i < 3; i++)\n#pragma omp parallel for\nEACH(b) g();",
}


@pytest.mark.parametrize("name", COUNTED)
def test_loops_of_the_host_that_have_the_form(name: str) -> None:
    assert [d.message for d in diagnostics(program(COUNTED[name]))] == []


def test_iterators_and_ranges_are_loops() -> None:
    text = (
        "#include <vector>\nvoid f(std::vector<int> &v) {\n#pragma omp parallel for\n"
        "  for (auto it = v.begin(); it != v.end(); ++it) *it = 1;\n#pragma omp parallel for\n"
        "  for (std::vector<int>::iterator it(v.begin()); it < v.end(); it += 2) *it = 1;\n#pragma omp parallel for\n"
        "  for (int &x : v) x = 2;\n}\n"
        "template <class T> void g(T b, T e) {\n#pragma omp parallel for\n  for (T i = b; i < e; i++) *i = 1;\n}\n"
    )
    assert [d.message for d in diagnostics(text, "t.cpp")] == []


@pytest.mark.parametrize(
    ("range_of", "changes"),
    [
        ("m[row]", "row = 0"),
        ("m[row]", "g(&row)"),
        ("p[1]", "p++"),
        ("at->held[at->row]", "at->row--"),
        ("span", "span.last--"),
        ("from", "from.held[2] = 1"),
        ("behind", "behind.start = 1"),
    ],
)
def test_ranges_that_a_body_changes_have_no_index(range_of: str, changes: str) -> None:
    text = (
        "void g(int *);\n#pragma omp declare target(g)\n"
        "struct Span { int *first, *last; int *begin() { return first; } int *end() { return last; } };\n"
        "struct Held { int held[2][2], row; };\n"
        "struct From { int held[3]; int *begin() { return held + held[2]; } int *end() { return held + 2; } };\n"
        "struct Behind { int held[3], start; int *begin() { return &held[start]; } int *end() { return held + 3; } };\n"
        "void f(int (*p)[3], Held *at, Span span, From from, Behind behind) {\n  int m[2][3] = {}, row = 1, s = 0;\n"
        "#pragma omp target parallel for num_threads(1) reduction(+ : s) firstprivate(row)\n"
        f"  «for (int v : {range_of}) {{ s += v; {changes}; }}»\n}}\n"
    )
    support.expect_error(text, "omp-loop-form", "its body does not change", "t.cpp")


@pytest.mark.parametrize(
    "range_of",
    [
        "span(p, n++)",
        "span(p, n = 3)",
        "counted(p)",
        "spilled(p)",
        "span(p, elsewhere())",
        "Ending(p, n)",
        "Held{{1, 2, 3}}",
        "span(p, last)",
    ],
)
def test_ranges_whose_making_does_something_have_no_index(range_of: str) -> None:
    text = (
        "struct Span { int *p; int n; int *begin() const { return p; } int *end() const { return p + n; } };\n"
        "struct Held { int p[3]; int *begin() { return p; } int *end() { return p + 3; } };\n"
        "struct Ending : Span { Ending(int *p, int n) : Span{p, n} {} ~Ending() { p[0] = 1; } };\n"
        "int elsewhere(), last;\n"
        "Span span(int *p, int n) { return {p, n}; }\nSpan spilled(int *p) { p[0]++; return {p, 3}; }\n"
        "Span counted(int *p) { static int calls; return {p, calls}; }\n"
        "void f(int *p, int n) {\n  int s = 0;\n#pragma omp target parallel for reduction(+ : s)\n"
        f"  «for (int v : {range_of}) s += v»;\n}}\n"
    )
    support.expect_error(text, "omp-loop-form", "that only compute", "t.cpp")


BLOCKS = {
    "return": ("'return' leaves the 'parallel' region", "#pragma omp parallel\n{ if (n) «return»; }"),
    "return in critical": ("'parallel' region", "#pragma omp parallel\n{\n#pragma omp critical\n«return»;\n}"),
    "break": ("'break' leaves the 'task' region", "for (;;) {\n#pragma omp task\n«break»;\n}"),
    "directive": ("'barrier' is no statement", "#pragma omp parallel\n#pragma omp «barrier»\ng();"),
    "directive of a device": (
        "'target update' is no statement and cannot be the body of 'target data'; put it in braces",
        "#pragma omp target data map(s)\n#pragma omp «target update to(s)»\ng();",
    ),
    "goto": ("'goto out' leaves the 'single'", "#pragma omp single\n{ «goto out»; }\nout:;"),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_statements_stay_in_blocks_of_the_host(name: str) -> None:
    message, text = BLOCKS[name]
    expect("omp-structured-block", message, program(text))


def test_a_lock_that_stays_closed_is_a_warning() -> None:
    text = "#pragma omp critical\n{ if (n) «return»; s++; }"
    expect("omp-structured-block", "'return' leaves the 'critical'", program(text), Severity.WARNING)


def test_a_row_that_runs_on_is_a_warning() -> None:
    text = "#pragma omp target map(to : m[0][0 : «5»])\ns = 1;"
    expect("omp-section-bounds", "the next row", program(text), Severity.WARNING)


def test_the_length_of_a_section_with_a_stride_counts_elements() -> None:
    text = "#pragma omp target update to(a[0 : «10» : 2])"
    message = "ends at element 19 of an array of 10; the length counts elements"
    expect("omp-section-bounds", message, program(text), Severity.WARNING)


def test_the_places_are_exact_in_continued_lines() -> None:
    text = f"#pragma omp parallel for \\\n  collapse(2) /* two\n loops */ \\\n\tfirstprivate(s, \\\n  «i»)\n{NEST} g();"
    expect("omp-loop-variable", "'i'", program(text))
    text = f"#pragma omp simd \\\n  safelen(4) \\\n  «simdlen(8)»\n{FOR} g();"
    found = expect("omp-clause-conflict", "8 lanes", program(text))
    assert [(n.span.line, n.span.column, n.span.text) for n in found.notes if n.span] == [(13, 3, "safelen(4)")]


def test_the_places_are_exact_in_pragma_operators() -> None:
    expect("omp-clause-value", "is 0", program('_Pragma("omp parallel num_threads(«0»)") g();'))
    expect("omp-nesting", "'single'", program('_Pragma("omp single") { _Pragma("omp «barrier»") }'))


def test_the_places_are_exact_in_macros() -> None:
    define = '#define TEAM(n) _Pragma("omp parallel num_threads(0)") if (n)\n'
    (found,) = diagnostics(f"{define}void g(void);\nvoid f(void) {{\n  TEAM(4) g();\n}}\n")
    assert found.code == "omp-clause-value" and found.span is not None
    assert (found.span.line, found.span.text) == (4, "0")
    shown = found.span.source.line_text(4)
    assert shown == '  _Pragma("omp parallel num_threads(0)") if (4) g();'
    assert shown[: found.span.column - 1].endswith("num_threads(")
    define = '#define LOCKED(what) _Pragma("omp single") { _Pragma("omp barrier") what; }\n'
    (found,) = diagnostics(f"void g(void);\n{define}void f(void) {{\n\n  LOCKED(g())\n}}\n")
    assert found.code == "omp-nesting" and found.span is not None
    assert (found.span.line, found.span.text) == (5, "barrier")


def test_an_argument_of_a_macro_is_shown_where_it_stands() -> None:
    text = f"#define HALF(x) ((x) / 2)\n#pragma omp parallel for schedule(static, HALF(«0»))\n{FOR} g();"
    text = text.replace("HALF(«0»)", "«HALF(0)»")
    expect("omp-clause-value", "the chunk size", program(text))


def test_a_linear_step_of_nothing_is_a_warning() -> None:
    text = f"#pragma omp simd linear(s : «0»)\n{FOR} g();"
    expect("omp-clause-value", "step of 0", program(text), Severity.WARNING)


def test_notes_show_the_other_place() -> None:
    found = expect("omp-nesting", "'single'", program("#pragma omp single\n{\n#pragma omp «barrier»\n}"))
    assert [(n.message, n.span.line if n.span else 0) for n in found.notes] == [("the 'single' region starts here", 12)]
    found = expect("omp-const-item", "const", program("#pragma omp parallel private(«fixed»)\ng();"))
    assert [(n.span.line, n.span.column, n.span.text) for n in found.notes if n.span] == [(10, 13, "fixed")]


REQUIRES = {
    "behind a region": (
        "must stand in front",
        "void f(int *p) {\n#pragma omp target\np[0]++;\n}\n#pragma omp requires «unified_shared_memory»\n",
    ),
    "behind an update": (
        "must stand in front",
        "void f(int s) {\n#pragma omp target update to(s)\n}\n#pragma omp requires «unified_address»\n",
    ),
    "behind an atomic": (
        "must stand in front",
        "void f(int s) {\n#pragma omp atomic\ns++;\n}\n#pragma omp requires «atomic_default_mem_order(relaxed)»\n",
    ),
    "in a function": (
        "must not stand in a function",
        "void f(int *p) {\n#pragma omp «requires dynamic_allocators»\n#pragma omp target\np[0]++;\n}\n",
    ),
    "in a function without constructs": (
        "must not stand in a function",
        "void f(int *p) {\n#pragma omp target\np[0]++;\n}\nint main(void) {\n#pragma omp «requires unified_address»\n"
        "return 0;\n}\n",
    ),
    "two orders": (
        "one default memory order",
        "#pragma omp requires atomic_default_mem_order(seq_cst)\n"
        "#pragma omp requires «atomic_default_mem_order(relaxed)»\nvoid f(int *p) {\n#pragma omp target\np[0]++;\n}\n",
    ),
    "an argument of the run": (
        "'true' or 'false'",
        "int n;\n#pragma omp requires unified_shared_memory(«n»)\nvoid f(int *p) {\n#pragma omp target\np[0]++;\n}\n",
    ),
}


@pytest.mark.parametrize("name", REQUIRES)
def test_where_requires_may_stand(name: str) -> None:
    message, text = REQUIRES[name]
    expect("omp-requires", message, text)


@pytest.mark.parametrize("name", ["assumes", "begin assumes"])
def test_what_is_assumed_of_a_file_stands_in_no_function(name: str) -> None:
    end = "#pragma omp end assumes\n" if name.startswith("begin") else ""
    text = f"void g(void);\n#pragma omp {name} no_openmp\nvoid f(void) {{\ng();\n}}\n{end}"
    assert diagnostics(text) == []
    text = f"void f(int *p) {{\n#pragma omp target\n{{\n#pragma omp «{name} no_openmp»\np[0]++;\n{end}}}\n}}\n"
    if not end:
        expect("omp-nesting", "'assume' says it of a block", text)
    else:
        found = [(d.code, d.span.text if d.span else "") for d in diagnostics(text.replace("«", "").replace("»", ""))]
        assert found == [("omp-nesting", f"{name} no_openmp"), ("omp-nesting", "end assumes")]


def test_requires_that_break_no_rule() -> None:
    text = "#pragma omp requires dynamic_allocators unified_address(true) reverse_offload(false)\nnamespace n {\n"
    text += "#pragma omp requires atomic_default_mem_order(acq_rel)\n}\nvoid f(int &s) {\n"
    text += "#pragma omp target map(s)\n{\n#pragma omp atomic seq_cst\ns++;\n}\n}\n"
    assert diagnostics(text, "t.cpp") == []
    text = "int g(void);\n#pragma omp requires unified_address\nint h(int a);\n"
    assert diagnostics(f"{text}void f(int *p) {{\n#pragma omp target\np[0]++;\n}}\n") == []


BINDINGS = "struct P { int a, b; };\nvoid f(P p) {\n  auto [a, b] = p;\n"


@pytest.mark.parametrize(
    ("code", "message", "text"),
    [
        ("omp-repeated-item", "in 'to'", "#pragma omp target update to(a, b, «a»)\n"),
        ("omp-allocate-item", "no clause here", "#pragma omp parallel private(a) allocate(a, «b»)\na = 1;"),
    ],
)
def test_structured_bindings_are_variables(code: str, message: str, text: str) -> None:
    expect(code, message, f"{BINDINGS}{text}\n}}\n", name="t.cpp")


def test_structured_bindings_may_be_private() -> None:
    text = "#pragma omp parallel private(a) firstprivate(b) allocate(a, b)\na = b;"
    assert diagnostics(f"{BINDINGS}{text}\n}}\n", "t.cpp") == []


MEMBERS = (
    "struct S {\n  int i, *p, *&q;\n  void f() {\n"
    "#pragma omp target data map(i, p[0:1], q[0:1]) use_device_ptr(p, q%s)\n    ;\n  }\n};\n"
)


def test_members_in_use_device_ptr_are_pointers_too() -> None:
    assert diagnostics(MEMBERS % "", "t.cpp") == []
    expect(
        "omp-list-item-type", "'i' has type 'int'; 'use_device_ptr' is for pointers", MEMBERS % ", «i»", name="t.cpp"
    )


def test_this_is_no_list_item() -> None:
    text = "struct S {\n  int i;\n  void f() {\n#pragma omp target enter data map(to : %s)\n  }\n};\n"
    assert diagnostics(text % "this[:1]", "t.cpp") == []
    expect("omp-list-item-type", "'this' is a value and has no storage; 'this[:1]'", text % "«this»", name="t.cpp")


def test_pointers_of_the_library_are_mapped_by_their_address() -> None:
    text = "#include <memory>\nvoid f(std::unique_ptr<int[]> p) {\n#pragma omp target map(«p»[0:1])\n  p[0] = 1;\n}\n"
    expect("omp-section-base", "as in 'T *q = p.get();' and 'q[0:n]'", text, name="t.cpp")
