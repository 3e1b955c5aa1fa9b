"""``scan`` (OpenMP 5.2, 5.6): prefix sums, an iteration's body split into two phases.

In: a region whose reduction has the ``inscan`` modifier. Out: edits of the loop's body, and the loop's form. One team
executes the loop, each of its threads an iteration a round; between the phases the team combines what its iterations
have contributed, in their order::

    for (long long __rex_chunk_base = 0; __rex_chunk_base < __rex_trips; __rex_chunk_base += blockDim.x) {
      const long long __rex_iteration = __rex_chunk_base + threadIdx.x; …
      int s = rex_identity_add<int>();
      if (__rex_iteration < __rex_trips) { s += a[i]; }                                    // input phase
      rex_scan_inclusive_add(s, __rex_carry_s);
      if (__rex_iteration < __rex_trips) { b[i] = s; }                                     // scan phase
    }

With ``exclusive`` the scan phase stands first in the text; a loop of two rounds executes it last. A thread alone
contributes to the original between its phases. Loops inside of regions are in :mod:`rexcc.lowering.constructs.scans`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from clang.cindex import Type

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.references import collect, is_written
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.scan_phases import check_phases
from rexcc.clang import spelling, types
from rexcc.clang.forwarding_constructors import has_forwarding_constructor
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end, statement_start
from rexcc.kernel.ir import (
    Assign,
    Block,
    ByFirst,
    Code,
    Declare,
    For,
    Guard,
)
from rexcc.kernel.reductions import Among, Operand, PrefixSum, Reduce, Value
from rexcc.lowering.loops.loop_forms import LoweredLoop, Text
from rexcc.lowering.loops.numbered_loops import lower_rounds
from rexcc.lowering.model.host_values import address_text
from rexcc.lowering.model.launch import Geometry
from rexcc.lowering.reductions.array_reductions import Quote
from rexcc.lowering.reductions.reduction_clauses import (
    WITHOUT_ORIGINAL,
    reduced_variable,
    reduction_operation,
    unsupported,
    written,
)
from rexcc.lowering.reductions.reduction_operators import Operation
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, begins_line, place_around, place_directive, place_in_lines
from rexcc.lowering.text.team import block
from rexcc.lowering.text.variables import pointer
from rexcc.openmp.model import Clause, ReductionClause
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import is_perfect
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable, variable_of
from rexcc.source.diagnostics import error
from rexcc.source.own_names import own_name, related
from rexcc.source.records import dataclass, replace

NO_LOOP = "'inscan' is for reductions of 'for' and 'simd' loops"
DEPENDENT_BOUNDS = "a scan of loops whose bounds depend on an outer index"
IN_RANGE = "__rex_iteration < __rex_trips"
NO_COPIES: Mapping[str, str] = MappingProxyType({})
_PHASES = For("int __rex_phase", "__rex_phase", "0", "<", "2", "++")


@dataclass(frozen=True)
class ScanItem:
    """A variable of the scan, its type, and the operation.

    ``kept`` declares the pointer to the original where the name still means that.
    """

    variable: Variable
    kind: Type
    kept: Declare
    operation: Operation

    @property
    def name(self) -> str:
        """The variable's name."""
        return self.variable.name

    @property
    def carry(self) -> str:
        """The name of what all earlier rounds have contributed."""
        return related("carry", self.name)

    @property
    def initial(self) -> Value:
        """What an iteration's copy starts with."""
        initial = self.operation.initial("")
        return "{}" if initial is None else initial

    def start(self) -> Declare:
        """Return the declaration of an iteration's copy."""
        return self.copy(self.initial)

    def copy(self, value: Value) -> Declare:
        """Return the declaration of a copy."""
        return Declare(spelling.declare_bare(self.kind, self.name), self.name, value)

    def carried(self, target: str) -> Declare:
        """Return the declaration of what is carried from round to round; it begins with the original's value."""
        value = f"rex_as_copied(*{target})" if has_forwarding_constructor(self.kind) else f"*{target}"
        return Declare(spelling.declare_bare(self.kind, self.carry), self.carry, value)


@dataclass(frozen=True)
class Scan:
    """A ``scan`` directive with its variables; ``is_exclusive`` tells that the scan phase comes first."""

    construct: Construct
    is_exclusive: bool
    items: tuple[ScanItem, ...]

    def opening(self) -> Code:
        """Return the code with which an iteration of a round begins: copies."""
        return tuple(item.start() for item in self.items)


def is_inscan(clause: Clause) -> bool:
    """Whether a clause is a reduction with the ``inscan`` modifier."""
    return isinstance(clause, ReductionClause) and any(m.name == "inscan" for m in clause.modifiers)


def region_scan(region: TargetRegion) -> Scan | None:
    """Return the scan of a region's own loop, None where its reductions have no ``inscan``; raises CompileError."""
    placed = [p for p in region.clauses("reduction") if is_inscan(p.clause)]
    loops = (*region.loops, *region.sequential)
    if not placed:
        return None
    if not loops:
        raise error("omp-scan", NO_LOOP, placed[0].clause.span)
    check_perfect(region.body, len(loops), placed[0].clause)
    if region.has_inner_parallel:
        hint = "take these out of the loop"
        raise unsupported("a scan around parallel constructs", placed[0].clause.span, hint)
    if region.loops and region.sequential:
        hint = "scan the innermost loop, or give the loops bounds of their own"
        raise unsupported(DEPENDENT_BOUNDS, placed[0].clause.span, hint)
    clauses = [(p.construct, p.clause) for p in placed if isinstance(p.clause, ReductionClause)]
    return find_scan(region.unit, region.constructs[-1], clauses, loops[-1].body)


def check_perfect(statement: Node, depth: int, clause: Clause) -> None:
    """Report code between the collapsed loops of a scan."""
    if not is_perfect(statement, depth):
        message = "a loop with an 'inscan' reduction has nothing between its collapsed loops"
        raise error("omp-scan", message, clause.span)


def find_scan(
    unit: ParsedUnit,
    construct: Construct,
    clauses: Iterable[tuple[Construct, ReductionClause]],
    inner: Node,
    quote: Quote = written,
) -> Scan:
    """Return the scan of a loop with the body ``inner``; raises CompileError where its directive is no good.

    ``quote`` gives the device text of the clauses' items.
    """
    items = {i.variable: i for around, clause in clauses for i in _items(unit, around, clause, quote)}
    directives = [c for c in construct.children if c.directive.leaves == ("scan",)]
    if len(directives) != 1:
        place = directives[1].span if directives else construct.span
        raise error("omp-scan", "a loop with an 'inscan' reduction needs one 'scan' directive in its body", place)
    found = directives[0]
    parent = found.node.parent
    if inner.kind != "COMPOUND_STMT" or parent is None or (parent.start, parent.kind) != (inner.start, inner.kind):
        raise error("omp-scan", "'scan' must stand between statements of the loop's body itself", found.span)
    listed = [i.whole_variable for i in found.items_of(*found.directive.clauses)]
    for variable in (v for v in listed if v is not None and v not in items):
        raise error("omp-scan", f"'{variable.name}' is in no 'inscan' reduction of the loop", found.span)
    for variable, item in items.items():
        if variable not in listed:
            raise error("omp-scan", f"'{item.name}' has an 'inscan' reduction and must be in the 'scan'", found.span)
    check_phases(unit, inner, found.node)
    return Scan(found, found.directive.has("exclusive"), tuple(items.values()))


def accumulates(body: Node, scan: Scan) -> bool:
    """Whether each assignment of the scan's variables builds on their values, as a loop without directives needs it."""
    scanned = {item.variable for item in scan.items}
    uses = [(v, use) for v in collect([body]).variables.values() if v in scanned for use in v.uses]
    return all(_builds_on(variable, _part(use)) for variable, use in uses if is_written(_part(use)))


def _part(use: Node) -> Node:
    """Return the member that a use of a variable is for, the use itself where it is for the whole."""
    while use.parent is not None and use.parent.kind in ("MEMBER_REF_EXPR", "PAREN_EXPR"):
        use = use.parent
    return use


def _builds_on(variable: Variable, target: Node) -> bool:
    """Whether an assignment reads the variable, or stands under a condition that does."""
    assignment = target.parent
    if assignment is None or "=" not in (assignment.operator, assignment.spelling.removeprefix("operator")):
        return True  # +=, ++ and other operators of classes
    values = [child for child in assignment.children if child is not target]
    readers = [*values, *(a.children[0] for a in target.ancestors() if a.kind == "IF_STMT")]
    return any(named_variable(n) == variable for reader in readers for n in reader.walk())


def in_one_team(shape: Geometry) -> Geometry:
    """Return the geometry of a scan: one team."""
    return replace(shape, one_team=True, teams=None, team_chunk="")


def private_items(data: RegionData, scan: Scan) -> tuple[ScanItem, ...]:
    """Return the variables of which the region has copies of its own, where their last values end."""
    found = ((item, data.of(item.variable)) for item in scan.items)
    return tuple(item for item, attribute in found if attribute is None or not attribute.reduction)


def carry_code(item: ScanItem, target: str) -> tuple[Code, Code]:
    """Return the code that takes the original's value and that gives it the last one."""
    return (item.carried(target),), (ByFirst((Assign(f"*{target}", item.carry),), bare=True),)


def scan_loop(region: TargetRegion, data: RegionData, scan: Scan, text: Text) -> LoweredLoop:
    """Return the form of a loop whose body is split."""
    lowered = lower_rounds(region.loops, text, block(region.unit.target.words))
    carries = (item.carried(address_text(item.name, item.kind)) for item in private_items(data, scan))
    lowered = replace(lowered, before=(*carries, *lowered.before))
    return lowered.opened_with(*scan.opening())


def lower_scan(body: DeviceBody, region: TargetRegion, data: RegionData, scan: Scan) -> None:
    """Split the body of a region's loop; this comes before other directives become comments."""
    if not region.loops:
        private = private_items(data, scan)
        own = {item.name: related("kept", item.name) for item in private}
        kept = tuple(pointer(item.kind, own[item.name], address_text(item.name, item.kind)) for item in private)
        _place_around(body, [region.sequential[0].statement] if own else [], (*kept, *USER))
        scan_alone(body, scan, region.sequential[-1].body, own)
        return
    split_rounds(body, scan, region.loops[-1].body)


def split_rounds(body: DeviceBody, scan: Scan, inner: Node, threads: str = "") -> None:
    """Split the body of a loop that a team executes in rounds; ``threads`` is its size where it is not the block."""
    sums = tuple(PrefixSum(i.name, i.carry, i.operation.operator, scan.is_exclusive, threads) for i in scan.items)
    first = second = IN_RANGE
    if scan.is_exclusive:
        first, second = f"__rex_phase == 1 && {IN_RANGE}", f"__rex_phase == 0 && {IN_RANGE}"
        phases = Block(_PHASES, (*USER, Block("if (__rex_phase == 0)", sums)))
        start, end = statement_start(body.file, inner.children[0]), statement_end(body.file, inner.children[-1])
        (place_in_lines if begins_line(body, start) else place_around)(body, start, end, (phases,))
    place_phases(body, scan, inner, first, () if scan.is_exclusive else sums, second)


def place_phases(body: DeviceBody, scan: Scan, inner: Node, first: str, between: Code, second: str) -> None:
    """Put the parts of a body under conditions, and code between them."""
    site = scan.construct.probe.site
    _place_around(body, [n for n in inner.children if body.start(n) < site.start], (Guard(first, USER),))
    place_directive(body, site, between, body.start(inner.children[0]))
    _place_around(body, [n for n in inner.children if body.start(n) > site.start], (Guard(second, USER),))
    body.needs.synchronises = True


def scan_alone(body: DeviceBody, scan: Scan, inner: Node, own: Mapping[str, str] = NO_COPIES) -> None:
    """Edit the body of a loop that one thread executes; ``own`` names the pointers to copies of the region's own."""
    names = {i.name: own.get(i.name, own_name(i.name)) for i in scan.items}
    operands = tuple(Operand(names[i.name], i.name, i.operation.operator) for i in scan.items)
    joins: Code = (Reduce(operands, Among.ALONE),)
    if scan.is_exclusive:
        first: Code = tuple(i.copy(f"*{names[i.name]}") for i in scan.items)
        between: Code = tuple(Assign(i.name, i.initial) for i in scan.items)
    else:
        first = scan.opening()
        between, joins = (*joins, *(Assign(i.name, f"*{names[i.name]}") for i in scan.items)), ()
    _place_around(body, inner.children, (*first, *USER, *joins))
    place_directive(body, scan.construct.probe.site, between, body.start(inner.children[0]))


def _place_around(body: DeviceBody, statements: Sequence[Node], code: Code) -> None:
    """Put code around statements, if there are any."""
    if statements:
        place_around(body, statement_start(body.file, statements[0]), statement_end(body.file, statements[-1]), code)


def _items(unit: ParsedUnit, construct: Construct, clause: ReductionClause, quote: Quote) -> list[ScanItem]:
    found: list[ScanItem] = []
    for listed in construct.items_of(clause):
        item, node = listed.item, reduced_variable(listed)
        kind = types.without_reference(node.type)
        text = item.whole.text.strip()
        variable = variable_of(node.referenced)
        if item.sections or types.is_array(kind) or variable is None:
            raise unsupported(f"a scan of the array '{text}'", item.whole.span, "scan single variables")
        name = variable.name
        operation = reduction_operation(unit, kind, name, clause.operator, item.whole.span)
        if operation.reads_original:
            what = f"a scan with '{clause.operator}', whose initializer reads omp_orig,"
            raise unsupported(what, item.whole.span, WITHOUT_ORIGINAL)
        original = quote(item.base) if "::" in text else text
        kept = pointer(kind, own_name(name), address_text(original, kind))
        found.append(ScanItem(variable, kind, kept, operation))
    return found
