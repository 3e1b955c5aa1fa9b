"""Write docs/support.md: what rexcc makes of every directive and clause. Usage: python scripts/support_matrix.py

Nothing in the table is written by hand. Rows and versions come from the tables of ``rexcc.openmp``; what becomes of a
directive or clause comes from translating a sample of it, once in device code and once in host code: the samples below
say only how each is written. A sample that is refused for any other reason than that it cannot be lowered is a mistake
in this file, and an error.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from rexcc.driver.tools import toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.openmp.clauses import CLAUSES, ClauseRow, Need, Shape, Unique
from rexcc.openmp.directives import COMBINED, LEAVES, Association, DirectiveRow
from rexcc.openmp.tables import CONSTRUCTS
from rexcc.pipeline import TranslateOptions, translate
from rexcc.source.diagnostics import Severity

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "support.md"
NOT_YET = re.compile(r"unsupported-|omp-unsupported")
"""Codes of errors that say that something cannot be lowered."""

LOOP = "for (int i = 0; i < n; i++) p[i] = i;"
NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) p[i] = j;"
BODY = "{ p[0] = x; }"
PRELUDE = """\
typedef struct { int x; } T;
static int g[8];
int t;
static int fb(int *p, int n) { return p[0] + n; }
static int tp;
#pragma omp threadprivate(tp)
"""
TYPES = """\
typedef enum { omp_default_mem_alloc = 1 } omp_allocator_handle_t;
typedef unsigned long omp_event_handle_t;
typedef void *omp_depend_t, *omp_interop_t;
"""
FUNCTION = "void f(int *p, int *q, int n, int x, int y, int r) {\n  omp_event_handle_t ev; omp_depend_t o; int i;\n"


@dataclass(frozen=True)
class Sample:
    """How a directive is used: what stands around it, and the statement behind it.

    ``clauses`` is there unless the clause in question is one of ``instead``; ``outside`` means in front of a function;
    ``header`` tells that ``omp.h`` has to be there, which takes its time.
    """

    statement: str = ""
    before: str = ""
    after: str = ""
    argument: str = ""
    clauses: str = ""
    instead: tuple[str, ...] = ()
    outside: bool = False
    header: bool = False


CLAUSE_TEXTS = {
    "default": "shared", "shared": "x", "private": "y", "firstprivate": "y", "lastprivate": "y", "linear": "y",
    "reduction": "+: r", "in_reduction": "+: r", "task_reduction": "+: r", "copyin": "tp", "copyprivate": "y",
    "is_device_ptr": "p", "has_device_addr": "x", "use_device_ptr": "p", "use_device_addr": "x", "allocate": "y",
    "uses_allocators": "omp_default_mem_alloc", "map": "to: x", "defaultmap": "tofrom: scalar", "to": "x", "from": "x",
    "enter": "g", "link": "g", "local": "g", "induction": "step(1), +: y", "inclusive": "r", "exclusive": "r",
    "uniform": "n", "nontemporal": "p", "aligned": "p: 16", "schedule": "static", "dist_schedule": "static",
    "collapse": "2", "ordered": "1", "sizes": "4", "counts": "4, omp_fill", "permutation": "2, 1", "looprange": "1, 1",
    "apply": "reverse", "depend": "in: x", "doacross": "sink: i - 1", "affinity": "x", "detach": "ev", "update": "in",
    "fail": "relaxed", "initializer": "omp_priv = 0", "combiner": "omp_out += omp_in",
    "inductor": "omp_var += omp_step", "collector": "omp_step * omp_idx", "match": "construct={parallel}",
    "adjust_args": "nothing: p", "append_args": "interop(target)", "when": "user={condition(1)}: nothing",
    "otherwise": "nothing", "interop": "o", "init": "targetsync: o", "use": "o", "destroy": "o", "absent": "teams",
    "contains": "parallel", "ompx_attribute": "__attribute__(())", "message": '"text"', "hint": "0", "allocator":
    "omp_default_mem_alloc", "num_teams": "2", "thread_limit": "64", "severity": "warning", "at": "execution",
    "holds": "n > 0", "device": "0", "bind": "thread", "proc_bind": "close", "threadset": "omp_team",
}  # fmt: skip
"""Arguments of clauses; those of flags, expressions and keywords follow from their rows."""

LOCAL_TEXTS = {
    ("target exit data", "map"): "from: x",
    ("taskgroup", "allocate"): "r",
    ("depobj", "depend"): "in: x", ("ordered", "depend"): "sink: i - 1", ("atomic", "update"): "",
    ("metadirective", "default"): "nothing", ("begin metadirective", "default"): "nothing",
    ("loop", "bind"): "parallel", ("loop", "lastprivate"): "i",
    ("teams", "default"): "shared", ("declare simd", "linear"): "n",
    ("declare mapper", "map"): "v.x", ("taskwait", "depend"): "in: x", ("single", "copyprivate"): "y",
}  # fmt: skip

IN_SECTIONS = ("#pragma omp parallel sections\n{\n#pragma omp section\n{", "}}")
IN_LOOP = ("#pragma omp parallel for\nfor (i = 0; i < n; i++) {", "}")
IN_TASK = ("#pragma omp taskgroup\n{\n#pragma omp task\n{", "}}")
IN_PARALLEL = ("#pragma omp parallel\n{", "}")
IN_ORDERED = ("#pragma omp parallel for ordered(1)\nfor (i = 0; i < n; i++) {", "}")
IN_SCAN = ("#pragma omp parallel for reduction(inscan, +: r)\nfor (i = 0; i < n; i++) { r += q[i];", "p[i] = r; }")
IN_LIST = ("enter", "link", "local", "to")

SAMPLES = {
    "sections": Sample("{ p[0] = x; }"), "section": Sample(BODY, "#pragma omp parallel sections\n{", "}"),
    "scan": Sample(" ", *IN_SCAN), "distribute": Sample(LOOP, "#pragma omp teams"),
    "ordered": Sample(BODY, "#pragma omp parallel for ordered\nfor (i = 0; i < n; i++)"),
    "ordered depend": Sample(" ", *IN_ORDERED), "ordered doacross": Sample(" ", *IN_ORDERED),
    "atomic": Sample("x++;"), "atomic read": Sample("x = y;"), "atomic write": Sample("x = 1;"),
    "atomic capture": Sample("y = x++;"), "atomic compare": Sample("if (x == y) x = r;"),
    "atomic fail": Sample("if (x == y) x = r;"), "atomic weak": Sample("if (x == y) x = r;"),
    "cancel": Sample(" ", *IN_PARALLEL), "cancel for": Sample(" ", *IN_LOOP),
    "cancel sections": Sample(" ", *IN_SECTIONS), "cancel taskgroup": Sample(" ", *IN_TASK),
    "cancellation point": Sample(" ", *IN_PARALLEL), "cancellation point for": Sample(" ", *IN_LOOP),
    "cancellation point sections": Sample(" ", *IN_SECTIONS), "cancellation point taskgroup": Sample(" ", *IN_TASK),
    "loop lastprivate": Sample("for (i = 0; i < n; i++) p[i] = i;"),
    "taskwait nowait": Sample(";", clauses="depend(in: x)"),
    "fuse": Sample(f"{{ {LOOP} {LOOP} }}"), "interchange": Sample(NEST), "dispatch": Sample("fb(p, n);", header=True),
    "error": Sample(clauses="at(execution)", instead=("at",)),
    "threadprivate": Sample(argument="t", outside=True), "groupprivate": Sample(argument="t", outside=True),
    "allocate": Sample(argument="z", before="int z;"), "depobj": Sample(argument="o"),
    "declare target": Sample(clauses="enter(g)", instead=IN_LIST, outside=True),
    "begin declare target": Sample("#pragma omp end declare target", outside=True),
    "declare mapper": Sample(argument="T v", clauses="map(v)", instead=("map",), outside=True),
    "declare reduction": Sample(argument="f : int : omp_out += omp_in", outside=True),
    "declare reduction combiner": Sample(argument="f : int", outside=True),
    "declare induction": Sample(argument="f : int", outside=True),
    "declare variant": Sample(argument="fb", outside=True), "declare simd": Sample(outside=True),
    "begin declare variant": Sample("#pragma omp end declare variant", outside=True),
    "begin metadirective": Sample(BODY + "\n#pragma omp end metadirective"), "metadirective": Sample(BODY),
    "requires": Sample(outside=True), "assumes": Sample(outside=True),
    "begin assumes": Sample("#pragma omp end assumes", outside=True),
}  # fmt: skip
"""What does not follow from a directive's association."""


def argument_of(row: DirectiveRow, clause: ClauseRow) -> str | None:
    """Return what a sample of a clause has in parentheses, None for a clause without."""
    text = LOCAL_TEXTS.get((row.name, clause.name), CLAUSE_TEXTS.get(clause.name))
    if clause.argument is Need.NEVER or text == "":
        return None
    if text is not None:
        return text
    if clause.shape is Shape.KEYWORD:
        return clause.keywords[0]
    return None if clause.argument is Need.MAY else "1"


def clause_text(row: DirectiveRow, clause: ClauseRow) -> str:
    """Return a sample of a clause."""
    argument = argument_of(row, clause)
    return clause.name if argument is None else f"{clause.name}({argument})"


@dataclass(frozen=True)
class Case:
    """A directive, with or without one clause beside those that it needs, in device code or in host code."""

    row: DirectiveRow
    clause: ClauseRow | None
    on_device: bool

    @property
    def sample(self) -> Sample:
        """How the directive is used, with this clause."""
        named = f"{self.row.name} {self.clause.name}" if self.clause else ""
        return SAMPLES.get(named, SAMPLES.get(self.row.name, Sample()))

    @property
    def text(self) -> str:
        """The directive as it is written."""
        sample = self.sample
        argument = f"({sample.argument})" if sample.argument else ""
        return " ".join(filter(None, (f"{self.row.name}{argument}", *self._clauses())))

    def _clauses(self) -> list[str]:
        """Return the clauses that the directive needs and the one in question."""
        clauses = CONSTRUCTS[self.row.name].clauses
        named = self.clause.name if self.clause else ""
        sample = self.sample
        needed = [g[0] for g in self.row.required if named not in g and not sample.clauses]
        needed += [b for a, b in self.row.needs if a == named]
        if named == "allocate":  # it names private copies of other clauses
            needed.append("private" if "private" in clauses else "task_reduction")
        texts = [clause_text(self.row, clauses[name]) for name in needed]
        texts += [sample.clauses] if named not in sample.instead else []
        return [*texts, *([clause_text(self.row, self.clause)] if self.clause else [])]

    def program(self) -> str:
        """Return a program with the directive, and a target region."""
        sample = self.sample
        types = "#include <omp.h>\n" if sample.header else TYPES
        if sample.outside:
            inside = f"#pragma omp target map(tofrom: p[0:n])\n{BODY}"
            tail = [f"int fv(int *p, int n);\n{FUNCTION}{inside}\n}}"]
            return "\n".join([PRELUDE, types, f"#pragma omp {self.text}", sample.statement, *tail])
        statement = sample.statement or STATEMENTS.get(self.row.association, "")
        nest = NEST if self.clause and self.clause.name in ("collapse", "permutation") else statement
        lines = [sample.before, f"#pragma omp {self.text}", nest, sample.after]
        if self.on_device:
            lines = ["#pragma omp target map(tofrom: x, y, r, p[0:n], q[0:n])", "{", *lines, "}"]
        else:
            lines += [f"#pragma omp target map(tofrom: p[0:n])\n{BODY}"]
        return "\n".join([PRELUDE, types, FUNCTION, *lines, "}"])


STATEMENTS = {Association.BLOCK: BODY, Association.LOOP: LOOP, Association.NONE: ";"}


@functools.cache
def system_includes() -> tuple[str, ...]:
    """Return the host compiler's own include directories."""
    return HostAnswers().folders(toolchain.find_host_compiler(None).cc, "c", ())


class Outcome(Enum):
    """What becomes of a directive or clause; the value is what the tables show."""

    LOWERED = "lowered"
    HOST = "host compiler"
    RESOLVED = "resolved"
    REFUSED = "refused"
    NONE = "–"


def outcome(case: Case) -> Outcome:
    """Translate a case and return what becomes of it."""
    is_target = re.match(r"(begin |declare )*target\b", case.row.name) is not None
    is_elsewhere = case.on_device and (is_target or case.sample.outside)
    if case.row.association is Association.END or is_elsewhere:
        return Outcome.NONE
    program = case.program()
    options = TranslateOptions("c", ("-std=gnu17",), system_includes())
    found = translate("t.c", options, {"t.c": program.encode()}.get)
    errors = [d for d in found.diagnostics if d.severity is Severity.ERROR]
    if errors:
        wrong = [d for d in errors if not NOT_YET.match(d.code) and (case.row.name, d.code) != ("scan", "omp-scan")]
        if wrong:
            raise SystemExit(f"{case.text}: {'device' if case.on_device else 'host'}: {wrong[0].code}: "
                             f"{wrong[0].message}\n{program}")  # fmt: skip
        return Outcome.REFUSED
    if case.on_device or is_target:
        return Outcome.LOWERED
    kept = found.host is None or f"\n#pragma omp {case.text}\n" in found.host.text
    return Outcome.HOST if kept else Outcome.RESOLVED


def measured() -> dict[tuple[str, str, bool], Outcome]:
    """Return what becomes of every directive (clause "") and of every clause on it."""
    found = {}
    for row in LEAVES:
        for clause in (None, *CONSTRUCTS[row.name].clauses.values()):
            for on_device in (True, False):
                key = (row.name, clause.name if clause else "", on_device)
                found[key] = outcome(Case(row, clause, on_device))
    return found


def version(since: int) -> str:
    """Return a version as the specification is called; 45 is where the tables start."""
    return "≤ 4.5" if since <= 45 else f"{since // 10}.{since % 10}"


def checked(row: DirectiveRow) -> str:
    """Return how many rules about its clauses the tables state for a directive."""
    once = sum(c.unique is not Unique.NO for c in CONSTRUCTS[row.name].clauses.values())
    counts = {"once": once, "exclusive": len(row.exclusive), "required": len(row.required), "needs": len(row.needs)}
    return ", ".join(f"{n} {what}" for what, n in counts.items() if n) or "–"


def directive_lines(found: dict[tuple[str, str, bool], Outcome]) -> Iterable[str]:
    """Yield the table of directives."""
    yield "| directive | since | belongs to | parsed | clause rules | in device code | in host code |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in LEAVES:
        states = [found[row.name, "", True].value, found[row.name, "", False].value]
        cells = (f"`{row.name}`", version(row.since), row.association.value, "yes", checked(row), *states)
        yield f"| {' | '.join(cells)} |"


def clause_lines(found: dict[tuple[str, str, bool], Outcome]) -> Iterable[str]:
    """Yield the table of clauses, with the directives by what becomes of the clause on them."""
    yield "| clause | since | lowered on | host compiler's on | resolved on | refused on |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for clause in CLAUSES:
        names = [row.name for row in LEAVES if clause.name in row.clauses]
        cells = [f"`{clause.name}`", version(clause.since)]
        for state in (Outcome.LOWERED, Outcome.HOST, Outcome.RESOLVED, Outcome.REFUSED):
            cells.append(", ".join(_places(found, names, clause.name, state)) or "–")
        yield f"| {' | '.join(cells)} |"


def _places(
    found: dict[tuple[str, str, bool], Outcome], names: Sequence[str], clause: str, state: Outcome
) -> Iterable[str]:
    """Yield the directives on which a clause has a state; a refusal says where when it is refused on one side only."""
    for name in names:
        device, host = (found[name, clause, on_device] for on_device in (True, False))
        if state is Outcome.REFUSED and (device is state) != (host is state) and Outcome.NONE not in (device, host):
            yield f"{name} ({'device' if device is state else 'host'})"
        elif state in (device, host):
            yield name


def combined_lines() -> Iterable[str]:
    """Yield the combined constructs; what they allow and become follows from their leaves."""
    yield ", ".join(f"`{' '.join(row.leaves)}`" for row in COMBINED) + "."


def document() -> str:
    """Return the whole document."""
    found = measured()
    return "\n".join([
        "# What rexcc makes of OpenMP",
        "",
        "Generated by `scripts/support_matrix.py`, which translates a sample of every directive and of every clause on",
        "it; a test says that this is current. *Lowered*: rexcc makes device code or calls of libomptarget of it.",
        "*Host compiler*: it stays in the host file as it is. *Resolved*: rexcc itself acts upon it and replaces it.",
        "*Refused*: an error that says so. *Clause rules*: what the tables alone check about its clauses; rules about",
        "variables, loops and nesting come on top (`rexcc --explain`). A dash: it does not stand there.",
        "",
        "## Directives",
        "",
        *directive_lines(found),
        "",
        "## Combined constructs",
        "",
        *combined_lines(),
        "",
        "Each is its leaves, one inside the other; clauses are distributed over them by the rules of OpenMP 5.2, 17.2.",
        "",
        "## Clauses",
        "",
        *clause_lines(found),
        "",
    ])  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Write the document."""
    DOCUMENT.parent.mkdir(exist_ok=True)
    DOCUMENT.write_text(document(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
