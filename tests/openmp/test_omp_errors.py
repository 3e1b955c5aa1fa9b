"""Every error: its code, the column and the text that it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from omp_tools import diagnose, errors

import rexcc.openmp

CASES: list[tuple[str, list[tuple[str, int, str]]]] = [
    # Names of directives.
    ("", [("omp-missing-directive", 1, "")]),
    ("; parallel", [("omp-missing-directive", 1, ";")]),
    ("wobble bar", [("omp-unknown-directive", 1, "wobble")]),
    ("foo bar", [("omp-unknown-directive", 1, "foo"), ("omp-unknown-clause", 5, "bar")]),
    ("taget data map(to: x)", [("omp-unknown-directive", 1, "taget")]),
    ("target teams distribut parallel for", [("omp-unknown-directive", 14, "distribut")]),
    ("target distribute", [("omp-unknown-directive", 8, "distribute")]),
    ("target enter map(to: x)", [("omp-unknown-directive", 8, "enter")]),
    ("parallel target", [("omp-unknown-directive", 10, "target")]),
    ("paralel fr privte(x)", [("omp-unknown-directive", 1, "paralel"), ("omp-unknown-clause", 12, "privte")]),
    ("parallel fro", [("omp-unknown-directive", 10, "fro")]),
    # Clauses and their directive.
    ("parallel for nowiat", [("omp-unknown-clause", 14, "nowiat")]),
    ("parallel for reductoin(+: s)", [("omp-unknown-clause", 14, "reductoin")]),
    ("target num_teams(4)", [("omp-clause-not-allowed", 8, "num_teams")]),
    ("parallel for nowait", [("omp-clause-not-allowed", 14, "nowait")]),
    ("target teams distribute parallel for ordered", [("omp-clause-not-allowed", 38, "ordered")]),
    ("target parallel copyin(x)", [("omp-clause-not-allowed", 17, "copyin")]),
    ("target data device(1)", [("omp-missing-clause", 1, "target data")]),
    ("declare variant(f)", [("omp-missing-clause", 1, "declare variant")]),
    ("parallel num_threads(2) if(a), num_threads(3)", [("omp-repeated-clause", 32, "num_threads(3)")]),
    ("target if(target: a) if(target: b)", [("omp-repeated-clause", 22, "if(target: b)")]),
    ("target defaultmap(to: scalar) defaultmap(none: scalar)",
     [("omp-repeated-clause", 31, "defaultmap(none: scalar)")]),
    ("for order(concurrent) ordered", [("omp-exclusive-clauses", 23, "ordered")]),
    ("taskloop grainsize(1) num_tasks(2)", [("omp-exclusive-clauses", 23, "num_tasks(2)")]),
    ("atomic seq_cst relaxed", [("omp-exclusive-clauses", 16, "relaxed")]),
    ("single nowait copyprivate(x)", [("omp-exclusive-clauses", 15, "copyprivate(x)")]),
    ("cancel for parallel", [("omp-exclusive-clauses", 12, "parallel")]),
    # Arguments.
    ("parallel private", [("omp-missing-argument", 10, "private")]),
    ("parallel num_threads()", [("omp-missing-argument", 22, ")")]),
    ("for ordered()", [("omp-missing-argument", 13, ")")]),
    ("teams num_teams(2:)", [("omp-missing-argument", 19, ")")]),
    ("for schedule(static,)", [("omp-missing-argument", 21, ")")]),
    ("target if()", [("omp-missing-argument", 11, ")")]),
    ("target map(mapper, to: x)", [("omp-missing-argument", 12, "mapper")]),
    ("threadprivate", [("omp-missing-argument", 1, "threadprivate")]),
    ("fuse looprange(1)", [("omp-missing-argument", 16, "1")]),
    ("simd linear(x:)", [("omp-missing-argument", 15, ")")]),
    ("barrier(x)", [("omp-unexpected-argument", 8, "(x)")]),
    ("task untied(x)", [("omp-unexpected-argument", 12, "(x)")]),
    ("target map(always(x), to: y)", [("omp-unexpected-argument", 18, "(x)")]),
    ("parallel num_threads(4, 5)", [("omp-extra-argument", 25, "5")]),
    ("for schedule(static, 4, 5)", [("omp-extra-argument", 25, "5")]),
    ("for schedule(auto, 4)", [("omp-extra-argument", 20, "4")]),
    ("parallel default(none shared)", [("omp-extra-argument", 23, "shared")]),
    ("critical(a b)", [("omp-bad-argument", 10, "a b")]),
    ("declare mapper(v) map(v)", [("omp-bad-argument", 16, "v")]),
    # Lists, items, sections.
    ("parallel private()", [("omp-empty-list", 18, ")")]),
    ("target map(to:)", [("omp-empty-list", 15, ")")]),
    ("flush()", [("omp-empty-list", 7, ")")]),
    ("parallel private(a,,b)", [("omp-empty-item", 20, ",")]),
    ("parallel private(a,)", [("omp-empty-item", 20, ")")]),
    ("parallel private(x + 1)", [("omp-bad-list-item", 20, "+")]),
    ("parallel private(a[0:2])", [("omp-bad-list-item", 18, "a[0:2]")]),
    ("parallel private(a b)", [("omp-bad-list-item", 20, "b")]),
    ("target map(to: 5, a*b)", [("omp-bad-list-item", 16, "5"), ("omp-bad-list-item", 20, "*")]),
    ("target map(to: a[0:2].x)", [("omp-bad-section", 17, "[0:2]")]),
    ("target map(to: a(0:n))", [("omp-bad-section", 17, "(0:n)")]),
    ("target map(to: p->a(0:n))", [("omp-bad-section", 20, "(0:n)")]),
    ("target map(to: a[])", [("omp-bad-section", 17, "[]")]),
    ("target map(to: ([n])p[0:2])", [("omp-bad-section", 16, "([n])p[0:2]")]),
    ("target map(to: ([])p)", [("omp-missing-argument", 18, "]")]),
    ("target map(to: a[1:2:3:4])", [("omp-bad-section", 17, "[1:2:3:4]")]),
    ("task depend(iterator(k=n), in: a)", [("omp-bad-iterator", 22, "k=n")]),
    # Expressions, types, names: what shows without knowing the base language.
    ("parallel num_threads(n +)", [("omp-bad-expression", 24, "+")]),
    ("parallel num_threads(/ n)", [("omp-bad-expression", 22, "/")]),
    ("parallel num_threads(f(n) x)", [("omp-bad-expression", 27, "x")]),
    ("target map(to: a[n.:1])", [("omp-bad-expression", 19, ".")]),
    ("target map(to: p[v..n])", [("omp-bad-expression", 19, ".")]),
    ("target map(to: p[q[]:1])", [("omp-bad-expression", 19, "[]")]),
    ("target if(1for)", [("omp-bad-expression", 11, "1for")]),
    ("target if(a ? b)", [("omp-bad-expression", 13, "?")]),
    ("target if(a[0] b)", [("omp-bad-expression", 16, "b")]),
    ("target if(a::1)", [("omp-bad-expression", 12, "::")]),
    ("target if(0x1fULL + 1.5e-3f + 0b11 + 1'000 + 2_km + 1.f + .5 + 1i)", []),
    ("threadprivate(this)", [("omp-bad-list-item", 15, "this")]),
    ("target map(to: p>[0:n])", [("omp-bad-list-item", 17, ">")]),
    ("target if(for)", [("omp-bad-expression", 11, "for")]),
    ("allocate(a) align(n>)", [("omp-bad-expression", 20, ">")]),
    ("parallel num_threads(v<int>) if(i++)", []),
    ("parallel num_threads(p->*q + a.*b + (T)c + [] { return 1; }() + sizeof(int))", []),
    ("declare variant(f) match(device={arch(default)})", [("omp-bad-selector", 39, "default")]),
    ("target map(to: .x)", [("omp-bad-list-item", 16, ".")]),
    ("target map(to: *.x)", [("omp-bad-list-item", 17, ".")]),
    ("target map(to: v..x)", [("omp-bad-list-item", 18, ".")]),
    ("target map(to: v.(a))", [("omp-bad-list-item", 18, "(")]),
    ("target map(to: *)", [("omp-bad-list-item", 16, "*")]),
    ("target map(to: a<b)", [("omp-bad-list-item", 17, "<")]),
    ("target map(to: c ? a)", [("omp-bad-list-item", 18, "?")]),
    ("parallel private(for)", [("omp-bad-list-item", 18, "for")]),
    ("parallel private(@)", [("omp-junk", 18, "@")]),
    ("task depend(iterator(k=0:), in: a)", [("omp-missing-argument", 26, ")")]),
    ("target depend(source)", [("omp-missing-colon", 15, "source")]),
    ("ordered doacross(sink: i * 2)", [("omp-bad-list-item", 24, "i * 2")]),
    ("ordered depend(in: x)", [("omp-unknown-depend-type", 16, "in")]),
    ("parallel reduction(ns::::f: x)", [("omp-unknown-reduction-operator", 20, "ns::::f")]),
    ("parallel reduction(for: x)", [("omp-unknown-reduction-operator", 20, "for")]),
    ("declare mapper(id: struct) map(id)", [("omp-bad-argument", 16, "id: struct")]),
    ("declare mapper(T a[2] v) map(v)", [("omp-bad-argument", 16, "T a[2] v")]),
    ("declare mapper(T u v) map(v)", [("omp-bad-argument", 16, "T u v")]),
    ("declare mapper(id:: struct s v) map(v)", [("omp-bad-argument", 16, "id:: struct s v")]),
    ("declare reduction(f : int = 3 : omp_out)", [("omp-bad-argument", 23, "int = 3")]),
    ("declare reduction(1 : int : omp_out)", [("omp-bad-argument", 19, "1")]),
    ("declare reduction(f : int : omp_out +) initializer(3)",
     [("omp-bad-expression", 37, "+"), ("omp-bad-argument", 52, "3")]),
    ("declare reduction(f : vector<int : omp_out)", [("omp-bad-argument", 23, "vector<int")]),
    ("declare mapper(id: s struct v) map(v)", [("omp-bad-argument", 16, "id: s struct v")]),
    ("depobj(*for) update(in)", [("omp-bad-list-item", 9, "for")]),
    ("target uses_allocators(a(!t))", [("omp-bad-list-item", 26, "!")]),
    ("target ompx_attribute(none)", [("omp-bad-argument", 23, "none")]),
    ("target ompx_attribute(__attribute__((a()1)))", [("omp-bad-argument", 23, "__attribute__((a()1))")]),
    ("target ompx_attribute([[a::]])", [("omp-bad-argument", 23, "[[a::]]")]),
    ("target ompx_attribute(__attribute__((a, b(1), __c__)) ) ompx_attribute([[a::b(1), c]])", []),
    ("declare mapper(T for v) map(v)", [("omp-bad-argument", 16, "T for v")]),
    ("target if(a;b)", [("omp-bad-expression", 12, ";")]),
    ("target if(a <.n)", [("omp-bad-expression", 14, ".")]),
    ("target if(f(a).b + c[0].d + (e)->g)", []),
    ("target if(a ~ b)", [("omp-bad-expression", 13, "~")]),
    ("target if([] 1)", [("omp-bad-expression", 11, "[]")]),
    ("target if(!a && ~b)", []),
    ("target map(to: a::::b)", [("omp-bad-list-item", 19, "::")]),
    ("declare mapper(T:: v) map(v)", [("omp-bad-argument", 16, "T:: v")]),
    ("declare reduction(f : int, vector<int : omp_out)", [("omp-bad-argument", 28, "vector<int")]),
    # Clauses that stay text.
    ("declare variant(f) match(user={condition(1)}) adjust_args(need_device_pt: a)",
     [("omp-unknown-modifier", 59, "need_device_pt")]),
    ("declare variant(f) match(user={condition(1)}) adjust_args(a)", [("omp-missing-colon", 59, "a")]),
    ("declare variant(f) match(user={condition(1)}) append_args(interp(target))",
     [("omp-unknown-keyword", 59, "interp")]),
    ("declare variant(f) match(user={condition(1)}) append_args(interop)", [("omp-missing-argument", 59, "interop")]),
    ("assume contains(paralel)", [("omp-unknown-keyword", 17, "paralel")]),
    ("interop init(targetsnc: o)", [("omp-unknown-modifier", 14, "targetsnc")]),
    # Clauses that need or exclude others.
    ("atomic capture weak", [("omp-missing-clause", 16, "weak")]),
    ("declare target(f) device_type(any)", [("omp-clause-not-allowed", 19, "device_type(any)")]),
    # Colons.
    ("target map(to x)", [("omp-missing-colon", 12, "to")]),
    ("target update to(present x)", [("omp-missing-colon", 18, "present")]),
    ("parallel for reduction(x)", [("omp-missing-colon", 24, "x")]),
    ("parallel for reduction(+, x)", [("omp-missing-colon", 24, "+, x")]),
    ("task depend(in x)", [("omp-missing-colon", 13, "in")]),
    ("task depend(x)", [("omp-missing-colon", 13, "x")]),
    ("target device(ancestor 1)", [("omp-missing-colon", 15, "ancestor")]),
    ("target parallel for if(parallel x)", [("omp-missing-colon", 24, "parallel")]),
    ("loop order(reproducible concurrent)", [("omp-missing-colon", 12, "reproducible")]),
    ("for schedule(monotonic static)", [("omp-missing-colon", 14, "monotonic")]),
    ("metadirective when(x)", [("omp-missing-colon", 20, "x")]),
    # Context selectors and what they choose from.
    ("declare variant(f) match(devise={kind(gpu)})", [("omp-unknown-selector", 26, "devise")]),
    ("declare variant(f) match(device={knd(gpu)})", [("omp-unknown-selector", 34, "knd")]),
    ("declare variant(f) match(construct={distribute})", [("omp-unknown-selector", 37, "distribute")]),
    ("declare variant(f) match(device={kind(gpi)})", [("omp-unknown-keyword", 39, "gpi")]),
    ("declare variant(f) match(device={kind})", [("omp-missing-argument", 34, "kind")]),
    ("declare variant(f) match(construct={target(1)})", [("omp-unexpected-argument", 43, "(1)")]),
    ("declare variant(f) match(device)", [("omp-bad-selector", 26, "device")]),
    ("declare variant(f) match(device={kind(gpu) arch(x)})", [("omp-bad-selector", 44, "arch(x)")]),
    ("declare variant(f) match(device={arch(a b)})", [("omp-bad-selector", 39, "a b")]),
    ("declare variant(f) match(device={kind(score(1): gpu)})", [("omp-bad-selector", 39, "score(1)")]),
    ("declare variant(f) match(user={condition(score(1) x)})", [("omp-missing-colon", 42, "score(1)")]),
    ("declare variant(f) match(user={condition(x)}, user={condition(y)})", [("omp-repeated-selector", 47, "user={")]),
    ("declare variant(f) match(device={arch(a), arch(b)})", [("omp-repeated-selector", 43, "arch(b)")]),
    ("metadirective when(device={kind(gpu)}: paralel) default()", [("omp-unknown-directive", 40, "paralel")]),
    ("metadirective when(device={kind(gpu)}: parallel for(x))", [("omp-unexpected-argument", 52, "(x)")]),
    ("metadirective otherwise(parallel privat(x))", [("omp-unknown-clause", 34, "privat")]),
    ("metadirective otherwise(metadirective)", [("omp-nested-metadirective", 25, "metadirective")]),
    ("declare reduction(f int)", [("omp-missing-colon", 19, "f int")]),
    ("target map(to: a: b)", [("omp-unexpected-colon", 17, ":")]),
    ("target if(target: a: b)", [("omp-unexpected-colon", 20, ":")]),
    ("simd aligned(p: 4: 5)", [("omp-unexpected-colon", 18, ":")]),
    ("ordered doacross(source)", [("omp-missing-colon", 18, "source")]),
    ("target device(ancestr 1)", [("omp-bad-expression", 23, "1")]),
    ("target if(targt x)", [("omp-bad-expression", 17, "x")]),
    ("for collapse(2 3)", [("omp-bad-expression", 16, "3")]),
    ("for schedule(static, 4 x)", [("omp-bad-expression", 24, "x")]),
    ("target map(to: a[0 n])", [("omp-bad-expression", 20, "n")]),
    ("target map(to: a[i j].x)", [("omp-bad-expression", 20, "j")]),
    ("target map(to: a[].x)", [("omp-bad-section", 17, "[]")]),
    ("simd linear(x: 2 y)", [("omp-bad-expression", 18, "y")]),
    ("target map([i])", [("omp-bad-list-item", 12, "[")]),
    ("target allocate(allocator(a b): x)", [("omp-bad-expression", 29, "b")]),
    ("ordered doacross(sink: i - 1 : 2)", [("omp-unexpected-colon", 30, ":")]),
    # Words before the colon.
    ("target map(toform: x)", [("omp-unknown-map-type", 12, "toform")]),
    ("target map(always, fromm: x)", [("omp-unknown-map-type", 20, "fromm")]),
    ("target map(always fromm: x)", [("omp-unknown-map-type", 19, "fromm")]),
    ("target map(alwys, to: x)", [("omp-unknown-modifier", 12, "alwys")]),
    ("target map(mappr(m): x)", [("omp-unknown-modifier", 12, "mappr")]),
    ("target map(always, always, to: x)", [("omp-repeated-modifier", 20, "always")]),
    ("target enter data map(from: x)", [("omp-map-type-not-allowed", 19, "map(from: x)")]),
    ("target exit data map(to: x)", [("omp-map-type-not-allowed", 18, "map(to: x)")]),
    ("target map(delete: x)", [("omp-map-type-not-allowed", 8, "map(delete: x)")]),
    ("parallel private(always: x)", [("omp-unknown-modifier", 18, "always")]),
    ("for lastprivate(condtional: x)", [("omp-unknown-modifier", 17, "condtional")]),
    ("simd linear(x: stp(2))", [("omp-unknown-modifier", 16, "stp")]),
    ("simd linear(x: val, stp(2))", [("omp-unknown-modifier", 21, "stp(2)")]),
    ("target allocate(alocator(a): x)", [("omp-unknown-modifier", 17, "alocator")]),
    ("for schedule(monotonc: static)", [("omp-unknown-modifier", 14, "monotonc")]),
    ("target if(targt: x)", [("omp-unknown-modifier", 11, "targt")]),
    ("target if(parallel: x)", [("omp-wrong-construct", 11, "parallel")]),
    ("for schedule(dynmic)", [("omp-unknown-schedule-kind", 14, "dynmic")]),
    ("distribute dist_schedule(dynamic)", [("omp-unknown-schedule-kind", 26, "dynamic")]),
    ("task depend(inn: x)", [("omp-unknown-depend-type", 13, "inn")]),
    ("parallel for reduction(/: x)", [("omp-unknown-reduction-operator", 24, "/")]),
    ("parallel for reduction(+=: x)", [("omp-unknown-reduction-operator", 24, "+=")]),
    ("parallel for reduction(: x)", [("omp-unknown-reduction-operator", 24, ":")]),
    ("parallel for reduction(inscn, +: x)", [("omp-unknown-modifier", 24, "inscn")]),
    ("parallel default(nne)", [("omp-unknown-keyword", 18, "nne")]),
    ("parallel proc_bind(closed)", [("omp-unknown-keyword", 20, "closed")]),
    ("target defaultmap(tofrm: scalar)", [("omp-unknown-keyword", 19, "tofrm")]),
    ("target defaultmap(to: scaler)", [("omp-unknown-keyword", 23, "scaler")]),
    # Tokens.
    ("target map(to: a[0:n) nowiat", [("omp-unbalanced", 17, "[")]),
    ("parallel private(a", [("omp-unbalanced", 17, "(")]),
    ("parallel private(a))", [("omp-unbalanced", 20, ")")]),
    ("error message(\"abc)", [("omp-unterminated-literal", 15, "\"abc)")]),
    ("parallel private(a);", [("omp-junk", 20, ";")]),
    ("parallel private(a),, shared(b)", [("omp-junk", 21, ",")]),
    ("parallel private(a),", [("omp-junk", 20, ",")]),
    ("parallel for (x)", [("omp-unexpected-argument", 14, "(x)")]),
]  # fmt: skip

MESSAGES = [
    ("parallel fro privte(x)", ["unknown directive 'parallel fro'; did you mean 'parallel for'?",
                                "unknown clause 'privte' on 'parallel for'; did you mean 'private'?"]),
    ("task loop", ["unknown directive 'task loop'; did you mean 'taskloop'?"]),
    ("parallelfor", ["unknown directive 'parallelfor'; did you mean 'parallel for'?"]),
    ("target distribute parallel for", ["unknown directive 'target distribute'; did you mean "
                                        "'target teams distribute parallel for'?"]),
    ("target enter", ["incomplete directive 'target enter'; did you mean 'target enter data'?"]),
    ("Parallel For", ["unknown directive 'Parallel'; did you mean 'parallel for'?"]),
    ("target map(toform: x)", ["unknown map type 'toform' of clause 'map'; did you mean 'tofrom'?"]),
    ("target num_teams(4)", ["clause 'num_teams' is not allowed on 'target'; it belongs to 'teams'"]),
    ("parallel for nowait", ["clause 'nowait' is not allowed on 'parallel for'; only a 'for' of its own takes it"]),
    ("parallel for nowiat schedule(static)", ["unknown clause 'nowiat' on 'parallel for'; did you mean 'nowait'?"]),
    ("target map(mappr(m), to: x)", ["unknown modifier 'mappr(m)' of clause 'map'; did you mean 'mapper'?"]),
    ("target device(ancestr 1)", ["expected an operator before '1' in 'device'; did you mean 'ancestor'?"]),
    ("target device(x: 1)", ["unknown modifier 'x' of clause 'device'; known: ancestor, device_num"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text or "empty" for text, _ in CASES])
def test_error(text: str, expected: list[tuple[str, int, str]]) -> None:
    assert errors(text) == expected


@pytest.mark.parametrize(("text", "messages"), MESSAGES)
def test_message(text: str, messages: list[str]) -> None:
    assert [diagnostic.message for diagnostic in diagnose(text)] == messages


def test_all_errors_of_a_directive_are_reported() -> None:
    text = "target map(toform: x) nowiat reduction(+: s) private(a,) device(1) device(2)"
    codes = ["omp-unknown-map-type", "omp-unknown-clause", "omp-clause-not-allowed", "omp-empty-item",
             "omp-repeated-clause"]  # fmt: skip
    assert [code for code, _, _ in errors(text)] == codes


def test_notes_show_the_first_clause() -> None:
    (repeated,) = diagnose("parallel if(a) if(b)")
    (exclusive,) = diagnose("for ordered order(concurrent)")
    assert [(n.message, n.span and n.span.column) for n in repeated.notes] == [("the first 'if' is here", 10)]
    assert [(n.message, n.span and n.span.column) for n in exclusive.notes] == [("'ordered' is here", 5)]


def test_every_code_is_tested() -> None:
    folder = Path(rexcc.openmp.__file__).parent
    used = {code for path in folder.glob("*.py")
            for code in re.findall(r'"(omp-[a-z-]+)"', path.read_text("utf-8"))}  # fmt: skip
    assert used == {code for _, expected in CASES for code, _, _ in expected}
