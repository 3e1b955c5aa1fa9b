"""Marks the statements of the host program whose kernels are waited for at their end.

In: the quiet runs of a unit. Out: calls of ``rex_batch_begin`` and ``rex_batch_end`` around each, and the files' own
lines left as they are. ``rex_batch_uses`` names the members of their method's object that they use. Where a run calls
functions of other files, both calls are made if these say that they are quiet, which the linker decides. What a run
reads of objects that may be anywhere becomes an argument of ``REX_HOST_READ``.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from rexcc.analysis.batches.quiet_parts import QuietParts
from rexcc.analysis.batches.quiet_runs import HostRead, Inlined, Interruption, Pause, QuietRun, TaskWait, Uses
from rexcc.clang.tree import Node
from rexcc.codegen.host.host_edits import HostEdits, resume
from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.statements import statement_end
from rexcc.frontend.surroundings import can_stand_behind, can_stand_in_front, first_pragma
from rexcc.source.line_directives import OWN
from rexcc.source.needed_expansion import ExpansionNeeded
from rexcc.source.own_names import related
from rexcc.source.patterns import regex

_WHY = " /* nothing up to its end sees whether the kernels in between have ended */"
_WAITED = " /* kernels of tasks behind it wait for those in front of it */"
_SEEN = " /* this may see whether the kernels have ended */"

_ADDRESS_OPERATOR = regex(r"\boperator\s*&\s*\(")
_INLINED = "__attribute__((__always_inline__))"
_QUESTIONS = {False: "REX_IS_QUIET", True: "REX_IS_QUIET_MERGED"}

_BEHIND_DIRECTIVES = regex(r"(?:[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*\n)+([ \t]*)(?=\S)")
"""Lines of the preprocessor at the margin, and the indentation behind them."""


def mark_batches(edits: HostEdits, runs: Iterable[QuietRun]) -> None:
    """Mark the quiet runs of the unit, and in functions that they call where these leave the queue."""
    pauses: dict[Pause, None] = {}
    inlined: dict[Inlined, None] = {}
    reads: dict[HostRead, None] = {}
    waits: dict[TaskWait, None] = {}
    for run in runs:
        file = edits.unit.files[run.first.file]
        if not _is_apart(file, run) or not all(_can_surround(file, i) for i in run.interruptions):
            continue
        if not all(_can_pause(edits, pause) for pause in run.uses.pauses):
            continue
        if not all(_can_surround(edits.unit.files[wait.file], _alone(wait)) for wait in run.uses.taskwaits):
            continue
        pauses |= dict.fromkeys(run.uses.pauses)
        inlined |= dict.fromkeys(run.uses.inlined)
        reads |= dict.fromkeys(run.uses.reads)
        waits |= dict.fromkeys(run.uses.taskwaits)
        _mark(edits, file, run, run.uses)
        for interruption in run.interruptions:
            _mark(edits, file, interruption, run.uses)
    for pause in pauses:
        _mark_pause(edits, pause)
    for wait in waits:
        _mark_taskwait(edits, wait)
    for function in inlined:
        file = edits.unit.files[function.file]
        edits.of(file).insert(file.original(function.start), _words_of(function))
    for read in reads:
        file = edits.unit.files[read.file]
        start, end = file.original(read.start), file.original(read.end)
        edits.of(file).before(start, end, "REX_HOST_READ(")
        edits.of(file).after(start, end, ")")


def _words_of(function: Inlined) -> str:
    """Return what makes a function a part of its callers."""
    if function.is_behind:
        return f"() {_INLINED}" if function.lacks_list else f" {_INLINED}"
    return f"{_INLINED} " if function.is_inline else f"{_INLINED} inline "  # GCC warns where it is missing


def _can_pause(edits: HostEdits, pause: Pause) -> bool:
    file = edits.unit.files[pause.file]
    if pause.body is not None and not file.scan.code.startswith("{", file.original(pause.body.start)):
        return False
    return _can_surround(file, _place_of(pause))


def _place_of(pause: Pause) -> Interruption:
    return Interruption(pause.statement, pause.statement, pause.in_block, False)


def _mark_pause(edits: HostEdits, pause: Pause) -> None:
    """Leave the queue in front of a statement, or where a loop's body begins, and go on with it behind."""
    file = edits.unit.files[pause.file]
    place, name = _place_of(pause), related("pause", str(pause.start))
    asked = "rex_batch_pause()" if pause.body is None else "rex_batch_depth()"
    opening, closing = f"const unsigned {name} = {asked};{_SEEN}", f"rex_batch_resume({name});"
    if not pause.in_block:
        opening, closing = f"{{ {opening}", f"{closing} }}"
    source, start, end = file.scan.source, _start(file, place), _end(file, pause.statement)
    line = source.text[source.text.rfind("\n", 0, start) + 1 : start]
    indent = _indent(source.text, start, line)
    _surround(edits, file, (start, end), (line, indent), (f"{opening}\n", closing))
    if pause.body is not None:
        edits.of(file).insert(file.original(pause.body.start) + 1, " rex_batch_pause();")


def _alone(wait: TaskWait) -> Interruption:
    return Interruption(wait.statement, wait.statement, True, False)


def _mark_taskwait(edits: HostEdits, wait: TaskWait) -> None:
    """Tell the queue of a ``taskwait``, in front of it."""
    file = edits.unit.files[wait.file]
    source, start = file.scan.source, _start(file, _alone(wait))
    line = source.text[source.text.rfind("\n", 0, start) + 1 : start]
    indent = _indent(source.text, start, line)
    _surround(
        edits, file, (start, _end(file, wait.statement)), (line, indent), (f"rex_batch_taskwait();{_WAITED}\n", "")
    )


def _mark(edits: HostEdits, file: ProbedFile, part: QuietRun | Interruption, uses: Uses) -> None:
    """Open the queue in front of a run and close it behind; around what interrupts one the other way. In front of a
    declaration of C stands another one."""
    source, start, end = file.scan.source, _start(file, part), _end(file, part.last)
    line = source.text[source.text.rfind("\n", 0, start) + 1 : start]
    indent = _indent(source.text, start, line)
    in_c = not edits.unit.is_cplusplus and part.in_block
    number = f"{start}_{end}{'' if isinstance(part, QuietRun) else '_between'}"  # several may begin or end at one place
    first = number if in_c and part.first.kind == "DECL_STMT" else ""
    last = f"{number}_end" if in_c and _is_in_front_of_declaration(part.last) else ""
    if isinstance(part, QuietRun):
        before = _opened(edits, uses, indent, first, _WHY)
        behind = _statement(uses, "rex_batch_end()", indent, last)
    else:
        before = f"{_statement(uses, 'rex_batch_end()', indent, first)}{_SEEN}\n"
        behind = "" if part.leaves else _opened(edits, uses, indent, last, "").rstrip("\n")
    around = (before, behind) if part.in_block else (f"{{ {before}", f"{behind} }}".lstrip())
    _surround(edits, file, (start, end), (line, indent), around)


def _surround(
    edits: HostEdits, file: ProbedFile, place: tuple[int, int], margin: tuple[str, str], around: tuple[str, str]
) -> None:
    """Put lines of ours in front of a place and behind it; ``margin`` is the text of its line in front of it, and the
    indentation of ours."""
    (start, end), (line, indent), (opening, closing) = place, margin, around
    source, changes = file.scan.source, edits.of(file)
    begin = start if line.strip() else _end_of_line_before(source.text, start, len(line))
    changes.before(begin, end, f"\n{OWN}\n{indent}{opening}{resume(source, begin)}")
    if closing:
        changes.after(start, end, f"\n{OWN}\n{indent}{closing}\n{resume(source, end)}")


def _end_of_line_before(text: str, start: int, indent: int) -> int:
    """Return where the line in front of a statement's ends, which is where ours go; the statement's own start where a
    backslash joins both lines."""
    end = start - indent - 1
    end -= text.startswith("\r\n", end - 1)
    return start if text.endswith("\\", 0, end) else end


def _indent(text: str, start: int, line: str) -> str:
    """Return the indentation of a statement: of what follows on a directive that stands at the margin."""
    if line.strip():
        return ""
    behind = _BEHIND_DIRECTIVES.match(text, start) if not line else None
    return behind[1] if behind else line


def _opened(edits: HostEdits, uses: Uses, indent: str, number: str, why: str) -> str:
    """Return the lines that open the queue. Classes may have an operator that is written as the address is."""
    begin = _statement(uses, f"rex_batch_begin{_tasks(uses)}()", indent, number)
    files = edits.unit.files.values() if uses.checked and edits.unit.is_cplusplus else ()
    is_overloaded = any(_ADDRESS_OPERATOR.search(file.scan.code) for file in files)
    calls = (f"rex_batch_uses({_address(m, is_overloaded)}, sizeof {m})" for m in uses.checked)
    return "".join([f"{begin}{why}\n", *(f"{indent}{_statement(uses, call, indent)}\n" for call in calls)])


def _tasks(uses: Uses) -> str:
    if uses.taskwaits:
        return "_behind_tasks"
    return "_of_tasks" if uses.ordered else ""


def _address(expression: str, is_overloaded: bool) -> str:
    if expression.startswith("*"):
        return expression[1:]
    return f"__builtin_addressof({expression})" if is_overloaded else f"&{expression}"


def _statement(uses: Uses, call: str, indent: str, number: str = "") -> str:
    """Return a call as a statement, or as a declaration with a number, for functions elsewhere that are quiet."""
    tests = [f"{_QUESTIONS[f.merged]}({f.symbol}, {f.address})" for f in uses.elsewhere]
    joined = f" &&\n{indent}    ".join(tests)
    if number:
        called = f"!({joined}) ? (void)0 : {call}" if tests else call
        return f"REX_DECLARED({called}, {number});"
    return f"if ({joined})\n{indent}  {call};" if tests else f"{call};"


def _is_in_front_of_declaration(statement: Node) -> bool:
    """Whether a declaration follows on a statement."""
    following = (n for n in (statement.parent.children if statement.parent else ()) if n.start >= statement.end)
    return any(n.kind == "DECL_STMT" for n in islice(following, 1))


def quiet_declared(quiet: QuietParts) -> list[str]:
    """Return the lines in front of a host file with which it asks for what other files say of their functions, and has
    an ``assert`` that fails wait."""
    called = dict.fromkeys(function.symbol for run in quiet.runs for function in run.uses.elsewhere)
    waiting = ["#define __assert_fail rex_assert_fail"] if quiet.asserts else []
    return [*waiting, *(f"REX_ASKED_WHETHER_QUIET({name})" for name in called)]


def quiet_defined(quiet: QuietParts) -> list[str]:
    """Return the lines at the end of a host file with which it says what others may know of its functions."""
    return [
        f"REX_QUIET_MERGED({f.symbol}, {f.address})" if f.merged else f"REX_QUIET({f.symbol}, {f.type})"
        for f in quiet.functions
    ]


def _start(file: ProbedFile, run: QuietRun | Interruption) -> int:
    """Return where a run starts in the user's text: a directive's place is that of its pragma, as is that of a loop
    of which pragmas speak."""
    sites = (p.site.start for p in file.probes_at(run.first.start))
    return first_pragma(file, next(sites, file.original(run.first.start)))


def _is_apart(file: ProbedFile, part: QuietRun | Interruption) -> bool:
    """Whether nothing around a run, or what interrupts one, belongs to it, nor is a word of its parent's in a macro."""
    return can_stand_in_front(file, part.first, _start(file, part), part.in_block) and can_stand_behind(
        file, part.last, _end(file, part.last), part.in_block
    )


def _can_surround(file: ProbedFile, interruption: Interruption) -> bool:
    """Whether lines can stand around what interrupts a run, without the expansion of a macro."""
    try:
        return _is_apart(file, interruption)
    except ExpansionNeeded:
        return False


def _end(file: ProbedFile, last: Node) -> int:
    """Return where statements end in the user's text: where a directive does that has no statement."""
    alone = (p for p in file.probes_at(last.start) if form_of(p.directive) is Form.STANDALONE)
    return next((p.site.end for p in alone), None) or statement_end(file, last)
