"""Which statements of the host program queue their kernels, and that all others wait for each."""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path

import pytest

import rexcc
import support

HEAD = """
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct options { int count; double rate; };
extern double elsewhere(double);
static volatile int watched;
typedef volatile int step;
static step named;
static struct { int n; struct { volatile int ready; } flags[2]; } flags_seen;
static struct { int n; _Atomic int ready; } ready_seen;
static int total, *of_all;
static void scale(double *a, int n, double by) {
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] *= by;
}
static void scale_and_tell(double *a, int n) { scale(a, n, 2); printf("."); }
static int half(int n) { return n / 2; }
int often(int n) { return n; }
#pragma weak often
#define TIMES(count) for (int k = 0; k < (count); k++)
#define BOTH(call) printf("."); call; call
#define INSIDE(call) { int m = call; { ; } ; }
#define IF_THERE(call) if (n > 2) { printf("."); for (int k = 0; k < 9; k++) call; }
#define IN_LOOP(call) for (int j = 0; j < 2; j++) { printf("."); for (int k = 0; k < 9; k++) call; }
#define ONCE(call) do { printf("."); call; } while (0)
#define TWICE(call) call; call
#define QUIETLY(call) { call; call; }
static int told(double *a, int n) { scale_and_tell(a, n); return 1; }
static void follow(struct options *q, double *a) { q->rate += 1; scale(a, q->count, q->rate); }
static void hand_on(struct options *q, double *a) { follow(q, a); }
static void again(double *a, int n) { if (n > 0) { scale(a, n, 2); again(a, n - 1); } }
void f(double *a, double *b, int n, int *done, struct options o, struct options *p) {
  double table[4] = {1, 2, 3, 4}, sum = 0;
  #pragma omp target data map(tofrom: a[0:n], b[0:n])
  {
"""


def region(clause: str = "") -> str:
    """Return a region that has a clause."""
    return f"\n#pragma omp target teams distribute parallel for {clause}\nfor (int i = 0; i < n; i++) a[i] += k;\n"


REGION = region()

QUIET = {
    "a region": f"for (int k = 0; k < 9; k++) {{{REGION}}}",
    "a region without braces": f"for (int k = 0; k < 9; k++) {REGION}",
    "a function with a region": "for (int k = 0; k < 9; k++) scale(a, n, k);",
    "a bound that is a member": f"for (int k = 0; k < 9; k++) {{{REGION.replace('i < n', 'i < o.count')}}}",
    "arithmetic": f"for (int k = 0; k < 9; k++) {{ int m = pow(2, k); sum += m * o.rate + table[k % 4];{REGION}}}",
    "an object by its address": "for (int k = 0; k < 9; k++) follow(&o, a);",
    "an object by its address, handed on": "for (int k = 0; k < 9; k++) hand_on(&o, a);",
    "exchanged pointers": f"for (int k = 0; k < 9; k++) {{{REGION} double *t = a; a = b; b = t; }}",
    "tasks": f"for (int k = 0; k < 9; k++) {{{region('nowait')}}}",
    "a while loop": f"int k = o.count; while (k-- > 0) {{{REGION} if (k == 3) break; }}",
    "a do loop": f"int k = 0; do {{{REGION} }} while (++k < 9);",
    "loops in loops": f"for (int j = 0; j < 9; j++) for (int k = j; k < 9; k++) {{{REGION}}}",
    "a function that computes": f"for (int k = 0; k < half(n); k++) {{{REGION}}}",
    "data that moves": f"for (int k = 0; k < 9; k++) {{\n#pragma omp target update to(a[0:n])\n{REGION}}}",
    "memory that is mapped around it": f"for (int k = 0; k < b[3]; k++) {{{REGION} a[k] = b[0] * 2; }}",
    "a loop around which another one prints": 'for (int j = 0; j < 9; j++) { printf("%d", j);'
    f"\nfor (int k = 0; k < 9; k++) {{{REGION}}}}}",
    "a device": f"for (int k = 0; k < 9; k++) {{{region('device(k % 2)')}}}",
    "a device by its number": f"for (int k = 0; k < 9; k++) {{{region('device(device_num: o.count)')}}}",
    "data that moves to a device": "for (int k = 0; k < 9; k++) {"
    f"\n#pragma omp target update to(a[0:n]) device(k)\n{REGION}}}",
    "data that is mapped on a device": f"for (int k = 0; k < 9; k++) {{{REGION}"
    f"\n#pragma omp target data map(b[0:n]) device(k)\n{REGION}}}",
    "a volatile counter": f"for (volatile int k = 0; k < 9; k++) {{{REGION}}}",
    "a counter of a type whose name is that of a volatile one": f"for (step k = 0; k < 9; k++) {{{REGION}}}",
    "a switch": f"for (int k = 0; k < 9; k++) switch (k % 3) {{ case 0: {REGION} break; case 1: continue; "
    f"default: {{ scale(a, n, 2); break; }} }}",
    "sizes and types": "for (int k = 0; k < (int)sizeof(table) / 8; k++) {"
    f" typedef struct {{ int m; }} pair; enum {{ two = 2 }}; pair m = {{two}}; sum += m.m + sizeof(int[3]);{REGION}}}",
    "an assertion": f'for (int k = 0; k < 9; k++) {{ assert(k < n && "in order");{REGION} }}',
    "the address of a row": "double (*rows)[4] = (double (*)[4])b;"
    f"for (int k = 0; k < 9; k++) {{ double *row = rows[k]; {REGION} b = row; }}",
    "behind else": f"if (n > 3) sum = 1; else for (int k = 0; k < 9; k++) {{{REGION}}}",
}

LOUD = {
    "prints": f'for (int k = 0; k < 9; k++) {{{REGION} printf("%d", k); }}',
    "calls what is elsewhere": f"for (int k = 0; k < 9; k++) {{{REGION} sum = elsewhere(sum); }}",
    "calls one without prototype": f"double older(); for (int k = 0; k < 9; k++) {{{REGION} sum = older(sum); }}",
    "calls a function that prints": "for (int k = 0; k < 9; k++) scale_and_tell(a, n);",
    "calls what another file may replace": f"for (int k = 0; k < often(n); k++) {{{REGION}}}",
    "calls one that calls itself": "for (int k = 0; k < 9; k++) again(a, k);",
    "calls through a pointer": f"double (*g)(double) = sqrt; for (int k = 0; k < 9; k++) {{{REGION} sum = g(sum); }}",
    "writes through a pointer": f"for (int k = 0; k < 9; k++) {{{REGION} done[0] = k; }}",
    "writes through what is not mapped here": f"}} for (int k = 0; k < 9; k++) {{{REGION} a[0] = k; }} {{",
    "writes through a pointer that is mapped itself": "\n#pragma omp target data map(to: done)\n"
    f"for (int k = 0; k < 9; k++) {{{REGION} done[0] = k; }}",
    "writes through a pointer of the file's": "\n#pragma omp target data map(of_all[0:n])\n"
    f"for (int k = 0; k < 9; k++) {{{REGION} of_all[0] = k; }}",
    "writes through a mapped pointer that changes": f"for (int k = 0; k < 9; k++) {{{REGION} a[0] = k; a++; }}",
    "writes through a mapped pointer that is known elsewhere": "double **q = &a;"
    f"for (int k = 0; k < 9; k++) {{{REGION} a[0] = k; *q = b; }}",
    "writes through a device's pointer": "\n#pragma omp target data map(a[0:n]) use_device_ptr(b)\n"
    f"for (int k = 0; k < 9; k++) {{{REGION} b[0] = k; }}",
    "changes an object that others know": "struct options **q = &p;"
    f"for (int k = 0; k < p->count; k++) {{{REGION} *q += 1; }}",
    "gives a function an element's address": "for (int k = 0; k < 9; k++) follow(&p[1], a);",
    "gives a function a pointer that changes": "struct options *q = p; for (int k = 0; k < 9; k++) follow(q++, a);",
    "gives a function a pointer that others know": "struct options *q = p, **r = &q;"
    "for (int k = 0; k < 9; k++) { follow(q, a); *r = p + k; }",
    "gives a function a static pointer": "static struct options *q; for (int k = 0; k < 9; k++) follow(q, a);",
    "gives a function a pointer that is bound later": "struct options *q; q = p;"
    "for (int k = 0; k < 9; k++) follow(q, a);",
    "reads a volatile variable": f"for (int k = 0; k < watched; k++) {{{REGION}}}",
    "reads a variable of a type whose name is that of a volatile one": f"for (int k = 0; k < named; k++) {{{REGION}}}",
    "changes an object with a volatile part": "__typeof__(flags_seen) now = {0};"
    f"for (int k = 0; k < 9; k++) {{{REGION} flags_seen = now; }}",
    "changes an object with an atomic part": "__typeof__(ready_seen) now = {0};"
    f"for (int k = 0; k < 9; k++) {{{REGION} ready_seen = now; }}",
    "has a volatile counter that others know": "volatile int k; volatile int *q = &k;"
    f"for (k = 0; k < 9; ++k) {{{REGION}}}",
    "jumps into it": f"if (n > 3) goto in; for (int k = 0; k < 9; k++) {{{REGION} if (k == n) {{ in: total++; }} }}",
    "breaks in what prints": f'for (int k = 0; k < 9; k++) {{{REGION} if (printf(".") > 3) break; }}',
    "goes on in what prints": f'for (int k = 0; k < 9; k++) {{{REGION} if (printf(".") > 3) continue; total++; }}',
    "prints in its header": f'for (int k = 0; k < 9; printf("."), k++) {{{REGION} if (k == n) break; }}',
    "asks elsewhere about everything": f"for (int k = 0; k < 9; k++) {{{REGION} if (elsewhere(k) > 3) total++; }}",
    "jumps into a loop": f'switch (n) {{ default: printf(".");'
    f" for (int k = 0; k < 9; k++) {{ {REGION} case 1: sum = 1; }} }}",
    "measures an array whose extent a call gives": "for (int k = 0; k < (int)sizeof(char[(int)elsewhere(k) + 1]); k++)"
    f" {{{REGION}}}",
    "has a type whose extent a call gives": f"for (int k = 0; k < 9; k++) {{ typedef char row[(int)elsewhere(k) + 1];"
    f" sum += sizeof(row);{REGION}}}",
    "asserts what a pointer leads to": f"for (int k = 0; k < 9; k++) {{ assert(*done < n);{REGION} }}",
    "fails with what a call gives": f'for (int k = 0; k < 9; k++) {{ __assert_fail("k", "t.c",'
    f' (unsigned)elsewhere(k), "f");{REGION} }}',
    "has a task that waits": f"for (int k = 0; k < 9; k++) {{{region('nowait depend(inout: a[0])')}}}",
    "has data that moves meanwhile": f"for (int k = 0; k < 9; k++) {{{REGION}"
    "\n#pragma omp target update to(b[0:n]) nowait\n}",
    "reads through a pointer on which device": f"for (int k = 0; k < 9; k++) {{{region('device(*done)')}}}",
    "asks elsewhere on which device": f"for (int k = 0; k < 9; k++) {{{region('device((int)elsewhere(k))')}}}",
    "has data of another device that moves meanwhile": f"for (int k = 0; k < 9; k++) {{{REGION}"
    "\n#pragma omp target update to(b[0:n]) device(1) nowait\n}",
    "writes through what is mapped on some device": "}\n#pragma omp target data map(a[0:n]) device(n)\n{"
    f"for (int k = 0; k < 9; k++) {{{REGION} a[0] = k; }}",
    "writes through what may be mapped": "}\n#pragma omp target data map(a[0:n]) if(n > 3)\n{"
    f"for (int k = 0; k < 9; k++) {{{REGION} a[0] = k; }}",
    "may be a task of the host": f"for (int k = 0; k < 9; k++) {{{region('nowait if(k > 2)')}}}",
    "reads a pointer in a clause": f"for (int k = 0; k < 9; k++) {{{region('num_teams(*done)')}}}",
    "reads an element in a clause": f"for (int k = 0; k < 9; k++) {{{region('num_teams(done[0])')}}}",
    "reads a bound through a pointer": f"for (int k = 0; k < 9; k++) {{{region('map(a[0:*done])')}}}",
    "shares its work among threads": f"for (int k = 0; k < 9; k++) {{{REGION}\n#pragma omp parallel for\n"
    "for (int i = 0; i < 9; i++) total = i; }",
    "is in a region": "\n#pragma omp target\nfor (int k = 0; k < 9; k++) a[k] = k;\n",
    "launches nothing": "for (int k = 0; k < 9; k++) total += half(k);",
}


TELLS = 'printf("then");'
AGAIN = "for (int k = 0; k < 9; k++)"

INTERRUPTED = {
    "sometimes": (f"{AGAIN} {{{REGION} if (k % 4 == 0) {TELLS} }}", "begin queue end then begin end"),
    "sometimes, before": (f"{AGAIN} {{ if (k == 4) {TELLS} {REGION}}}", "begin end then begin queue end"),
    "one of two": (
        f"{AGAIN} {{ if (k % 2) {{ {TELLS} {TELLS} }} else {REGION} }}",
        "begin end then then begin queue end",
    ),
    "in the middle": (f"{AGAIN} {{{REGION} {TELLS} {REGION}}}", "begin queue end then begin queue end"),
    "at the beginning and at the end": (f"{AGAIN} {{ {TELLS} {REGION} {TELLS} }}", "then queue then"),
    "once in each iteration": (f"{AGAIN} {{ {TELLS} {REGION} }}", "then queue"),
    "a return": (f"}} {AGAIN} {{{REGION} if (k == n) return; }} {{", "begin queue end return end"),
    "a jump out": (f"{AGAIN} {{{REGION} if (k == n) goto end; }} end:;", "begin queue end goto end"),
    "a return behind": (
        f"}} {AGAIN} {{{REGION} if (k == n) {{ {TELLS} return; }} }} {{",
        "begin queue end then return end",
    ),
    "a break between": (
        f"{AGAIN} {{ if (k == n) break; {REGION} {TELLS} {REGION}}}",
        "begin queue end then begin queue end",
    ),
    "a while loop": (f"int k = 9; while (k-- > 0) {{{REGION} if (k == 3) {TELLS} }}", "begin queue end then begin end"),
    "a do loop": (f"int k = 9; do {{{REGION} if (k == 3) {TELLS} }} while (k--);", "begin queue end then begin end"),
    "around updates": (
        f"{AGAIN} {{\n#pragma omp target update from(a[0:n])\n{TELLS}"
        f"\n#pragma omp target update to(a[0:n])\n{REGION}}}",
        "begin update end then begin update queue end",
    ),
    "an update under a condition": (
        f"{AGAIN} {{\n#pragma omp target update from(a[0:n]) if (n > 2)\n{TELLS} {REGION}}}",
        "begin update end then begin queue end",
    ),
    "in a row": (f"int k = 2; {REGION} if (n > 3) {TELLS} {REGION}", "begin queue end then begin queue end"),
    "in a row that begins alone": (f"int k = 2; if (n > 3) {TELLS} {REGION}", "then queue"),
    "an inner loop": (
        f"for (int j = 0; done[j]; j++) {{ {TELLS} {AGAIN} {{{REGION} if (k == 3) {TELLS} }} }}",
        "then begin queue end then begin end",
    ),
    "inside of what interrupts": (
        f"{AGAIN} {{{REGION} if (k == 3) {{ {TELLS} {REGION}{REGION} {TELLS} }} }}",
        "begin queue end then begin queue queue end then begin end",
    ),
    "a time": (
        f"{AGAIN} {{{REGION} if (k == 3) {{ double t = elsewhere(k); sum += t; }} }}",
        "begin queue end begin end",
    ),
    "another construct": (
        f"{AGAIN} {{{REGION} if (k == 3)\n#pragma omp parallel for\nfor (int i = 0; i < 9; i++) done[i] = i;\n}}",
        "begin queue end begin end",
    ),
    "a directive alone": (
        f"{AGAIN} {{{REGION} if (k == 3) {{\n#pragma omp taskyield\n}} }}",
        "begin queue end begin end",
    ),
    "a macro's statement": (f"{AGAIN} {{{REGION} if (k == 3) ONCE(told(a, n)); }}", "begin queue end begin end"),
    "a macro's statements": (f"{AGAIN} {{{REGION} if (k == 3) BOTH(total++); }}", "queue"),
    "a macro's statements in a loop without braces": (
        f"int k = 2; if (n > 3) for (; k < 9; k++) TWICE(scale(a, n, 2)); {REGION} {TELLS}",
        "queue then",
    ),
    "a macro's block": (f"{AGAIN} {{{REGION} if (k == 3) INSIDE(told(a, n)); }}", "begin queue end begin end"),
}


EVENTS = {
    r"rex_batch_begin\(": "begin",
    r"rex_batch_end\(": "end",
    r"__tgt_target_kernel\(&": "queue",
    r"__tgt_target_data_update_mapper\(&": "update",
    r'"then"': "then",
    r"\breturn\b": "return",
    r"\bgoto\b": "goto",
}


@pytest.mark.parametrize("name", INTERRUPTED)
def test_what_sees_kernels_interrupts_a_run(name: str) -> None:
    """The queue is closed around it on every way, and open on the ways between what is queued."""
    text, expected = INTERRUPTED[name]
    code = statements(hosts(*(text for text, _ in INTERRUPTED.values()))[text])
    code = code[code.index("_data_begin_mapper(&") :]
    found = re.findall("|".join(EVENTS), code)
    events = [next(event for pattern, event in EVENTS.items() if re.fullmatch(pattern, text)) for text in found]
    assert " ".join(events) == expected


TASK = region("nowait")
WAIT = "\n#pragma omp taskwait\n"
WITH_TASKS = HEAD.replace("struct options {", "void others(int *p, int n) {\nOTHERS\n}\nstruct options {", 1)
WAITING = {
    "for a kernel": (f"{AGAIN} {{{TASK}{WAIT}}}", "", True),
    "for several": (f"{AGAIN} {{{TASK}{TASK}{WAIT}{REGION}}}", "", True),
    "under a condition": (f"{AGAIN} {{{REGION} if (k == 3) {{ {WAIT} }} }}", "", True),
    "where there are tasks of the host": (f"{AGAIN} {{{TASK}{WAIT}}}", "\n#pragma omp task\n*p = 1;", False),
    "where a loop makes tasks": (
        f"{AGAIN} {{{TASK}{WAIT}}}",
        "\n#pragma omp taskloop\nfor (int i = 0; i < n; i++) p[i] = 1;",
        False,
    ),
    "where data moves beside kernels": (
        f"{AGAIN} {{{TASK}{WAIT}}}",
        "\n#pragma omp target update to(p[0:n]) nowait\n",
        True,
    ),
    "where data may still be mapped": (
        f"{AGAIN} {{{TASK}{WAIT}}}",
        "\n#pragma omp target enter data map(to: p[0:n]) nowait\n",
        False,
    ),
    "where kernels wait for each other": (
        f"{AGAIN} {{{TASK}{WAIT}}}",
        "\n#pragma omp target nowait depend(out: *p)\n*p = 1;",
        True,
    ),
    "where kernels have other devices": (f"{AGAIN} {{{region('nowait device(k % 2)')}{WAIT}}}", "", False),
    "where a kernel may be a task of the host": (
        f"{AGAIN} {{{TASK}{WAIT}}}",
        "\n#pragma omp target nowait if(n)\n;",
        False,
    ),
    "where tasks follow each other": (f"{AGAIN} {{{TASK}{WAIT}}}", "\n#pragma omp taskwait depend(in: *p)\n", True),
    "for some tasks": (f"{AGAIN} {{{TASK}\n#pragma omp taskwait depend(in: *done)\n}}", "", False),
    "for a group of tasks": (f"{AGAIN} {{\n#pragma omp taskgroup\n{{{TASK}}}}}", "", False),
}


@pytest.mark.parametrize("name", WAITING)
def test_a_run_may_wait_for_tasks_where_there_are_no_others_than_its_kernels(name: str) -> None:
    """It waits for all others where it begins: a ``taskwait`` executes tasks, which may do anything."""
    text, others, is_quiet = WAITING[name]
    code = host(text, WITH_TASKS.replace("OTHERS", others))
    assert ("rex_batch_begin_behind_tasks();" in code) == is_quiet
    assert "rex_batch_begin();" not in code
    assert len(re.findall(r"(?m)^ *#pragma omp taskwait$", code)) == text.count(WAIT)
    assert code.count("rex_batch_taskwait();") == (text.count(WAIT) if is_quiet else 0)


def test_streams_hear_of_each_wait_for_tasks_in_a_run() -> None:
    """Of those that a macro writes as well: kernels that follow would not wait for kernels of tasks in front of it."""
    waiting = HEAD.replace("struct options {", '#define WAITED _Pragma("omp taskwait")\nstruct options {', 1)
    code = host(f"{AGAIN} {{{FIRST}{WAIT}{SECOND} WAITED {FIRST} if (k == 3) {{ {WAIT} }} }}{WAIT}", waiting)
    run = code[code.index("rex_batch_begin_behind_tasks();") : code.rindex("rex_batch_end();")]
    assert run.count("rex_batch_taskwait();") == len(re.findall(r"omp taskwait\b", run)) >= 3
    assert (
        len(
            re.findall(r"rex_batch_taskwait\(\);[^\n]*\n(?:#line[^\n]*\n)?\s*(?:#pragma |_Pragma\(\")omp taskwait", run)
        )
        >= 3
    )


def ordered(clause: str = "depend(inout: a[0:n])") -> str:
    """Return a kernel that is a task with a place between others."""
    return region(f"nowait {clause}")


FIRST, SECOND = ordered("depend(out: a[k])"), ordered("depend(in: a[0:n]) depend(inout: table[k % 4])")
UP = "\n#pragma omp target update to(b[0:n]) nowait depend(inout: b[0])\n"
IN_ORDER = {
    "behind the loop": f"{AGAIN} {{{FIRST}{SECOND}}}{WAIT}",
    "in the loop": f"{AGAIN} {{{FIRST}{SECOND}{WAIT}}}",
    "behind what computes": f"{AGAIN} {{{FIRST} sum += k;{SECOND} }} sum *= 2;{WAIT}",
    "under a condition": f"{AGAIN} {{ if (k % 2) {{{FIRST}}} else {{{SECOND}}} }}{WAIT}",
    "with updates": f"{AGAIN} {{{UP}{FIRST}\n#pragma omp target update from(b[0:n]) nowait depend(in: b[0])\n}}{WAIT}",
    "of all kinds": f"{AGAIN} {{{ordered('depend(mutexinoutset: a[k])')}{ordered('depend(inoutset: a[k], b[k])')}"
    f"{ordered('depend(inout: omp_all_memory)')}}}{WAIT}",
    "with others that are waited for": f"{AGAIN} {{{FIRST}{REGION}{SECOND}}}{WAIT}",
    "in a row": f"int k = 2;{FIRST}{SECOND}{WAIT}",
    "where a function makes them": f"{AGAIN} add_later(a, n, k);{WAIT}",
    "at the end of single": f"\n#pragma omp parallel\n#pragma omp single\n{{ {AGAIN} {{{FIRST}{SECOND}}} }}",
    "at the end of parallel": f"\n#pragma omp parallel\n{{ {AGAIN} {{{FIRST}{SECOND}}} }}",
    "before what sees kernels": f"{AGAIN} {{{FIRST}{SECOND}{WAIT} if (k == 3) {TELLS} }}",
    "of pointers with names": "double *tiles[4] = {a, b, a, b};"
    f"{AGAIN} {{{ordered('depend(inout: tiles[k][0])')}}}{WAIT}",
}
OUT_OF_ORDER = {
    "nothing waits": f"{AGAIN} {{{FIRST}{SECOND}}}",
    "the host works beside them": f"{AGAIN} {{{FIRST}{SECOND}}} *done = 1;{WAIT}",
    "the host works beside them in the loop": f"{AGAIN} {{{FIRST}{SECOND} if (k == 3) {TELLS}{WAIT} }}",
    "the next iteration works beside them": f"{AGAIN} {{ if (k == 3) {TELLS}{FIRST}{SECOND} }}{WAIT}",
    "some of them are waited for": f"{AGAIN} {{{FIRST}{SECOND}}}\n#pragma omp taskwait depend(in: a[0])\n",
    "one is executed by the host": f"{AGAIN} {{{ordered('depend(out: a[k]) if(k)')}{SECOND}}}{WAIT}",
    "one has another device": f"{AGAIN} {{{ordered('depend(out: a[k]) device(k)')}{SECOND}}}{WAIT}",
    "one is a task of the host": f"{AGAIN} {{{FIRST}\n#pragma omp task depend(in: a[k])\n*done = 1;\n}}{WAIT}",
    "data is mapped between": f"{AGAIN} {{{FIRST}"
    f"\n#pragma omp target enter data map(to: done[0]) nowait depend(in: a[k])\n}}{WAIT}",
    "others wait for all of a team": "\n#pragma omp parallel\n#pragma omp single nowait\n"
    f"{{ {AGAIN} {{{FIRST}{SECOND}}} }}",
    "an address lies in memory": f"double **tiles = &a;{AGAIN} {{{ordered('depend(inout: tiles[k][0])')}}}{WAIT}",
}
MAKES_TASKS = HEAD.replace(
    "struct options {",
    f"static void add_later(double *a, int n, int k) {{{region('nowait depend(out: a[k])')}}}\nstruct options {{",
    1,
)


@pytest.mark.parametrize("name", IN_ORDER)
def test_tasks_that_depend_on_each_other_are_queued_where_all_are_waited_for(name: str) -> None:
    """Where nothing waits for tasks in the run, what they bring home may arrive at its end."""
    code = host(IN_ORDER[name], MAKES_TASKS)
    waits = "#pragma omp taskwait" in code[code.index("rex_batch_begin_") : code.rindex("rex_batch_end();")]
    assert ("rex_batch_begin_behind_tasks();" in code, "rex_batch_begin_of_tasks();" in code) == (waits, not waits)
    assert "rex_batch_begin();" not in code


@pytest.mark.parametrize("name", OUT_OF_ORDER)
def test_tasks_that_depend_on_each_other_stay_tasks_where_the_host_may_work_beside_them(name: str) -> None:
    code = host(OUT_OF_ORDER[name], MAKES_TASKS)
    assert "rex_batch_begin_behind_tasks();" not in code
    assert "rex_batch_begin_of_tasks();" not in code


def test_what_interrupts_a_run_may_make_tasks() -> None:
    code = host(f"{AGAIN} {{{TASK}{WAIT} if (k == 3) {TELLS} }}", WITH_TASKS.replace("OTHERS", ""))
    assert code.count("rex_batch_begin_behind_tasks();") == 2


SEVERAL = {
    "regions": (f"int k = 2; {REGION} k++; {REGION}", 1),
    "a call and a region": (f"int k = 2; scale(a, n, k); {REGION}", 1),
    "one alone": (f"int k = 2; {REGION}", 0),
    "an update behind a region": (f"int k = 2; {REGION}\n#pragma omp target update from(a[0:n])\n", 1),
    "an update before a region": (f"int k = 2;\n#pragma omp target update to(a[0:n])\n{REGION}", 1),
    "updates alone": ("\n#pragma omp target update to(a[0:n])\n#pragma omp target update from(b[0:n])\n", 0),
    "an update of what is pointed to": (f"int k = 2; {REGION}\n#pragma omp target update from(a[0:*done])\n", 0),
    "an update that nobody waits for": (f"int k = 2; {REGION}\n#pragma omp target update from(a[0:n]) nowait\n", 0),
    "something said before an update": (
        f'int k = 2; {REGION} printf(".");\n#pragma omp target update from(a[0:n])\n',
        0,
    ),
    "something said in between": (f'int k = 2; {REGION} printf("."); {REGION}', 0),
    "twice": (f'int k = 2; {REGION}{REGION} printf("."); {REGION}{REGION}', 2),
    "before a jump out": (f"for (int k = 0; done[k]; k++) {{ {REGION}{REGION} if (k == n) break; }}", 1),
    "around a jump out": (f"for (int k = 0; elsewhere(k) > 0; k++) {{ {REGION} if (k == n) break; {REGION} }}", 0),
    "in a loop of a host construct": (
        "\n#pragma omp parallel for collapse(2)\n"
        f"for (int j = 0; j < 9; j++) for (int k = 0; k < 9; k++) {{ {REGION} }}",
        0,
    ),
    "in sections": (
        f"int k = 2;\n#pragma omp sections\n{{\n#pragma omp section\n{REGION}\n#pragma omp section\n{REGION}}}",
        0,
    ),
    "in a parallel region": (f"\n#pragma omp parallel\nfor (int k = 0; k < 9; k++) {{ {REGION} }}", 1),
    "a macro's loop": (f"TIMES(9) {{ {REGION} }}", 1),
    "a macro's block": (f"int k = 2; QUIETLY(scale(a, n, 2)); {REGION}", 1),
    "in a macro, behind something said": (f"BOTH(scale(a, n, 2)); int k = 2; {REGION}", 0),
    "in a macro's block, behind something said": (f"INSIDE(told(a, n)); int k = 2; {REGION}", 0),
    "in a macro's condition, behind something said": ("IF_THERE(scale(a, n, k))", 0),
    "in a macro's loop, behind something said": ("IN_LOOP(scale(a, n, k))", 0),
    "behind a label": (f"int k = 2; switch (n) {{ case 1: {REGION} break; case 2: {REGION} }}", 0),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_statements_in_a_row(name: str) -> None:
    text, count = SEVERAL[name]
    made = hosts(*(text for text, _ in SEVERAL.values()))
    assert "rex_batch" not in made[""]
    code = statements(made[text])
    assert re.findall(r"rex_batch_(\w+)\(\)", code) == ["begin", "end"] * count
    if count:
        assert code.index("rex_batch_begin") < code.index("__tgt_target_kernel", code.index("data_begin"))


@pytest.mark.parametrize("ending", ["from(a[0:n])", "\\\n  from(a[0:n])  "])
def test_an_update_at_an_end_is_inside(ending: str) -> None:
    first, last = "\n#pragma omp target update to(b[0:n])\n", f"#pragma omp target update {ending}\n"
    code = statements(host(f'int k = 1; printf("then"); {first}{REGION}{last} printf("end");'))
    calls = re.findall(r"rex_batch_\w+\(|__tgt_target_\w+\(&|printf", code[code.index('printf("then') + 1 :])
    queued = ["__tgt_target_data_update_mapper(&", "__tgt_target_kernel(&", "__tgt_target_data_update_mapper(&"]
    assert calls[:6] == ["rex_batch_begin(", *queued, "rex_batch_end(", "printf"]


def host(text: str, head: str = HEAD, name: str = "t.c") -> str:
    source = support.with_used_headers(f"{head}{text}\n}}\n}}\n")
    found = support.translate_text(source, name, arguments=("-w",))
    assert found.host is not None, support.rendered(found)
    return found.host.text


@functools.cache
def hosts(*texts: str, head: str = HEAD, name: str = "t.c") -> dict[str, str]:
    """Return by each text what a host file has for a function with it, of as many as there are; "" is all else."""
    before, function = head.rsplit("void f(", 1)
    functions = (f"void f{number}({function}{text}\n}}\n}}\n" for number, text in enumerate(texts))
    found = support.translate_text(before + "".join(functions), name, arguments=("-w",))
    assert found.host is not None, support.rendered(found)
    first, *others = re.split(r"(?m)^void f\d+\(", found.host.text)
    *made, last = others
    last, end, after = last.partition("__rex_offload_entries")
    assert end, "what the file registers stands behind its functions"
    return {"": first + after} | dict(zip(texts, [*made, last], strict=True))


def statements(text: str) -> str:
    """Return generated text without directives and comments, on one line."""
    return " ".join(re.sub(r"(?m)^#.*$|/\*[\s\S]*?\*/|//.*$", " ", text).split())


@pytest.mark.parametrize("name", QUIET)
def test_a_loop_that_cannot_see_its_kernels_end_queues_them(name: str) -> None:
    made = hosts(*QUIET.values())
    assert "rex_batch" not in made[""]
    text = made[QUIET[name]]
    assert re.findall(r"rex_batch_(\w+)\(\)", text) == ["begin", "end"]
    code = statements(text)
    assert re.search(r"rex_batch_begin\(\); (?:for|while|do|\{) ", code)
    assert "_kernel" not in code[code.index("rex_batch_end") :]


IFS = ["if(k > 2)", "if(target: k > 2)", "if(k > 2) map(a[0:n])", "if(target: k) if(parallel: k)"]


@pytest.mark.parametrize("clause", IFS)
def test_the_host_waits_before_it_executes_a_region_of_a_queue(clause: str) -> None:
    """In front of all that its version of the region needs."""
    text = host(f"for (int k = 0; k < 9; k++) {{{region(clause)}}}")
    assert re.findall(r"rex_batch_(\w+)\(\)", text) == ["begin", "wait", "end"]
    assert re.search(r"if \(!\(.*\) \|\| __tgt_target_kernel\([^;]*\) != 0\) \{ rex_batch_wait\(\);", statements(text))


def test_a_condition_that_may_see_kernels_queues_none() -> None:
    text = host(f"for (int k = 0; k < 9; k++) {{{region('if(elsewhere(k) > 2)')}}}")
    assert "rex_batch_begin" not in text


@pytest.mark.parametrize("clause", ["", "if(parallel: k > 2)"])
def test_nothing_is_waited_for_where_the_host_executes_no_region(clause: str) -> None:
    text = host(f"for (int k = 0; k < 9; k++) {{{region(clause)}}}")
    assert re.findall(r"rex_batch_(\w+)\(\)", text) == ["begin", "end"]


@pytest.mark.parametrize("name", LOUD)
def test_all_others_wait_for_each_kernel(name: str) -> None:
    made = hosts(*LOUD.values())
    assert "__tgt_target" in made[LOUD[name]]
    assert "rex_batch" not in made[LOUD[name]] + made[""]


@pytest.mark.parametrize(
    ("bound", "waits"),
    [
        ("o.count", []),
        ("p->count", ["&p->count"]),
        ("done[k] + p[1].count", ["&done[k]", "&p[1].count"]),
        ("*done * p->count - *done", ["&*done", "&p->count"]),
        ("half(n)", []),
        ("half(*done)", ["&*done"]),
    ],
)
def test_a_launch_waits_before_the_host_reads_its_bounds(bound: str, waits: list[str]) -> None:
    """What a pointer leads to may be memory that a kernel of the batch writes: the runtime knows, not the text."""
    text = host(f"for (int k = 0; k < 9; k++) {{{REGION.replace('i < n', f'i < {bound}')}}}")
    assert "rex_batch_begin" in text
    assert re.findall(r"rex_host_reads\((.*)\);", text) == waits
    between = text.rpartition("rex_host_reads(")[2].partition("__rex_tripcount =")[0] if waits else ""
    assert "__tgt_target_kernel" not in between


READ = {
    "a pointee": ("for (int k = 0; k < *done; k++) {%s}", ["*done"]),
    "an element": ("for (int k = 0; k < done[0]; k++) {%s}", ["done[0]"]),
    "a subscript too": ("int k = 0; while (k < done[done[1]]) { k++; %s }", ["done[REX_HOST_READ(done[1])]"]),
    "a member of what another pointer leads to": (
        "struct options *q = p + n; for (int k = 0; k < q->count; k++) {%s}", ["q->count"],
    ),
    "of what a changed parameter leads to": ("for (int k = 0; k < p->count; k++, p++) {%s}", ["p->count"]),
    "a member of an element": ("for (int k = 0; k < p[1].count; k++) {%s}", ["p[1].count"]),
    "behind a global pointer": ("for (int k = 0; k < 9; k++) { int c = of_all[k] + 1; n = c; %s }", ["of_all[k]"]),
    "with a macro inside": ("for (int k = 0; k < 9; k++) { n = done[(INT_MAX & 3)]; %s }", ["done[(INT_MAX & 3)]"]),
    "in a condition": ("for (int k = 0; k < 9; k++) { if (done[k] > 2) {%s} }", ["done[k]"]),
    "an element of a row": (
        "double (*rows)[4] = (double (*)[4])done; for (int k = 0; k < 9; k++) { sum += rows[k][1]; %s }",
        ["rows[k][1]"],
    ),
    "where a row is": (
        "double (**rows)[4] = (double (**)[4])done; for (int k = 0; k < 9; k++) { b = rows[k][1]; %s }", ["rows[k]"],
    ),
    "in parentheses": ("for (int k = 0; k < 9; k++) { n = (done[k]); %s }", ["done[k]"]),
}  # fmt: skip
"""What the host reads between launches, and what the runtime is asked for."""


@pytest.mark.parametrize("name", READ)
def test_the_runtime_is_asked_for_what_the_host_reads_between_launches(name: str) -> None:
    text, asked = READ[name]
    made = hosts(*(text % REGION for text, _ in READ.values()))
    assert "rex_batch" not in made[""] and "REX_HOST_READ" not in made[""]
    found = made[text % REGION]
    assert re.findall(r"rex_batch_(\w+)\(\)", found) == ["begin", "end"]
    assert found.count("REX_HOST_READ(") == sum(1 + read.count("REX_HOST_READ(") for read in asked)
    assert all(f"REX_HOST_READ({read})" in found for read in asked)


MACROS = "#define FIRST done[0]\n#define SUM 2 + done\n#define PLUS(x) x + 1\n"
NOT_ASKED = {
    "a loop that launches nothing": "for (int k = 0; k < 9; k++) { for (int j = 0; j < n; j++) n += done[j]; %s }",
    "a write": "for (int k = 0; k < 9; k++) { done[k] = 1; %s }",
    "a change": "for (int k = 0; k < 9; k++) { done[k]++; %s }",
    "an address": "int **q; for (int k = 0; k < 9; k++) { *q = &done[k]; %s }",
    "a whole object": "for (int k = 0; k < 9; k++) { o = *p; %s }",
    "in a macro": "for (int k = 0; k < 9; k++) { n = half(FIRST); %s }",
    "in a part of a macro": "for (int k = 0; k < 9; k++) { n = SUM[2]; %s }",
    "in an argument": "for (int k = 0; k < 9; k++) { n = PLUS(done[2]); %s }",
    "over several lines": "for (int k = 0; k < 9; k++) { n = done\n[k]; %s }",
    "a volatile object": "volatile int *q = done; for (int k = 0; k < 9; k++) { n = q[k]; %s }",
    "in a clause": "for (int k = 0; k < 9; k++) {%s}",
    "a pointer to an array that is as long as a variable says, whose type is evaluated too": (
        "int (**rows)[n] = 0; int i = 0; for (int k = 0; k < 9; k++) { int (*row)[n] = rows[i++]; n += row != 0; %s }"
    ),
    "a packed member": (
        "struct __attribute__((packed)) { char c; int n; } *q = 0; for (int k = 0; k < 9; k++) { n = q[k].n; %s }"
    ),
}


@pytest.mark.parametrize("name", NOT_ASKED)
def test_the_host_waits_where_the_runtime_is_not_asked(name: str) -> None:
    loops = {"in a clause": region("num_teams(done[0])")}
    texts = {key: text % loops.get(key, REGION) for key, text in NOT_ASKED.items()}
    made = hosts(*texts.values(), head=MACROS + HEAD)
    found = made[texts[name]] + made[""]
    assert "rex_batch" not in found
    assert "REX_HOST_READ" not in found


def test_elements_of_vectors_are_memory_that_the_runtime_is_asked_for() -> None:
    """Also the vector, where a reference leads to it; elements of bits are no objects."""
    head = """
#include <vector>
void f(const std::vector<int> &given, std::vector<int> own, std::vector<bool> bits, double *a, int n) {
"""
    loop = "for (int k = 0; k < 9; k++) { %s\n#pragma omp target teams distribute parallel for\n%s a[i] += 1; }"
    bounds = "for (int i = given[k]; i < own[k] + given[k + 1]; i++)"
    asked = re.findall(r"rex_host_reads\((.*)\);", host(f"{{ {loop % ('', bounds)}", head, "t.cpp"))
    assert sorted(asked) == ["&given", "&given[k + 1]", "&given[k]", "&own[k]"]
    assert asked.index("&given") < asked.index("&given[k]")
    plain = "for (int i = 0; i < n; i++)"
    found = host(f"{{ {loop % ('n = given[k] + own[k];', plain)}", head, "t.cpp")
    assert "n = REX_HOST_READ(REX_HOST_READ(given)[k]) + REX_HOST_READ(own[k]);" in found
    assert "rex_batch" not in host(f"{{ {loop % ('n = bits[k];', plain)}", head, "t.cpp")
    assert "rex_batch" not in host(f"{{ {loop % ('own[k] = n;', plain)}", head, "t.cpp")


CONSTANT_READS = {
    "a constant of its own": "constexpr int c = T[1]; n = c;",
    "a constant number": "const int c = C->m; int own[c] = {0}; n = own[0];",
    "a case": "switch (n) { case T[0]: n = 1; break; default: n = 2; }",
    "a lambda, which no type may have inside": "n = given[0 + [k] { return k; }()];",
}
"""Reads that have to be constants, or that may not be written twice."""


@pytest.mark.parametrize("name", CONSTANT_READS)
def test_constants_behind_pointers_stay_constants(name: str) -> None:
    head = """
struct conf { int n, m; };
constexpr conf the = {3, 4};
constexpr const conf *C = &the;
constexpr int tab[] = {2, 5};
constexpr const int *T = tab;
void f(const int *given, double *a, int n) {
"""
    loop = "#pragma omp target teams distribute parallel for\nfor (int i = 0; i < 10; i++) a[i] += 1;"
    found = host(f"{{ for (int k = 0; k < 9; k++) {{ {CONSTANT_READS[name]}\n{loop} }}", head, "t.cpp")
    assert "REX_HOST_READ" not in found
    found = host(f"{{ for (int k = 0; k < 9; k++) {{ n = T[k] + given[0];\n{loop} }}", head, "t.cpp")
    assert found.count("REX_HOST_READ(") == 2


def test_runs_ask_for_no_object_by_a_name_that_they_declare_again() -> None:
    """They ask again behind what interrupts them, where the name may be another's; so it is no run."""
    head = """
#include <stdio.h>
struct whole { int n, k; };
void f(struct whole *o, double *a) {
"""
    loop = "#pragma omp target teams distribute parallel for\nfor (int i = 0; i < 10; i++) a[i] += n;\n"
    inner = f'for (int NAME = 0; NAME < 2; NAME++) {{ if (l == 1) printf("%d", NAME);\n{loop} }}'
    text = f"{{ for (int l = 0; l < 3; l++) {{ int n = o->k;\n{loop}{inner} }}"
    assert host(text.replace("NAME", "j"), head).count("rex_batch_uses(&o->k, sizeof o->k);") > 1
    found = host(text.replace("NAME", "o"), head)
    assert "rex_batch_uses" not in found and "rex_batch_begin" in found


def test_objects_of_classes_that_overload_the_address_are_asked_for_by_their_own() -> None:
    head = """
struct part { int n; int size() const { return n; } part *operator&() = delete; };
struct whole { part h; int k; };
void f(whole &o, double *a) {
"""
    loop = "#pragma omp target teams distribute parallel for\nfor (int i = 0; i < 10; i++) a[i] += n;"
    found = host(f"{{ for (int l = 0; l < 3; l++) {{ int n = o.h.size();\n{loop} }}", head, "t.cpp")
    assert "rex_batch_uses(__builtin_addressof(o.h), sizeof o.h);" in found


@pytest.mark.builds
@pytest.mark.parametrize("language", ["c", "c++"])
def test_compilers_do_not_warn_of_what_the_host_reads(language: str, tmp_path: Path) -> None:
    source = tmp_path / "read.c"
    source.write_text("int f(int *const *p, void **q) { return *REX_HOST_READ(p[0]) + (REX_HOST_READ(q[0]) != 0); }\n")
    include = Path(rexcc.__file__).parent / "runtime/include"
    warnings = ["-Wall", "-Wextra", "-Wcast-qual", "-Werror", *(["-Wold-style-cast"] if language == "c++" else [])]
    header = ["-isystem", str(include), "-include", "rex_runtime.h"]
    subprocess.run(
        ["clang-19", "-x", language, "-fsyntax-only", "-fopenmp", *warnings, *header, str(source)], check=True
    )


OF_OBJECTS = {
    "another object's members": ("for (int k = 0; k < next->did; k++) step(a, b, 100, 0);", "next", "next->did"),
    "what a member points to": (
        "for (int k = 0; k < m_parts->width; k++) step(a, b, 100, 0);", "m_parts", "m_parts->width",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_OBJECTS)
def test_pointers_in_the_methods_object_are_followed(name: str) -> None:
    text, member, read = OF_OBJECTS[name]
    assert members_of_runs(f"{text} elsewhere();") == [member]
    assert f"REX_HOST_READ({read})" in host(f"{{ {text} elsewhere();", METHOD, "t.cpp")


def test_an_assertion_that_fails_in_a_batch_waits() -> None:
    """What is queued may print; so the file's assertions call a function that waits first."""
    rename = "#define __assert_fail rex_assert_fail"
    assert rename in host(QUIET["an assertion"])
    assert rename not in host(QUIET["a region"] + LOUD["asserts what a pointer leads to"])


def test_statements_around_all_launches_of_a_block_are_no_batchs() -> None:
    """An assertion there finds nothing queued."""
    around = host(f"elsewhere(0); assert(n > 3); {QUIET['a region']} assert(n > 4);")
    assert "rex_batch_begin" in around
    assert "rex_assert_fail" not in around


def test_nothing_is_waited_for_that_only_the_device_reads() -> None:
    loop = region("is_device_ptr(done)").replace("i < n", "i < done[0]")
    assert "rex_host_reads" not in host(f"for (int k = 0; k < 9; k++) {{{loop}}}")


@pytest.mark.parametrize(
    "bound",
    [
        "done[done[0]]",
        "of_all[watched]",
        "(int)elsewhere(*done)",
        "told(a, n)",
    ],
)
def test_bounds_of_which_the_runtime_cannot_be_asked(bound: str) -> None:
    text = host(f"for (int k = 0; k < 9; k++) {{{REGION.replace('i < n', f'i < {bound}')}}}")
    assert "rex_batch_begin" not in text


@pytest.mark.parametrize(
    ("before", "marked"),
    [
        ("\n#pragma GCC unroll 2\n", True),
        ("\n  # pragma GCC ivdep\n\n#pragma unroll 4\n", True),
        (' _Pragma("GCC unroll 2") ', True),
        (" UNROLLED\n", False),
    ],
)
def test_a_pragma_stays_at_its_loop(before: str, marked: bool) -> None:
    head = '#define UNROLLED _Pragma("GCC unroll 2")\n' + HEAD
    text = host(f"total = 1;{before}{QUIET['a region']}", head)
    assert ("rex_batch_begin" in text) == marked
    assert re.search(r'(?:pragma[^\n]*|_Pragma\("GCC unroll 2"\)|UNROLLED)\s*(?:\n#line[^\n]*\n)?\s*for \(int k', text)


PRAGMAS = (
    "\n#pragma GCC ivdep\n/* a comment */ ",
    "\n#pragma GCC \\\n  ivdep // and another { \n// one more ;\n",
    ' _Pragma ( "GCC ivdep" ) /* : */ ',
    "\n  #  pragma  GCC ivdep\n",
    " IVDEP /* ; */ ",
    " WITH(GCC ivdep) ",
)
BLOCKS = (("", ""), ("{", "}"))


def test_a_pragma_stays_at_its_loop_behind_comments() -> None:
    """Also at loops that interrupt a run; a macro may be a pragma, also with a parenthesis as an `if` has."""
    tells, queues = f"for (int i = 0; i < 9; i++) {TELLS}", "for (int i = 0; i < 9; i++) scale(a, n, 2);"
    head = '#define IVDEP _Pragma("GCC ivdep")\n#define WITH(what) _Pragma(#what)\n' + HEAD
    loops = [f"{opened} {p} {loop} {closed}" for p in PRAGMAS for loop in (tells, queues) for opened, closed in BLOCKS]
    twice = (f"{AGAIN} {{ scale(a, n, 2); if (k == 3) {loop} }} if (n) {loop}" for loop in loops)
    body = " ".join(f"{part} apart{number}:;" for number, part in enumerate(twice))
    code = re.sub(r"/\*.*?\*/|//.*|#line.*|\\\n", "", host(body, head))
    code = code[code.index("_data_begin_mapper(&") :]
    pragma = r'(?:^ *# *pragma +GCC +ivdep|_Pragma *\( *"GCC ivdep" *\)|IVDEP|WITH\(GCC ivdep\))\s*'
    assert len(re.findall(rf"(?m){pragma}for \(int i", code)) == 2 * len(loops)
    assert code.count("rex_batch_begin") > 2 * len(PRAGMAS)


def test_a_pragma_under_a_condition_stays_at_its_loop() -> None:
    """What is inserted would stand behind its ``#endif``."""
    pragmas = (
        "#ifdef __GNUC__\n#pragma GCC ivdep\n#endif",
        "#ifdef __clang__\n#pragma clang loop unroll(full)\n#else\n#pragma GCC ivdep\n#endif // for",
        "#ifdef __GNUC__\n#pragma GCC ivdep\n#endif\n#pragma GCC unroll 2",
    )
    tells, queues = f"for (int i = 0; i < 9; i++) {TELLS}", "for (int i = 0; i < 9; i++) { scale(a, n, 2); }"
    loops = [f"{{\n{pragma}\n{loop} }}" for pragma in pragmas for loop in (tells, queues)]
    code = host(" ".join(f"{AGAIN} {{ scale(a, n, 2); if (k == 3) {loop} }} {TELLS} {loop}" for loop in loops))
    code = code[code.index("_data_begin_mapper(&") :]
    assert len(re.findall(r"#pragma GCC ivdep\s+#endif.*\s+(?:#pragma.*\s+)?for \(int i", code)) == 2 * len(loops)
    assert "rex_batch_begin" in host(f"\n#if 1\n#endif\n{AGAIN} {{ scale(a, n, 2); }}")


ELSES = """
#define ELSE_TELLS else printf("then");
#define TELLS_ELSE printf("then"); else
#define QUEUES_ELSE scale(a, n, 2); else
#define OR(number) printf("%d", number); else
"""


def test_nothing_stands_between_the_parts_of_a_statement_that_a_macro_holds_together() -> None:
    parts = (
        f"{AGAIN} {{ scale(a, n, 2); if (k == 3) {{ scale(a, n, 1); }} ELSE_TELLS }}",
        f"{AGAIN} {{ scale(a, n, 2); if (k == 3) {{ scale(a, n, 1); }}\n#if 1\nELSE_TELLS\n#endif\n}}",
        f"{AGAIN} {{ scale(a, n, 2); if (k == 3) TELLS_ELSE scale(a, n, 1); }}",
        f"if (n) {AGAIN} QUEUES_ELSE {TELLS}",
        f"if (n) OR(2) {AGAIN} scale(a, n, 1);",
    )
    assert "rex_batch" not in host(" ".join(f"{part} apart{i}:;" for i, part in enumerate(parts)), ELSES + HEAD)


def test_what_a_pragma_says_of_a_block_stays_at_its_beginning() -> None:
    pragmas = ("STDC FP_CONTRACT OFF", "clang fp contract(off)", "omp  target update to(a[0:n])")
    rest = "scale(a, n, 2);\n#pragma omp target update from(a[0:n])\n"
    code = host(" ".join(f"{{\n#pragma {pragma}\n{rest}}} {TELLS}" for pragma in pragmas))
    code = code[code.index("_data_begin_mapper(&") :]
    found = re.findall(r"STDC|clang fp|update_mapper\(&|rex_batch_\w+", code)
    begun, ended = "rex_batch_begin", ["update_mapper(&", "rex_batch_end"]
    assert found == ["STDC", begun, *ended, "clang fp", begun, *ended, begun, "update_mapper(&", *ended]


def test_shared_memory_is_watched_by_the_host_itself() -> None:
    text = host(QUIET["a region"], "#pragma omp requires unified_shared_memory\n" + HEAD)
    assert "rex_batch" not in text


CPLUSPLUS = """
#include <utility>
struct timer { timer(); ~timer(); };
template <class T> void step(T *to, const T *from, int n) {
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) to[i] = from[i] + 1;
}
template <class T> void run(T *a, T *b, int n) {
  #pragma omp target data map(tofrom: a[0:n]) map(alloc: b[0:n])
  for (int k = 0; k < 9; k++) { step(b, a, n); std::swap(a, b); }
}
template <class T> void repeat(T *a, T *b, int n) {
  for (int k = 0; k < 9; k++) step(a, b, n);
}
template <class T> void exchange(T &a, T &b) { T c = a; a = b; b = c; }
template <int TIMES> void times(float *a, const float *b, int n) {
  const int most = TIMES < 4 ? TIMES : 4;
  for (int k = 0; k < most; k++) step(a, b, n / TIMES);
}
struct shape { int width, height; };
struct view { int &most; int count; };
struct shift { int by; shift(int b) : by(b) { steps(); } static void steps(); int sum(int n) const; };
struct kept { int by; kept(const kept &); };
struct tells { int by; tells() = default; tells(int b) : by(b) { timer(); } };
struct holds { tells one; };
struct based : tells { int more; };
struct inherits : tells { using tells::tells; };
template <class T> struct begins { T by = shift(3).by, more; };
struct begun { int by = 3; double rate = -1e-3; bool is = true; int all[2] = {1, 2}; void *to = nullptr; };
struct converts { int by; operator int() const { timer(); return by; } };
template <class F> void moved(float *a, F f, int n) {
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] += f.by;
}
template <class T> struct closes { T by; ~closes() { by = T(); } };
template struct closes<int>;
template <class T> struct copied { T by; copied(const copied &o) : by(o.by) { timer(); } };
template struct copied<long>;
template <class F> static void passes(F f) { f(); }
struct stepping { float *a, *b; int n; void operator()() const { step(a, b, n); } };
typedef void (*stepper)(float *, const float *, int);
extern stepper another;
static void passed(stepper f, float *a, float *b, int n) { f(a, b, n); }
static void handed(stepper f, float *a, float *b, int n) { passed(f, a, b, n); }
static void chosen(stepper f, float *a, float *b, int n) { if (n < 3) f = another; f(a, b, n); }
static int area(shape s) { return s.width * s.height; }
thread_local int counted = area({3, 3});
void g(float *a, float *b, int &limit, int n, shape s, double planes[][7]) {
  run(a, b, n);
  limit++;
  repeat(a, b, n);
  limit++;
"""


MADE = (
    "tells t(k)", "tells t = k", "tells t[] = {k}", "holds t{k}", "based t{k, k}", "inherits t(k)", "int t = c",
    "begins<int> t{}", "auto t = begins<int>{}", "int t[] = {c}", "shape t{c, c}",
)  # fmt: skip
"""Objects of which a constructor, a conversion or a member's initial value is executed, which a list does not show."""


@pytest.mark.parametrize(
    ("loop", "count"),
    [
        ("", 2),
        ("for (int k = 0; k < 9; k++) step(a, b, n);", 3),
        ("for (int k = 0; k < 9; k++) { step(a, b, n); exchange(a, b); }", 3),
        ("for (int k = 0; k < area(s); k++) step(a, b, s.width);", 3),
        ("times<3>(a, b, n);", 3),
        ("for (int k = 0; k < counted; k++) step(a, b, n);", 2),
        ("for (int k = 0; k < limit; k++) step(a, b, n);", 2),
        ("for (int k = 0; k < 9; k++) { step(a, b, n); exchange(limit, n); }", 2),
        ("for (int k = 0; k < planes[0][0]; k++) step(a, b, n);", 2),
        ("shift h(3); for (int k = 0; k < 9; k++) { moved(a, h, n); shift i = h; h = i; }", 3),
        ("shift h(3); for (int k = 0; k < h.by; k++) moved(a, h, n);", 3),
        ("for (int k = 0; k < 9; k++) { shift h(k); moved(a, h, n); }", 2),
        ("for (int k = 0; k < 9; k++) moved<shift>(a, k, n);", 2),
        ("shift h(3); for (int k = 0; k < h.sum(2); k++) moved(a, h, n);", 2),
        ("shift &h = *(shift *)a; for (int k = 0; k < 9; k++) moved(a, h, n);", 3),
        ("extern kept h; for (int k = 0; k < 9; k++) moved(a, h, n);", 2),
        ("auto f = [&](int k) { step(a, b, n * k); }; for (int k = 0; k < 9; k++) f(k);", 3),
        ("auto f = [=](auto k) { step(a, b, n * k); }; for (int k = 0; k < 9; k++) f(k);", 3),
        ("auto f = [&](int k) { step(a, b, n * k + limit); }; for (int k = 0; k < 9; k++) f(k);", 2),
        ("auto f = [&, m = *a] { step(a, b, n * m); }; for (int k = 0; k < 9; k++) f();", 2),
        ("for (int k = 0; k < 9; k++) passes([&] { step(a, b, n * k); });", 3),
        ("for (int k = 0; k < 9; k++) passes([=] { step(a, b, limit); });", 2),
        ("for (int k = 0; k < 9; k++) passes([limit, a, b, n] { step(a, b, n); });", 2),
        ("for (int k = 0; k < 9; k++) passes([&] { step(a, b, n); timer(); });", 2),
        ("stepping h{a, b, n}; for (int k = 0; k < 9; k++) passes(h);", 3),
        ("for (int k = 0; k < 9; k++) passed(step<float>, a, b, n);", 3),
        ("for (int k = 0; k < 9; k++) handed(&step<float>, a, b, n);", 3),
        ("for (int k = 0; k < 9; k++) chosen(step<float>, a, b, n);", 2),
        ("for (int k = 0; k < 9; k++) { passed(step<float>, a, b, n); passed(another, a, b, n); }", 2),
        ("for (int k = 0; k < 9; k++) { timer t; step(a, b, n); }", 2),
        ("for (int k = 0; k < 9; k++) { closes<int> t{k}; step(a, b, n); }", 2),
        ("extern copied<long> h; for (int k = 0; k < 9; k++) { copied<long> t = h; step(a, b, n); }", 2),
        ("for (int k : {1, 2}) step(a, b, n * k);", 2),
        ("int all[] = {1, 2}; for (int k : all) step(a, b, n * k);", 3),
        ("int all[] = {1, 2}; for (int &k : all) step(a, b, n * k);", 2),
        ("for (int k : planes[0]) step(a, b, n * k);", 2),
        ("std::vector<int> v(3); for (int k : v) step(a, b, n * k);", 2),
        ("std::vector<int> v(3); for (int k = 0; k < (int)v.size(); k++) step(a, b, n + v.empty());", 3),
        ("std::vector<int> v(3), &w = v; for (int k = 0; k < (int)w.size(); k++) step(a, b, n);", 3),
        ("std::vector<int> v(3); for (int k = 0; k < v.front(); k++) step(a, b, n);", 2),
        ('for (int k = 0; k < 9; k++) { using T = float; static_assert(sizeof(T) == 4, ""); step((T *)a, b, n); }', 3),
        ("auto all = [=] { for (int k = 0; k < 9; k++) step(a, b, n); };", 2),
        ("auto all = [&] { for (int k = 0; k < 9; k++) step(a, b, n); };", 3),
        ("auto all = [&a, &b, &n] { for (int k = 0; k < 9; k++) step(a, b, n); };", 3),
        ("auto all = [&a, &b, n] { for (int k = 0; k < 9; k++) step(a, b, n); };", 2),
        ("auto all = [&, &m = *a] { for (int k = 0; k < m; k++) step(a, b, n); };", 2),
        ("for (int k = 0; k < 9; k++) new float;", 2),
        ("view v{limit, n}; for (int k = 0; k < v.most; k++) step(a, b, n);", 2),
        ("for (int k = 0; k < 9; k++) { begun o{}; step(a, b, o.by); shape p = {k}, q{}; p = {k, q.width}; }", 3),
        (f"converts c{{3}}; {' '.join(f'for (int k = 0; k < 9; k++) {{ step(a, b, n); {m}; }}' for m in MADE)}", 2),
        ("view v{limit, n}; for (int k = 0; k < v.count; k++) step(a, b, n);", 3),
    ],
)
def test_what_cplusplus_hides(loop: str, count: int) -> None:
    vector = "#include <vector>\n" if "vector" in loop else ""
    text = host(f"{{ {loop} ", vector + CPLUSPLUS, "t.cpp")
    assert text.count("rex_batch_begin()") == text.count("rex_batch_end()") == count


def test_a_template_queues_only_what_every_instantiation_may() -> None:
    head = """
#include <cstdio>
static void tell(int) {}
static void tell(float x) { printf("%f", x); }
template <class T> void run(T *a, int n) {
  for (int k = 0; k < 9; k++) {
    tell((T)0);
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) a[i] = k;
  }
}
void g(int *a, float *b, int n) {{
"""
    assert "rex_batch" not in host("run(a, n); run(b, n);", head, "t.cpp")
    assert host("run(a, n); ", head, "t.cpp").count("rex_batch_begin()") == 1


METHOD = """
#include <utility>
void elsewhere();
void step(double *to, const double *from, long n, int device) {
  #pragma omp target teams distribute parallel for is_device_ptr(to, from) device(device)
  for (long i = 0; i < n; i++) to[i] = from[i] + 1;
}
static void exchange(double *&a, double *&b) { double *c = a; a = b; b = c; }
template <class F> static long value(F f) { return f(); }
struct part { int width; int widths[3]; struct { int left; union { int right, under; }; }; };
struct below { long n; int did; };
template <class T> class buffer {
 public:
  buffer(T *p) : p_(p) {}
  ~buffer() { elsewhere(); }
  T *data() { return p_; }
  void swap(buffer &o) { std::swap(p_, o.p_); }
  void grow() { if (!p_) { elsewhere(); } }
  T &first() { return *p_; }
  virtual T *last() { return p_ + 1; }
 private:
  T *p_;
};
struct referring { int &m; int get() const { return m; } };
struct kernel : below {
  double *m_a, *m_b, m_scale, m_sums[5];
  int m_zero[0], m_large[33], m_bits : 3;
  union { int either; float other; };
  volatile int m_watched;
  int &m_referred;
  static int count;
  part m_part, *m_parts, m_row[3];
  kernel *next;
  buffer<double> m_now, m_next, *m_kept;
  struct { buffer<double> m_inner; } m_outer;
  buffer<double[20]> m_big[9];
  referring m_other;
  int steps() const;
  void run();
};
void kernel::run() {
  double *a = m_a, *b = m_b;
  elsewhere();
"""
ON_DEVICE = """
#pragma omp target is_device_ptr(a, b) device( did )
#pragma omp teams distribute parallel for thread_limit(256) schedule(static, 1)
for (long i = 0; i < n; i++) a[i] = b[i] + a[i];
"""

OWN_MEMBERS = {
    "a device": (f"for (int k = 0; k < 9; k++) {{{ON_DEVICE}}}", "did"),
    "the device of the object": (f"for (int k = 0; k < 9; k++) {{{ON_DEVICE.replace('did', 'this->did')}}}", "did"),
    "a loop's bound": ("for (long k = 0; k < n; k++) step(a, b, 100, 0);", "n"),
    "arguments": ("for (int k = 0; k < 9; k++) step(m_a, m_b, this->n, did);", "m_a m_b n did"),
    "members of members": (
        "for (int k = 0; k < m_part.width; k++) step(a, b, m_part.widths[1], 0);",
        "m_part.width m_part.widths",
    ),
    "a member without a name": ("for (int k = 0; k < either; k++) step(a, b, 100, 0);", "either"),
    "a member without a name in a structure": (
        "for (int k = 0; k < either; k++) step(a, b, m_part.left, this->m_part.right);",
        "either m_part.left m_part.right",
    ),
    "a member without a name, of this": ("for (int k = 0; k < this->either; k++) step(a, b, 100, 0);", "either"),
    "elements": (
        "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); m_sums[k % 5] += m_scale; }",
        "m_sums m_scale",
    ),
    "values that change": (
        "for (int k = 0; k < 9; k++) { step(m_a, m_b, n, 0); double *t = m_a; m_a = m_b; m_b = t; }",
        "m_a m_b n",
    ),
    "exchanged pointers": (
        "for (int k = 0; k < 9; k++) { step(m_a, m_b, n, 0); std::swap(m_a, m_b); }",
        "m_a m_b n",
    ),
    "pointers that a function exchanges": (
        "for (int k = 0; k < 9; k++) { step(m_a, m_b, n, 0); exchange(m_a, m_b); }",
        "m_a m_b n",
    ),
    "an object's pointer": (
        "for (int k = 0; k < 9; k++) { double *t = m_now.data(); step(t, this->m_next.data(), 100, 0); }",
        "m_now m_next",
    ),
    "an object in a structure": (
        "for (int k = 0; k < 9; k++) step(m_outer.m_inner.data(), a, 1, 0);",
        "m_outer.m_inner",
    ),
    "a statement's": ("step(m_a, b, 100, 0); step(b, a, 100, 0);", "m_a"),
    "another statement's": ("step(a, b, 100, 0); step(b, a, n, 0);", "n"),
    "none": ("for (int k = 0; k < 9; k++) step(a, b, 100, 0);", ""),
    "static": ("for (int k = 0; k < count; k++) step(a, b, this->count, 0);", ""),
    "around statements": ("for (int k = 0; k < m_watched; k++) { step(a, b, 1, 0); step(b, a, 1, 0); }", ""),
}
OF_OTHERS = {
    "what a member points to": "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); m_a[0] = k; }",
    "what a member refers to": "for (int k = 0; k < m_referred; k++) step(a, b, 100, 0);",
    "what is behind the object": "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); m_zero[k] = 1; }",
    "an object that a member points to": "for (int k = 0; k < 9; k++) step(m_kept->data(), a, 1, 0);",
    "an element's object": "for (int k = 0; k < 9; k++) step((double *)m_big[k].data(), a, 1, 0);",
    "what an object points to": "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); m_now.first() = k; }",
    "a virtual method": "for (int k = 0; k < 9; k++) step(m_now.last(), a, 1, 0);",
    "what an object refers to": "for (int k = 0; k < m_other.get(); k++) step(a, b, 100, 0);",
    "a method that calls others": "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); m_now.~buffer(); }",
    "a copy of an object": "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); buffer<double> c = m_now; }",
    "what others change": "for (int k = 0; k < m_watched; k++) step(a, b, 100, 0);",
    "a large array": "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); m_large[k] = 1; }",
    "a part of a byte": "for (int k = 0; k < m_bits; k++) step(a, b, 100, 0);",
    "a member that a class names": "for (int k = 0; k < below::n; k++) step(a, b, 100, 0);",
    "an address": "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); next = this; }",
    "another function": "for (int k = 0; k < 9; k++) { step(a, b, 100, 0); m_sums[0] = steps(); }",
    "a clock": "for (int k = 0; k < 9; k++) { step(a, b, n, did); elsewhere(); }",
    "a lambda's this": "auto f = [this] { return n; }; for (int k = 0; k < value(f); k++) step(a, b, 100, 0);",
    "a lambda's this, by its name": "for (int k = 0; k < value([&] { return this->n; }); k++) step(a, b, 100, 0);",
    "a lambda's this, for a method": "for (int k = 0; k < value([=] { return steps(); }); k++) step(a, b, 100, 0);",
    "what this is for a lambda": "for (int k = 0; k < value([=] { return (*this).n; }); k++) step(a, b, 100, 0);",
}


def checked_in(code: str) -> list[str]:
    """Return the objects that the runtime is asked for, each by its address."""
    found = re.findall(r"rex_batch_uses\((.*), sizeof (.*)\);", code)
    assert all(place == (of[1:] if of.startswith("*") else f"&{of}") for place, of in found)
    return [of for _, of in found]


def members_of_runs(text: str, head: str = METHOD) -> list[str]:
    """Return the members of the method's object that each run uses."""
    code = host(f"{{ {text} ", head, "t.cpp")
    begins = re.findall(r"rex_batch_begin\(\);.*\n((?:.*rex_batch_uses\(.*\n)*)", code)
    assert code.count("rex_batch_end()") == len(begins)
    assert code.count("rex_batch_uses") == sum(begin.count("rex_batch_uses") for begin in begins)
    return [" ".join(re.findall(r"uses\(&this->(.*), sizeof this->\1\);", begin)) for begin in begins]


@pytest.mark.parametrize("name", OWN_MEMBERS)
def test_members_of_the_methods_object_are_named(name: str) -> None:
    """The runtime asks whether kernels have access to them."""
    text, members = OWN_MEMBERS[name]
    assert members_of_runs(f"{text} elsewhere();") == [members]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("k < p->count; k++) hand_on(&o, a);", ["p->count"]),
        ("k < 9; k++) { follow(&o, a); if (p) p->rate = k; }", ["p->rate"]),
        ("k < 9; k++) { follow(p, a); hand_on(p, b); o.rate = k; }", ["*p"]),
        ("k < 9; k++) { follow(&o, a); hand_on(&o, b); }", []),
        ("k < 1; k++) ; struct options *q = p + n; for (int k = 0; k < 9; k++) follow(q, a);", ["*q"]),
        ("k < 1; k++) ; struct options *const q = p + n; for (int k = 0; k < 9; k++) hand_on(q, a);", ["*q"]),
        (
            "k < 1; k++) ; struct options *q = p + n; scale(a, n, 2); for (; q->count < 9; q->count++) follow(q, a);",
            ["q->count", "*q"],
        ),
    ],
)
def test_the_runtime_is_asked_for_objects_that_parameters_lead_to(text: str, asked: list[str]) -> None:
    """Those that a called function is given are named ones of the run's."""
    code = host(f"for (int k = 0; {text}")
    assert checked_in(code) == asked and "rex_batch_begin" in code


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        # what a run around the declaration reads is asked for where it stands; else the run begins behind it
        ("for (int k = 0; k < 9; k++) { struct options *q = p + k; scale(a, q->count, 2); scale(b, n, 2); }", []),
        ("scale(a, n, 2); struct options *q = p + 1; scale(b, n, 2); follow(q, a); follow(q, b);", []),
        ("scale(a, n, 2); { struct options *q = p + 1; scale(b, q->count, 2); scale(a, n, 2); }", []),
    ],
)
def test_a_run_asks_by_no_pointer_that_it_declares(text: str, asked: list[str]) -> None:
    code = host(text)
    assert checked_in(code) == asked and code.count("rex_batch_begin()") == code.count("rex_batch_end()") == 1


@pytest.mark.parametrize(
    ("fields", "asked"), [(16, ["*c", "c->field", "c->dt"]), (61, ["*c", "c->field", "c->dt"]), (62, [])]
)
def test_the_runtime_is_asked_for_the_fields_of_a_whole_grid(fields: int, asked: list[str]) -> None:
    """A function that launches kernels over fields of a structure interrupts none of its callers' runs."""
    head = f"""
struct grid {{ int n, count; double dt, *field, *others[{fields}]; }};
static void fill(double *to, int n, double value) {{
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) to[i] = value;
}}
static void halo(struct grid *g, int which) {{ if (which & 1) fill(g->field, g->n, 1); }}
void step(struct grid *c) {{
  {{
"""
    assert checked_in(host("halo(c, 1); fill(c->field, 9, c->dt); halo(c, 3);", head)) == asked


@pytest.mark.parametrize("name", OF_OTHERS)
def test_what_is_no_member_that_has_a_name_is_waited_for(name: str) -> None:
    assert members_of_runs(f"{OF_OTHERS[name]} elsewhere();") == []


def test_a_class_template_queues_where_instantiations_use_the_same_members() -> None:
    """The address of a static constant would want a definition."""
    head = """
struct fixed { static const int n = 5; };
struct given { int n; };
struct other { int m, n; };
template <class T> struct kernel : T {
  float *a;
  void run() {
    for (int k = 0; k < this->n; k++) {
      #pragma omp target teams distribute parallel for is_device_ptr(a)
      for (int i = 0; i < 100; i++) a[i] += k;
    }
  }
};
void g(kernel<given> &b, kernel<other> &d) {
"""
    assert members_of_runs("b.run(); d.run();", head) == ["n a", ""]  # the second are both statements together
    assert members_of_runs("kernel<fixed> c; c.run();", head) == ["a"]
    assert members_of_runs("kernel<fixed> c; c.run(); b.run();", head) == [""]


REFERRED = """
#include <vector>
void elsewhere();
struct box {
  int n; double rate, *x;
  ~box() { elsewhere(); }
  int size() const { return n; }
  int &count() { return n; }
  double &at(int i) { return x[i]; }
  virtual int kind() { return 1; }
  void step() { double *x = this->x; int n = this->n;
    #pragma omp target teams distribute parallel for map(x[0:n])
    for (int i = 0; i < n; i++) x[i] += 1;
  }
  void steps();
};
struct outer { box inner; std::vector<double> all; };
struct large { box inner; double more[160]; };
struct viewing { int &n; int size() const { return n; } };
static void grow(box &b) { b.rate += 1; }
static void grow_inner(outer &o) { grow(o.inner); }
static void grow_all(large &l) { box &b = l.inner; grow(b); }
static int taken(box b) { return b.n; }
static int first(outer &o) { return o.all[0]; }
static void swap_both(outer &o, outer &q) { o.all.swap(q.all); }
static void copy(outer &o, outer &q) { o.all = q.all; }
static int copied(box &b) { box c = b; return c.n; }
static void assigned(box &a, box &b) { a = b; }
static box made(box &b) { return b; }
struct counted { int n; counted(const counted &o) : n(o.n) { elsewhere(); } };
struct holder { counted c; double *x; ~holder() = default; };
static int held(holder &h) { holder i = h; return i.c.n; }
static int held_by(const counted &c) { return c.n; }
void f(box &b, outer &o, large &l, viewing &v, volatile box &w, box *p, holder h) {
  box c; outer d; large e; box &r = *p; static box &s = *p; box *t = p;
"""
OF_REFERENCES = {
    "a member": ("for (int k = 0; k < 9; k++) { b.step(); b.rate += k; }", ["b", "b.rate"]),
    "a method": ("for (int k = 0; k < b.size(); k++) c.step();", ["b"]),
    "what a method refers to": ("for (int k = 0; k < 9; k++) { c.step(); b.count() = k; }", ["b"]),
    "a method of a part": ("for (int k = 0; k < o.inner.size(); k++) c.step();", ["o.inner"]),
    "a method of the library": ("for (int k = 0; k < 9; k++) { c.step(); c.x = o.all.data(); }", ["o.all"]),
    "a function": ("for (int k = 0; k < 9; k++) { c.step(); grow(b); }", ["b"]),
    "a function that hands a part on": ("for (int k = 0; k < 9; k++) { c.step(); grow_inner(o); }", ["o"]),
    "vectors that are exchanged": ("for (int k = 0; k < 9; k++) { c.step(); swap_both(d, d); }", []),
    "a part that is only read": ("for (int k = 0; k < held_by(h.c); k++) c.step();", []),
    "variables": (
        "for (int k = 0; k < c.size(); k++) { c.step(); grow(c); grow_inner(d); grow_all(e); }",
        [],
    ),
    "a local reference": ("for (int k = 0; k < r.size(); k++) { r.step(); r.rate += k; }", ["r", "r.rate"]),
    "what a pointer leads to": ("for (int k = 0; k < p->size(); k++) { p->step(); p->rate += k; }", ["*p", "p->rate"]),
    "what a local pointer leads to": ("box *q = p + 1; for (int k = 0; k < 9; k++) { q->step(); q->step(); }", ["*q"]),
    "one in a block": ("{ box &q = *p; for (int k = 0; k < 9; k++) { q.step(); grow(q); } }", ["q"]),
    "one that each iteration binds": (
        "for (int k = 0; k < 9; k++) { box &q = p[k]; q.step(); grow(q); q.step(); }",
        ["q"],
    ),
}
OF_UNKNOWN = {
    "an element": "b.at(k) = 1;",
    "a static reference": "s.size();",
    "an element of a member": "first(d);",
    "a virtual method": "b.kind();",
    "a large object": "grow_all(l);",
    "an object with references": "v.size();",
    "what others change": "w.n = k;",
    "a copy": "taken(c);",
    "a value": "c = b;",
    "a value of a member": "copy(d, d);",
    "an object that an element leads to": "(&p)[k]->size();",
    "an object that a pointer leads to which changes": "t->size(); t++;",
    "a virtual method of what a pointer leads to": "p->kind();",
    "an object that has no name": "grow((&b)[k]);",
    "a copy in a function": "copied(c);",
    "a value in a function": "assigned(c, c);",
    "a copy that a function returns": "made(c);",
    "a copy whose class has a part with its own": "held(h);",
}


@pytest.mark.parametrize("name", OF_REFERENCES)
def test_the_runtime_is_asked_for_objects_that_parameters_refer_to(name: str) -> None:
    """Their methods, and the functions that are given them, reach but their parts."""
    text, asked = OF_REFERENCES[name]
    texts = {text: f"{{ {text} elsewhere();" for text, _ in OF_REFERENCES.values()}
    code = hosts(*texts.values(), head=REFERRED, name="t.cpp")[texts[text]]
    assert "rex_batch_begin" in code
    assert sorted(set(checked_in(code))) == asked


@pytest.mark.parametrize("name", OF_UNKNOWN)
def test_objects_without_a_place_end_a_run(name: str) -> None:
    texts = {key: f"{{ for (int k = 0; k < 9; k++) {{ c.step(); {text} }}" for key, text in OF_UNKNOWN.items()}
    made = hosts(*texts.values(), head=REFERRED, name="t.cpp")
    assert "step()" in made[texts[name]]
    assert "rex_batch" not in made[texts[name]] + made[""]


def test_the_runtime_is_asked_for_the_methods_own_object() -> None:
    """Other methods of it are called between launches."""
    text = REFERRED.partition("void f(")[0] + "void box::steps() { elsewhere(); { "
    code = host("for (int k = 0; k < size(); k++) { step(); this->step(); count() = k; } elsewhere();", text, "t.cpp")
    assert checked_in(code) == ["*this"]
