"""``lastprivate`` and ``linear`` of a kernel's own loops (OpenMP 5.2, 5.4.5 and 5.4.6): the last copy is kept.

In: a region with its distributed loops. Out: code. The thread that executes the sequentially last iteration notes that
(its iterations come in order, so its copies then hold the values of that one) and writes its copies back in the end::

    int x; int __rex_ran_last = 0; const int __rex_last_i = n - 1;
    for (…) {
      __rex_ran_last = i == __rex_last_i;
      …
    }
    if (__rex_ran_last) *__rex_x = x;

A region of one thread needs none of this: its loop works on the original. Where inner bounds depend on an outer index,
the threads look for the last iteration in front of the loop (``dependent_nests``).
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.live_out_indices import KeptIndex, kept_indices
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.frontend.statements import statement_start
from rexcc.kernel.code import elements
from rexcc.kernel.ir import (
    Assign,
    Barrier,
    Block,
    Code,
    Declare,
    Guard,
    If,
)
from rexcc.lowering.loops.conditional_lastprivate import (
    ITERATION,
    ConditionalItem,
    check_conditional,
    is_conditional,
    mark_assignments,
)
from rexcc.lowering.loops.dependent_nests import behind_loop, check_dependent, note_dependent
from rexcc.lowering.loops.induction import floating_step, is_floating, operator_of, stepped
from rexcc.lowering.loops.loop_forms import Text
from rexcc.lowering.loops.numbered_loops import device_tripcount
from rexcc.lowering.model.launch import Argument, by_value
from rexcc.lowering.reductions.first_values import first_value, may_be_on_device
from rexcc.lowering.reductions.region_reductions import KernelCopy
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_header
from rexcc.lowering.text.team import Team, block
from rexcc.lowering.text.variables import copy_array, copy_of_pointee, reference
from rexcc.lowering.text.variables import variable as declare
from rexcc.openmp.model import Expression, ListClause, ListItem
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.own_names import own_name, related
from rexcc.source.records import dataclass

RAN_LAST = "__rex_ran_last"
_CLAUSES = ("lastprivate", "linear", "induction")


@dataclass(frozen=True)
class LastItem:
    """A variable that leaves a region with its last value.

    ``step`` where it is linear, ``copied`` if firstprivate; ``conditional`` where its assignments are noted,
    ``operator`` that of ``induction``.
    """

    variable: Variable
    kind: Type
    item: ListItem
    construct: Construct
    linear: bool
    copied: bool
    step: Expression | None
    conditional: ConditionalItem | None = None
    operator: str = ""

    @property
    def name(self) -> str:
        """The variable's name."""
        return self.variable.name

    @property
    def clause(self) -> str:
        """The name of the clause of a variable with steps."""
        return "induction" if self.operator else "linear"

    @property
    def constant_step(self) -> int | None:
        """The step, None where only the run knows it."""
        if self.step is not None and self.operator and is_floating(self.kind):
            return None
        return 1 if self.step is None else self.construct.value_of(self.step)

    @property
    def step_text(self) -> str:
        """The step in the kernel: a number, or the name of a value that travels there."""
        if self.constant_step is None:
            return related("linear_step", self.name)
        return str(self.constant_step) if self.constant_step >= 0 else f"({self.constant_step})"


def last_items(region: TargetRegion) -> dict[Variable, LastItem]:
    """Return the variables that clauses or ``simd`` keep; raises CompileError for bad ones."""
    combined = {item.whole_variable for item in region.items(*_CLAUSES) if item.construct is region.construct}
    first = {  # a copy of the target construct's own is not yet a thread's
        item.whole_variable
        for item in region.items("firstprivate")
        if item.construct is not region.construct or item.whole_variable in combined
    }
    found: dict[Variable, LastItem] = {}
    for placed in region.clauses(*_CLAUSES):
        assert isinstance(placed.clause, ListClause)
        _check_modifiers(placed.clause)
        for listed in placed.construct.items_of(placed.clause):
            made = _make(listed, placed.clause, first)
            if made.linear or made.variable not in found:
                found[made.variable] = made
    for variable, index in kept_indices(region).items():
        found[variable] = _kept(index, first)
    return found


def last_copy(region: TargetRegion, item: LastItem, variable: UsedVariable) -> KernelCopy:
    """Return a thread's private copy of a variable, written to ``*__rex_<name>`` by the thread that ran last.

    Raises CompileError where the copy's first value may not be the host's, or it is not known which iteration of loops
    whose bounds depend on an outer index is the last one.
    """
    if region.loops and region.sequential:
        check_dependent(
            region, item.variable, item.item, item.clause if item.linear else "", item.conditional is not None
        )
    if item.linear and region.has_inner_parallel:
        message = f"{item.clause}({item.name}) around parallel constructs cannot be lowered yet; "
        message += "compute it from the loop's index"
        raise error("unsupported-clause", message, item.item.whole.span)
    arguments: list[Argument] = []
    source, read = "", Code()
    if (item.linear or item.copied) and may_be_on_device(region, variable):
        source, read = _first_value_there(region, item)
    elif item.linear or item.copied:
        argument, source = first_value(variable, item.kind)
        arguments.append(argument)
    if item.constant_step is None:
        arguments.append(_step_argument(item))
    if not region.loops:
        bound = reference(item.kind, item.name, f"*{own_name(item.name)}")
        return KernelCopy(tuple(arguments), (*read, bound), ())
    loop = next((x for x in (*region.loops, *region.sequential) if x.index == item.variable), None)
    opening = () if loop is not None and loop in region.loops else _declaration(item, source)
    return KernelCopy(tuple(arguments), (*read, *opening), _write_back(item, loop, block(region.unit.target.words)))


def last_code(region: TargetRegion, text: Text) -> tuple[Code, Code]:
    """Return what stands before a region's loop and first in each of its iterations, nothing where not needed."""
    items = last_items(region) if region.loops else {}
    indices = {loop.index for loop in (*region.loops, *region.sequential)}
    if all(i.conditional is not None and i.variable not in indices for i in items.values()):
        return (), ()
    if region.sequential:
        return note_dependent(region, RAN_LAST, text)
    before = (Declare(f"int {RAN_LAST}", RAN_LAST, "0"), *(_last_index(loop, text) for loop in region.loops))
    test = " && ".join(f"{loop.name} == {related('last', loop.name)}" for loop in region.loops)
    if inner_headers(region.loops):  # not all indices are known at the start of an iteration
        test = f"__rex_iteration == {' * '.join(related('trips', loop.name) for loop in region.loops)} - 1"
    linear = [i for i in items.values() if i.linear and i.variable not in indices]
    return before, (
        Assign(RAN_LAST, test),
        *(_linear_value(item, region.loops, text) for item in linear),
    )


def lower_conditional(body: DeviceBody, region: TargetRegion) -> bool:
    """Note the assignments to variables of conditional clauses; return whether there are any such variables."""
    indices = {loop.index for loop in (*region.loops, *region.sequential)}
    items = last_items(region).values() if region.loops else ()
    found = [i.conditional for i in items if i.conditional is not None and i.variable not in indices]
    mark_assignments(body, region.constructs[-1], region.iteration, found, ITERATION)
    body.needs.synchronises |= bool(found)
    return bool(found)


def lower_sequential(body: DeviceBody, region: TargetRegion) -> None:
    """Give linear variables their values in a loop that one thread executes."""
    if region.loops or not region.sequential:
        return
    indices = {loop.index for loop in region.sequential}
    linear = [i for i in last_items(region).values() if i.linear and i.variable not in indices]
    if linear and inner_headers(region.sequential):
        message = f"{linear[0].clause}({linear[0].name}) on loops with code between them cannot be lowered yet"
        raise error("unsupported-clause", message, linear[0].item.whole.span)
    code = tuple(_linear_value(item, region.sequential, body.edited_node) for item in linear)
    inner = region.sequential[-1].body
    if code:
        start = statement_start(body.file, inner)
        place_header(body, start, start, Block("", (*code, *USER)), inner)


def _declaration(item: LastItem, source: str) -> Code:
    own = copy_of_pointee(item.kind, item.name, source) if source else (declare(item.kind, item.name),)
    return own if item.conditional is None else (*own, item.conditional.declaration)


def _write_back(item: LastItem, loop: CanonicalLoop | None, team: Team) -> Code:
    """Return the code of the thread that ran last; a loop's index leaves the loop with the value that ends it."""
    target = own_name(item.name)
    if loop is not None:
        return (If(RAN_LAST, (Assign(f"*{target}", behind_loop(loop)),)),)
    assigned = Assign(f"*{target}", item.name)
    if item.conditional is not None:
        return (If(item.conditional.condition(team.size), (assigned,)),)
    if not types.is_array(item.kind):
        return (If(RAN_LAST, (assigned,)),)
    element = types.shape_of(item.kind).element
    if not types.is_record(element):
        return (If(RAN_LAST, (copy_array(item.kind, f"*{target}", item.name, f"sizeof {item.name}"),)),)
    spelled = spelling.spell(element)
    copied = Assign(f"(({spelled} *){target})[__rex_e]", f"(({spelled} *){item.name})[__rex_e]")
    return (Guard(RAN_LAST, elements(f"sizeof {item.name} / sizeof({spelled})", (copied,)), bare=True),)


def _last_index(loop: CanonicalLoop, text: Text) -> Declare:
    """Return the declaration of a loop's last index value; it has no meaning without iterations."""
    kind = types.without_reference(loop.index_type)
    name = related("last", loop.name)
    if not loop.is_integer:
        return declare(kind, name, _last(loop, text))
    spelled = spelling.spell_value(kind)
    plain = loop.step.is_one and spelling.spell(types.without_reference(loop.bound.bare().type)) == spelled
    value = _last(loop, text)
    return Declare(f"const {spelled} {name}", name, value if plain else f"({spelled})({value})")


def _last(loop: CanonicalLoop, text: Text) -> str:
    if loop.step.is_one and loop.is_integer:
        if "=" in loop.relation:
            return text(loop.bound)
        return f"{loop.operand(loop.bound, text)} {'-' if loop.increasing else '+'} 1"
    sign, count = "+" if loop.increasing else "-", device_tripcount(loop, text)
    return f"{loop.operand(loop.lower, text)} {sign} ({count} - 1) * {loop.step.text}"


def _linear_value(item: LastItem, loops: tuple[CanonicalLoop, ...], text: Text) -> Assign:
    """Return the assignment of a linear variable's value in an iteration."""
    number = _logical_number(loops, text)
    if item.operator:
        first, kind = f"*{related('original', item.name)}", spelling.spell(item.kind)
        return Assign(item.name, stepped(first, item.operator, item.step_text, number, kind))
    distance = number if item.constant_step == 1 else f"{number} * {item.step_text}"
    value = f"*{related('original', item.name)} + {distance}"
    return Assign(item.name, f"({spelling.spell(item.kind)})({value})")


def _logical_number(loops: tuple[CanonicalLoop, ...], text: Text) -> str:
    """Return the number of an iteration in the whole nest, from 0, as an expression of the indices."""
    if inner_headers(loops):
        return "__rex_iteration"
    number = _own_number(loops[0], text)
    for loop in loops[1:]:
        number = f"({number} * {device_tripcount(loop, text)} + {_own_number(loop, text)})"
    return number


def _own_number(loop: CanonicalLoop, text: Text) -> str:
    lower = loop.operand(loop.lower, text)
    index = f"(long long){loop.name}" if loop.is_integer else loop.name
    if loop.is_from_zero:
        distance = index
    else:
        low = f"(long long){lower}" if loop.is_integer else lower
        distance = f"({index} - {low})" if loop.increasing else f"({low} - {index})"
    return distance if loop.step.is_one else f"{distance} / {loop.step.text}"


def _step_argument(item: LastItem) -> Argument:
    assert item.step is not None
    name, text, what = item.step_text, item.step.text.strip(), f"step of {item.name}"
    if not item.operator or not is_floating(item.kind):
        return by_value(name, "long long", f"({text})", what)
    return floating_step(name, item.kind, text, what)


def _first_value_there(region: TargetRegion, item: LastItem) -> tuple[str, Code]:
    """Return the name of a pointer to the value that a variable on the device begins with, and the code that reads it.

    All threads have read it before one writes the last value, which is possible in one team.
    """
    if region.has_teams or not types.is_scalar(item.kind):
        message = (
            f"'{item.name}' brings its value into the region and takes one out, and may be on the device before; that "
            "cannot be lowered yet"
        )
        raise error("unsupported-clause", message, item.item.whole.span)
    name = related("original", item.name)
    held = related("value", name)
    code = (
        Declare(f"{spelling.spell_bare(item.kind)} {held}", held, f"*{own_name(item.name)}"),
        Declare(f"{spelling.spell_bare(item.kind)} *{name}", name, f"&{held}"),
    )
    return name, (*code, Barrier()) if region.has_parallel else code


def _check_modifiers(clause: ListClause) -> None:
    for modifier in clause.modifiers:
        if modifier.name in ("ref", "uval"):
            message = f"'{clause.name}' with '{modifier.name}' cannot be lowered yet"
            raise error("unsupported-clause", message, clause.span)


def _kept(index: KeptIndex, first: set[Variable | None]) -> LastItem:
    """Return an index that leaves a region without a clause of its own."""
    kind, name = types.without_reference(index.variable.type), index.variable.name
    if types.is_pointer(kind):
        message = (
            f"the last value of the pointer '{name}', which the target construct maps, cannot be lowered yet: declare "
            f"'{name}' in the loop, or make it private"
        )
        raise error("unsupported-clause", message, index.item.whole.span)
    return LastItem(index.variable, kind, index.item, index.construct, False, index.variable in first, None)


def _make(listed: ResolvedItem, clause: ListClause, first: set[Variable | None]) -> LastItem:
    construct, item, named, variable = listed.construct, listed.item, listed.named, listed.whole_variable
    text = item.whole.text.strip()
    if named is None or variable is None or item.sections:
        message = f"'{clause.name}' of '{text}', which is no variable, cannot be lowered yet; use one in its place"
        raise error("unsupported-item", message, item.whole.span)
    kind, linear = types.without_reference(named.type), clause.name in ("linear", "induction")
    if types.is_pointer(kind):
        message = f"'{clause.name}' of the pointer '{text}' on a target construct cannot be lowered yet; "
        message += "use an index in its place"
        raise error("unsupported-clause", message, item.whole.span)
    if linear and not types.is_scalar(kind):
        message = f"'{text}' has type '{spelling.spell(kind)}'; linear variables are integers or pointers"
        raise error("omp-list-item-type", message, item.whole.span)
    step = clause.step or next((m.argument for m in clause.modifiers if m.name == "step"), None)
    conditional = ConditionalItem(variable) if is_conditional(clause) else None
    if conditional is not None:
        check_conditional(construct, clause)
    return LastItem(variable, kind, item, construct, linear, variable in first, step, conditional, operator_of(clause))
