"""What ``-Rrex`` tells of each region: its kernel and launch, what the clean-ups did, and what stopped them where."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from rexcc.source.diagnostics import Diagnostic, Severity

HEAD = (
    "typedef volatile float port, *line; struct body { float x, y; }; struct part { float k, w[4]; };\n"
    "static int count(int n) { return n; } static void poke(float **p) { **p = 1; }\n"
    "void f(int n, int m, float *x, float *y, const float *restrict z, struct body *b, struct part *q, volatile float "
    "*v, line in) { float s = 0;\n"
)
LOOP = "target teams distribute parallel for"


def remarks(text: str) -> list[Diagnostic]:
    found = support.translate_text(f"{HEAD}#pragma omp {text}\n}}\n", remarks=True)
    assert not [d for d in found.diagnostics if d.severity is Severity.ERROR], support.rendered(found)
    return [d for d in found.diagnostics if d.severity is Severity.REMARK]


def shown(diagnostic: Diagnostic) -> list[tuple[str, str]]:
    """Return a remark's text and its reasons, each with the characters that it points at."""
    pairs = [(diagnostic.message, diagnostic.span), *((n.message, n.span) for n in diagnostic.notes)]
    return [(message, span.text if span is not None else "") for message, span in pairs]


def test_bounds_that_the_host_evaluates_are_told_as_they_are_written() -> None:
    source = (
        "struct box { int w[2]; };\nvoid g(struct box *b, int l, float *y) {\n#pragma omp target teams distribute "
        "parallel for\nfor (int i = 0; i < b->w[l + 1]; i += b->w[0]) y[i] = 1;\n}\n"
    )
    notes = [note.message for d in support.translate_text(source, remarks=True).diagnostics for note in d.notes]
    told = "the host computes the trip count before the launch: rex_tripcount_lt(0, b->w[l + 1], "
    assert any(note.startswith(told) for note in notes) and not any("__rex" in note for note in notes)


def test_nothing_is_told_without_a_question() -> None:
    text = f"{HEAD}#pragma omp {LOOP}\nfor (int i = 0; i < n; i++) y[i] = x[i] + x[i];\n}}\n"
    assert not support.translate_text(text).diagnostics


def test_each_region_names_its_kernel() -> None:
    first = remarks(f"{LOOP}\nfor (int i = 0; i < n; i++) y[i] = 1;")[0]
    assert (first.code, first.message) == (
        "rex",
        f"'{LOOP}' becomes the kernel OUT__1__f__4__kernel__ on the direct path",
    )
    assert first.span is not None and (first.span.line, first.span.text) == (4, LOOP)
    nested = remarks("target\n#pragma omp teams\n#pragma omp distribute\nfor (int i = 0; i < n; i++) y[i] = 1;")[0]
    assert nested.message.startswith("'target' + 'teams' + 'distribute' becomes the kernel OUT__1__f__4__kernel__")


COUNTED = "the host computes the trip count before the launch: rex_tripcount_lt(0, n, 1)"
FOR = "for (int i = 0; i < n; i++)"
LAUNCHES = {
    "by default": (
        f"{LOOP}\n{FOR} y[i] = 1;",
        ["all threads of all teams share the iterations of the loop", COUNTED,
         "256 threads a block by default, or fewer where multiprocessors would be idle",
         "a thread for each 4 iterations, but not fewer blocks than fill the GPU"],
    ),
    "of heavier iterations": (
        f"{LOOP}\n{FOR} if (n > i) y[i] = 1;",
        ["all threads of all teams share the iterations of the loop", COUNTED,
         "256 threads a block by default, or fewer where multiprocessors would be idle",
         "as many blocks as give each iteration a thread"],
    ),
    "by clauses": (
        f"{LOOP} num_teams(m) num_threads(64)\n{FOR} y[i] = 1;",
        ["all threads of all teams share the iterations of the loop", COUNTED,
         "64 threads a block, because of 'num_threads'", "m blocks, because of 'num_teams'"],
    ),
    "of a reduction": (
        f"{LOOP} reduction(+: s)\n{FOR} s += x[i];",
        ["all threads of all teams share the iterations of the loop", COUNTED,
         "256 threads a block by default, or fewer where multiprocessors would be idle",
         "a thread for each iteration, but no more blocks than find room at once, or join results for few iterations"],
    ),
    "of chunks": (
        f"{LOOP} dist_schedule(static, 64)\n{FOR} y[i] = 1;",
        ["all threads of all teams share the iterations of the loop", COUNTED,
         "256 threads a block by default, or fewer where the teams need fewer",
         "a block for each chunk of iterations"],
    ),
    "of a loop that only the device can count": (
        f"{LOOP} is_device_ptr(x)\nfor (int i = 0; i < count((int)x[0]); i++) y[i] = 1;",
        ["all threads of all teams share the iterations of the loop",
         "the trip count is not known before the launch: a bound depends on the region",
         "256 threads a block by default: no clause says how many",
         "8 blocks for each multiprocessor by default: they take turns with the iterations"],
    ),
    "of one team": (
        f"target parallel for thread_limit(64)\n{FOR} y[i] = 1;",
        ["the threads of one team share the iterations of the loop", COUNTED,
         "64 threads a block, because of 'thread_limit'", "1 block: the region has no 'teams'"],
    ),
    "of one team that all share": (
        f"target parallel for\n{FOR} y[i] = 1;",
        ["all threads of all teams share the iterations of the loop: nothing in the region can tell which they are, or "
         "how many", COUNTED, "256 threads a block by default, or fewer where multiprocessors would be idle",
         "a thread for each 4 iterations, but not fewer blocks than fill the GPU"],
    ),
    "of ordered iterations": (
        f"target parallel for ordered\n{FOR} y[i] = 1;",
        ["the threads of one team share the iterations of the loop", COUNTED,
         "1 thread a block: 'ordered' iterations follow each other", "1 block: 'ordered' iterations follow each other"],
    ),
    "of one thread": (
        "target\ny[0] = 1;",
        ["one thread of one team executes the region", "1 thread a block: the region has no 'parallel'",
         "1 block: the region has no 'teams'"],
    ),
    "of teams": (
        "target teams\ny[0] = 1;",
        ["one thread of each team executes the region", "1 thread a block: the region has no 'parallel'",
         "a block for each multiprocessor by default: no clause says how many"],
    ),
    "of a parallel": (
        "target parallel thread_limit(32)\ny[0] = 1;",
        ["each thread of one team executes the region", "32 threads a block, because of 'thread_limit'",
         "1 block: the region has no 'teams'"],
    ),
    "of team code": (
        f"target teams distribute\n{FOR} {{\ny[i] = 1;\n#pragma omp parallel num_threads(96)\ny[i] = 2;\n}}",
        ["one thread executes the sequential statements of this region, the others wait (generic)",
         "because this statement has effects that must happen once", COUNTED,
         "96 threads a block: as many as the widest of its parallels wants",
         "a block for each iteration, which is one team's work"],
    ),
    "of parallels alone": (
        f"target teams distribute\n{FOR} {{\n#pragma omp parallel num_threads(96)\ny[i] = 2;\n}}",
        ["all threads of a team execute this region together (SPMD)", COUNTED,
         "96 threads a block: as many as the widest of its parallels wants",
         "a block for each iteration, which is one team's work"],
    ),
    "of a schedule with chunks": (
        f"target parallel for schedule(static, 4)\n{FOR} y[i] = 1;",
        ["the XOMP scheduler hands out the iterations: a schedule with chunks, or --rex-scheduler=xomp", COUNTED,
         "256 threads a block by default, or whole warps for fewer iterations",
         "1 block: the region has no 'teams'"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAUNCHES)
def test_a_launch_is_explained(name: str) -> None:
    text, expected = LAUNCHES[name]
    (first,) = [d for d in remarks(text) if d.code == "rex"]
    assert [note.message for note in first.notes] == expected
    for message, place in shown(first)[1:]:
        clause = message.partition("because of '")[2].partition("'")[0]
        assert not clause or place.startswith(f"{clause}(")


INNER = "for (int j = 0; j < n; j++)"
READS = {
    "an element in a local": (
        f"{LOOP} map(y[0:n])\n{FOR} {{ y[i] = 0; {INNER} y[i] += j; }}",
        [("'y[i]' lives in a local during an iteration", "y[i]")],
    ),
    "an element with another use": (
        f"{LOOP} map(x[0:n])\n{FOR} {{ x[i] = 0; {INNER} x[i] += x[j]; }}",
        [("'x[i]' is not kept in a local during an iteration", "x[i]"), ("this is another use of 'x'", "x")],
    ),
    "an element that another write may change": (
        f"{LOOP}\n{FOR} {{ y[i] = 1; y[i] += 1; x[n - i] = 2; }}",
        [("'y[i]' is not kept in a local during an iteration", "y[i]"),
         ("this may write 'y': nothing says that 'x' and 'y' are apart "
          "(a construct that maps sections of both, or 'restrict', does)", "x[n - i] = 2")],
    ),
    "an element of an iteration that ends early": (
        f"{LOOP} map(y[0:n])\n{FOR} {{ y[i] = 0; if (i == m) continue; y[i] += 1; }}",
        [("'y[i]' is not kept in a local during an iteration", "y[i]"),
         ("this may leave the iteration before its end", "continue")],
    ),
    "an element that is perhaps not read": (
        f"{LOOP}\n{FOR} if (i < m) s += z[i] * z[i];",
        [("'z[i]' is not kept in a local during an iteration", "z[i]"),
         ("no use runs in every iteration, so that reading it early might read what is not there", "")],
    ),
    "an element that would be stored more often": (
        f"{LOOP} map(y[0:n])\n{FOR} if (i < m) {{ y[i] += 1; y[i] += 2; }}",
        [("'y[i]' is not kept in a local during an iteration", "y[i]"),
         ("it would be stored in iterations that do not store it now", "")],
    ),
    "a pointer to what never changes": (
        f"{LOOP}\n{FOR} y[i] = z[i];",
        [("'z' is a '__restrict__' parameter: nothing writes what it points to", "z")],
    ),
    "a pointer to what may change": (
        f"{LOOP}\n{FOR} y[i] = x[i];",
        [("'x' is loaded as memory that may change", "x"),
         ("this may write 'x': nothing says that 'y' and 'x' are apart "
          "(a construct that maps sections of both, or 'restrict', does)", "y[i] = x[i]")],
    ),
    "the only way to what is written": (
        f"{LOOP} map(x[0:n], y[0:n])\n{FOR} y[i] = x[i];",
        [("'y' is a '__restrict__' parameter: no other way leads to what it writes", "y")],
    ),
    "one of several ways to what is written": (
        f"{LOOP}\n{FOR} y[i] = x[i];",
        [("'y' is no '__restrict__' parameter: other ways may lead to what it writes", "y"),
         ("nothing says that 'x' and 'y' are apart (a construct that maps sections of both, or 'restrict', does)", "")],
    ),
    "a pointer that a call may write through": (
        f"{LOOP} private(s)\n{FOR} {{ float *t = y; poke(&t); s = x[i]; }}",
        [("'x' is loaded as memory that may change", "x"), ("this call may write 'x'", "poke(&t)")],
    ),
    "a pointer to something volatile": (
        f"{LOOP} private(s)\n{FOR} s = v[i];",
        [("'v' is loaded as memory that may change", "v"), ("it points to something volatile", "v")],
    ),
    "a pointer to something volatile by its name": (
        f"{LOOP} private(s)\n{FOR} s = in[i];",
        [("'in' is loaded as memory that may change", "in"), ("it points to something volatile", "in")],
    ),
    "an address before a loop": (
        f"{LOOP} private(s)\n{FOR} {INNER} s = b[i].x + b[i].y;",
        [("the address of 'b[i]' is computed once before this loop", f"{INNER} s = b[i].x + b[i].y")],
    ),
    "an address in a loop": (
        f"{LOOP}\n{FOR} {INNER} b[i].y = b[i].x;",
        [("the address of 'b[i]' is computed in each iteration of this loop", f"{INNER} b[i].y = b[i].x"),
         ("this does more than read a value, or a macro has a part in it", "b[i]")],
    ),
    "a field before a loop": (
        f"{LOOP} private(s)\n{FOR} {{ s = q->k; {INNER} s += q->k * q->k; }}",
        [("'q->k' is read once before this loop", f"{INNER} s += q->k * q->k")],
    ),
    "a field of a loop that may be empty": (
        f"{LOOP} private(s)\n{FOR} {INNER} s += q->k * q->k;",
        [("'q->k' is read in each iteration of this loop", f"{INNER} s += q->k * q->k"),
         ("the loop may end before it reads it, and then there may be nothing to read", "q->k")],
    ),
    "a field that a loop may write": (
        f"{LOOP}\n{FOR} {{ s = q->k; {INNER} y[j] = q->k * q->k; }}",
        [("'q->k' is read in each iteration of this loop", f"{INNER} y[j] = q->k * q->k"),
         ("this may write 'q->k': nothing says that 'y' and 'q->k' are apart "
          "(a construct that maps sections of both, or 'restrict', does)", "y[j] = q->k * q->k")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_a_clean_up_tells_what_it_did_or_what_stopped_it(name: str) -> None:
    text, expected = READS[name]
    found = [shown(d) for d in remarks(text) if d.code == "rex-memory"]
    assert expected in found, found


def test_what_begins_a_loop_is_read_once() -> None:
    """The other use is a read of another element, which nothing has to do with that."""
    found = remarks(f"{LOOP} map(x[0:n])\n{FOR} for (int j = x[i]; j < x[i + 1]; j++) s += j;")
    assert not any("is not kept in a local" in d.message for d in found)


def test_loads_of_arrays_use_the_read_only_cache() -> None:
    text = f"{LOOP}\n{FOR} y[i] = table[i % 8];"
    source = (
        f"{HEAD}float table[8] = {{0}};\n#pragma omp {text.replace(LOOP, LOOP + ' map(to: table) map(y[0:n])')}\n}}\n"
    )
    found = support.translate_text(source, remarks=True).diagnostics
    assert [("loads of 'table' use the read-only cache: nothing writes it while the kernel runs", "table[i % 8]")] in [
        shown(d) for d in found
    ]


def test_threads_that_wait_for_each_other_stop_the_clean_ups() -> None:
    found = remarks("target parallel\n{ y[0] = x[0];\n#pragma omp barrier\n y[1] = x[0]; }")
    assert any("the region's threads wait for each other" in d.message for d in found if d.code == "rex-memory")


def test_functions_of_other_files_are_named_where_they_stop_something() -> None:
    declared = (
        "#pragma omp begin declare target\nfloat outer(float x);\nstatic float inner(float x) { return outer(x); }"
    )
    text = f"{declared}\n#pragma omp end declare target\n{HEAD}#pragma omp {LOOP}\n{FOR} y[i] = inner(x[i]);\n}}\n"
    told = [shown(d) for d in support.translate_text(text, remarks=True, alone=False).diagnostics]
    notes = [note for message, *found in told for note, _ in found]
    assert (
        "another file defines 'outer', of which nothing is known here: it may change any memory, and may make them wait"
        in notes
    )
    assert "it calls 'outer', which another file defines" in notes


def test_each_instance_of_a_template_has_its_kernel() -> None:
    source = (
        "template <class T> void g(T *p, int n) {\n#pragma omp target teams distribute parallel for\n"
        "for (int i = 0; i < n; i++) p[i] = 0;\n}\nvoid h(int *a, float *b) { g(a, 1); g(b, 1); }\n"
    )
    found = [d for d in support.translate_text(source, "t.cpp", remarks=True).diagnostics if d.code == "rex"]
    assert len({d.message for d in found}) == 2


def test_of_several_reasons_each_run_tells_the_same() -> None:
    """What libclang calls the variables, by which they lie in sets, is another number in each run."""
    parameters = ", ".join(f"int *p{k}" for k in range(8))
    writes = " = ".join(f"p{k}[j]" for k in range(1, 8))
    source = (
        f"void f(int n, {parameters}) {{\n#pragma omp {LOOP}\nfor (int i = 0; i < n; i++) {{\nint s = 0;\n"
        f"for (int j = 0; j < 4; j++) {{ s += p0[i]; {writes} = 3; }}\np0[i] = s;\n}}\n}}\n"
    )
    kept = [support.translate_text(source, remarks=True) for _ in range(4)]
    told = {"\n".join(support.render(d) for d in found.diagnostics) for found in kept}
    assert len(told) == 1 and "nothing says that 'p1' and 'p0' are apart" in told.pop()


def test_names_that_mean_nothing_yet_are_told_of_too() -> None:
    """In a template's lambda a call may name what only its instantiation has."""
    program = (Path(support.__file__).parent / "execution" / "programs" / "class_template_names.cpp").read_bytes()
    found = support.translate_text(program, "t.cpp", remarks=True)
    assert {d.severity for d in found.diagnostics} == {Severity.REMARK}
