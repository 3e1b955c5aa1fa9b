"""What ``-Rrex=queue`` tells of launches: which are queued, and what the others are waited for in front of."""

from __future__ import annotations

import pytest

import support
from rexcc.program.optimisations import Optimisation
from rexcc.source.diagnostics import Diagnostic

HEAD = """
#include <stdio.h>
struct box { int n; double *x; };
extern double elsewhere(double);
static int say(int k) { if (k) { printf("."); } return k; }
static int ask(int k) { return say(k) + 1; }
static int half(int k) { return k / 2; }
"""
REGION = "\n#pragma omp target teams distribute parallel for map(x[0:n])\nfor (int i = 0; i < n; i++) x[i] += k;\n"
TIMES = "for (int k = 0; k < 9; k++) "
WAITS = "the host waits for this kernel before it goes on"
QUEUED = "the host does not wait for this kernel: it is queued, with all up to line {}"
SEES = "what '{}' does may see whether kernels have ended"
CHANGES = "'{}' may be memory that kernels or copies change"


def told(body: str, signature: str = "void f(int n, double *x, int *o, struct box *b, int k)") -> list[Diagnostic]:
    found = support.translate_text(f"{HEAD}{signature} {{\n{body}\n}}\n", remarks=True)
    return [d for d in found.diagnostics if d.code == "rex-queue"]


REASONS = {
    "a call of the library": (f'{TIMES}{{{REGION} printf("."); }}', [("printf(", SEES.format("printf"))]),
    "a call in another function": (
        f"{TIMES}{{{REGION} ask(k); }}",
        [("ask(k)", SEES.format("ask")), ("say(k)", SEES.format("say")), ("printf(", SEES.format("printf"))],
    ),
    "the argument of a call": (f"{TIMES}{{{REGION} half(o[k] = 1); }}", [("o[k]", CHANGES.format("o[k]"))]),
    "what a pointer leads to": (f"{TIMES}{{ *o += k; {REGION}}}", [("*o", CHANGES.format("*o"))]),
    "the loop's header": (
        f"for (int k = 0; k < o[1]++; k++) {{{REGION}}}",
        [("o[1]", CHANGES.format("o[1]"))],
    ),
    "behind the launch first": (
        f'{TIMES}{{ printf("a"); {REGION} elsewhere(k); }}',
        [("elsewhere(k)", SEES.format("elsewhere"))],
    ),
    "a way out": (
        f"int j = 0; do {{{REGION} if (j++ > 3) return; }} while (o[1]--);",
        [("return", "control leaves the statements here")],
    ),
    "another directive": (
        f"{TIMES}{{{REGION}\n#pragma omp taskyield\n}}",
        [("", "this directive may see whether kernels have ended, or what it says is executed by the host")],
    ),
    "a function without a loop": (f"{REGION} b->n = n; *o = 1;", [("*o", CHANGES.format("*o"))]),
}


@pytest.mark.parametrize("name", REASONS)
def test_the_reason_is_the_first_thing_that_may_see_the_kernel(name: str) -> None:
    body, expected = REASONS[name]
    (remark,) = told(body)
    assert remark.message == WAITS
    assert [note.message for note in remark.notes] == [text for _, text in expected]
    for note, (start, _) in zip(remark.notes, expected, strict=True):
        assert note.span is not None and note.span.text.startswith(start)


def test_what_is_queued_is_told_with_its_end() -> None:
    lines = f"{HEAD}void f() {{\n{TIMES}{{{REGION} k = half(k); }}".count("\n") + 1
    (remark,) = told(f"{TIMES}{{{REGION} k = half(k); }}")
    assert (remark.message, remark.notes) == (QUEUED.format(lines), ())


def test_what_interrupts_a_queue_is_told() -> None:
    queued, interrupted = told(f'{TIMES}{{{REGION} if (k == 4) printf("."); {REGION}}}')[:2]
    assert queued.message.startswith("the host does not wait")
    assert interrupted.message == "the host waits for all queued kernels in front of other statements"
    assert [note.span.text.startswith('printf(".")') for note in interrupted.notes if note.span] == [True]


def test_a_quiet_function_leaves_it_to_its_callers() -> None:
    (remark,) = told(REGION)
    assert remark.message == "the host waits for this kernel, unless a caller of 'f' queues it"
    assert not told(f"double x[9]; int n = 9, k = 2;{REGION} return 0;", "int main(void)")


def test_tasks_that_depend_on_each_other_are_told_what_queues_them() -> None:
    task = REGION.replace("parallel for", "parallel for nowait depend(inout: x[0])")
    (remark,) = told(f"{TIMES}{{{task}}} *o = 1;\n#pragma omp taskwait")
    assert remark.message.startswith("this kernel is a task, which takes longer than a kernel in a queue")
    assert remark.notes[-1].message.startswith("tasks that depend on each other are queued where")
    (remark,) = told(f"{TIMES}{{{task}}}\n#pragma omp taskwait")
    assert remark.message.startswith("the host does not wait for this kernel")


def test_nothing_is_told_of_queues_that_are_left_out() -> None:
    text = f"{HEAD}void f(int n, double *x) {{ {TIMES}{{{REGION} *x = 1; }} }}\n"
    found = support.translate_text(text, remarks=True, left_out=frozenset({Optimisation.QUEUES}))
    assert all(d.code != "rex-queue" for d in found.diagnostics)
