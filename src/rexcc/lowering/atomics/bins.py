"""Bins: what many threads add to a few elements comes together in each block's shared memory first.

In: a loop over the grid with ``atomic`` constructs in it. Out: :class:`Bins` for each array that gets them, and the
code around the loop. Before and after::

    for (…) {
      rex_atomic_add(&histogram[a[i]], 1);
    }

    /* What threads add to 'histogram' comes together in the block's own memory first. */
    __shared__ rex_bin_memory<unsigned int, 4096> __rex_bin_memory_histogram;
    const auto __rex_bins_histogram = rex_open_bins(__rex_bin_memory_histogram, histogram, n);
    for (…) {
      rex_bin_add(__rex_bins_histogram, &histogram[a[i]], 1);
    }
    rex_close_bins(__rex_bins_histogram);

Which elements have bins, the first of the array, the address decides when the kernel runs (``rex_device_bins.h``), so
nothing needs to be known of the array's extent or of the subscripts.

It cannot be noticed:

- Sums of integers are the same in any grouping: they wrap around, and where signed ones may not, no order is better
  than another. The bins have the elements' size.
- All that the region does to such an element atomically is to add to it, and nothing captures its value. Nothing else
  in an iteration can see it behind an addition (:mod:`.seen_additions`). Floating-point numbers beside the elements,
  which other constructs change, are of another type; they have no bins, for their sums depend on the grouping.
- No construct orders the additions with other accesses (all are relaxed), and no thread waits for another one.
- All sums are in place when the kernel ends.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Code, Declare, Do, Stmt, Storage
from rexcc.lowering.atomics.forms import atomic_kind
from rexcc.lowering.atomics.operations import NotThisFormError, Operation, update
from rexcc.lowering.atomics.orders import fences
from rexcc.lowering.atomics.seen_additions import Addition, loops_around, nothing_sees
from rexcc.lowering.atomics.thread_private import is_private
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import OWN
from rexcc.lowering.cleanups.syntax import is_exact
from rexcc.lowering.loops.loop_forms import Text
from rexcc.lowering.loops.tile_rules import refused_by_form
from rexcc.lowering.model.geometry import constant_trips
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import alone
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

MOST_ARRAYS = 4
"""Arrays with bins in one kernel."""

_MOST_BINS = 4096
"""Bins of one array."""

_BYTES_OF_ALL = 32768
"""Bytes of the bins of all arrays in one kernel: a block has 48 KiB of shared memory."""

_MANY = 8
"""Additions of a thread for which bins pay (``REX_BINS_LEAST`` in ``rex_tripcount.h``)."""

_LARGEST_SCALAR = 4
"""Bytes of a scalar that has a bin: what the threads of a warp add to a larger one, nvcc joins."""

LEAST_THREADS = 128
"""Threads of the narrowest block that the program may ask for: narrower ones have too few additions to one bin."""

_CLAUSES = frozenset({"update", "relaxed", "hint"})
_INTEGERS = frozenset({"BOOL", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG",
                       "LONGLONG", "ULONGLONG"})  # fmt: skip
_ELEMENTS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"})
_FUNCTIONS = {"add": "rex_bin_add", "sub": "rex_bin_sub"}


@dataclass(frozen=True)
class Bins:
    """An array with bins, or a scalar: its name, the expression that names it, the function for each construct that
    adds to it, by where it stands, the bytes of what they add to, and how often an iteration adds, 8 times at most."""

    array: str
    node: Node
    functions: dict[int, str]
    size: int
    additions: int = 1

    @classmethod
    def of(cls, updates: list[Addition], additions: int) -> Bins:
        """Return the bins of an array that some constructs add to."""
        first = updates[0]
        functions = {u.construct.probe.offset: u.function for u in updates}
        return cls(first.array.name, first.node, functions, first.size, additions)

    def first(self, text: Text) -> str:
        """Return the address of the first element."""
        is_scalar = types.is_scalar(self.node.type) and not types.is_pointer(self.node.type)
        return f"{'&' if is_scalar else ''}{text(self.node)}"

    @property
    def in_body(self) -> dict[int, tuple[str, str]]:
        """What ``DeviceBody.bins`` has of it."""
        return {offset: (function, self.name) for offset, function in self.functions.items()}

    @property
    def name(self) -> str:
        """The variable that stands for the bins."""
        return related("bins", self.array)

    @property
    def own(self) -> str:
        """The array in the block's memory."""
        return related("bin_memory", self.array)

    def opened(self, number: int, count: str, text: Text) -> tuple[Stmt, ...]:
        """Return the statements that make so many bins."""
        sums = "unsigned long long" if self.size == 8 else "unsigned int"
        each = count if count.isidentifier() else f"({count})"
        added = count if self.additions == 1 else f"{self.additions} * (long long){each}"
        return (
            Do(f"/* What threads add to '{self.array}' comes together in the block's own memory first. */"),
            Declare(f"rex_bin_memory<{sums}, {number}> {self.own}", self.own, storage=Storage.TEAM),
            Declare(f"const auto {self.name}", self.name, f"rex_open_bins({self.own}, {self.first(text)}, {added})"),
        )


def with_bins(bins: tuple[Bins, ...], loop: Code, count: str, text: Text) -> Code:
    """Return a loop with so many iterations, the bins opened in front of it and closed behind it."""
    fits = sum(_MOST_BINS * one.size for one in bins) <= _BYTES_OF_ALL
    bytes_of_one = _BYTES_OF_ALL if fits else _BYTES_OF_ALL // MOST_ARRAYS
    opened = [s for one in bins for s in one.opened(min(_MOST_BINS, bytes_of_one // one.size), count, text)]
    return (*opened, *loop, *(Do(f"rex_close_bins({one.name});") for one in bins))


def find_bins(context: CleanupContext, numbered: bool, threads_meet: bool, strict_aliasing: bool) -> tuple[Bins, ...]:
    """Return the arrays that get bins, nothing where there are none or something might be noticed."""
    region = context.kernel.region
    constructs = list(region.constructs[-1].descendants())
    if not constructs or not _has_form(context, numbered, threads_meet):
        return ()
    updates = [found for c in constructs if (found := _update(context, c)) is not None]
    added = {id(u.construct) for u in updates}
    others = [c for c in constructs if id(c) not in added]
    if not updates or (others and not strict_aliasing) or not all(_is_of_floats(context, c) for c in others):
        return ()
    if _has_longer_work(context, updates) or not nothing_sees(context, updates, strict_aliasing):
        return ()
    arrays = dict.fromkeys(u.array for u in updates)
    if len(arrays) > MOST_ARRAYS or len({(u.array, u.size) for u in updates}) > len(arrays):
        return ()
    return tuple(_bins_of(context, [u for u in updates if u.array == array]) for array in arrays)


def _bins_of(context: CleanupContext, updates: list[Addition]) -> Bins:
    return Bins.of(updates, max(_additions(context, one.construct.node) for one in updates))


def _additions(context: CleanupContext, node: Node) -> int:
    """Return how often an iteration executes a statement, as far as it matters; loops of the run count as many."""
    times = 1
    for loop in loops_around(context, node):
        trips = constant_trips(context.kernel.region, loop) if loop.kind == "FOR_STMT" else None
        times *= _MANY if trips is None else trips
    return min(times, _MANY)


def _has_form(context: CleanupContext, numbered: bool, threads_meet: bool) -> bool:
    region, shape = context.kernel.region, context.kernel.geometry
    if context.kernel.packs or context.jumps:
        return False
    if any(region.clauses("schedule", "dist_schedule")):
        return False
    if shape.threads is not None and shape.constant_threads < LEAST_THREADS:
        return False
    return not refused_by_form(context, numbered, threads_meet, allowed=("atomic",))


def _has_longer_work(context: CleanupContext, updates: list[Addition]) -> bool:
    """Whether a loop of an iteration adds nothing, nor does one around it: then iterations may differ much, and
    additions are few beside them.

    A grid that is no larger than the GPU would share such iterations out less evenly.
    """
    loops = context.inner_loops()
    adding = {id(loop) for loop in loops if any(u.construct.node.is_inside(loop) for u in updates)}
    alone = (loop for loop in loops if id(loop) not in adding)
    return not all(any(id(around) in adding for around in loops_around(context, loop)) for loop in alone)


def _update(context: CleanupContext, construct: Construct) -> Addition | None:
    """Return what a construct does, None unless it is a relaxed addition to an integer of a captured array."""
    done = relaxed_update(context, construct)
    if done is None:
        return None
    operands = [*done.operands.values()]
    if done.helper not in _FUNCTIONS or not all(_is_integer(e) for e in operands):
        return None
    target = done.target.bare()
    element = _element(target)
    is_of_array = element.kind == "ARRAY_SUBSCRIPT_EXPR"
    node = element.children[0].bare() if is_of_array else _pointed_into(context, element) or element
    if node is target and target.type.get_size() > _LARGEST_SCALAR:
        return None
    array = _array(context, target, node)
    if array is None or is_private(context.body.unit.tree, construct, target):
        return None
    return Addition(construct, array, node, target, _FUNCTIONS[done.helper])


def relaxed_update(context: CleanupContext, construct: Construct) -> Operation | None:
    """Return what an ``atomic`` construct does, None unless it is a relaxed update that captures nothing."""
    directive, body = construct.directive, construct.body
    if directive.leaves != ("atomic",) or body is None or atomic_kind(directive) != "update":
        return None
    if any(clause.name not in _CLAUSES for clause in directive.clauses) or any(fences(context.body.unit, directive)):
        return None
    try:
        return update(alone(body))
    except NotThisFormError:
        return None


def _is_of_floats(context: CleanupContext, construct: Construct) -> bool:
    """Whether a construct is a relaxed update of a floating-point number."""
    done = relaxed_update(context, construct)
    return done is not None and types.kind_name(types.canonical(done.target.type)) in ("FLOAT", "DOUBLE")


def _pointed_into(context: CleanupContext, member: Node) -> Node | None:
    """Return the name of the array into which a pointer points that an iteration declares: ``b = &bins[k]`` of
    ``b->n``."""
    provenance = context.memory.provenance
    pointer = member.children[0].bare() if member.kind == "MEMBER_REF_EXPR" and member.children else member
    place = provenance.place(member)
    if named_variable(pointer) not in provenance.declared or place is None or len(place) != 1:
        return None
    (memory,) = place
    if memory.variable is None or not memory.pointee:
        return None
    return next(iter(provenance.uses.get(memory.variable, ())), None)


def _element(target: Node) -> Node:
    """Return the element of an array whose member a target is, or the target."""
    while target.kind == "MEMBER_REF_EXPR" and target.children and not types.is_pointer(target.children[0].type):
        target = target.children[0].bare()
    return target


def _array(context: CleanupContext, target: Node, node: Node) -> Variable | None:
    """Return the array or pointer whose element a target is, or the scalar, where it is the same for all iterations."""
    kind = types.canonical(target.type)
    if types.kind_name(kind) not in _ELEMENTS or types.is_volatile(kind):
        return None
    variable, provenance = named_variable(node), context.memory.provenance
    if node.kind != "DECL_REF_EXPR" or variable is None or variable in provenance.declared:
        return None
    if not is_exact(context.body, node) or types.is_reference(variable.type):
        return None
    if OWN in (provenance.place(target) or ()):
        return None
    return variable if node is target or provenance.is_constant(variable) else None


def _is_integer(node: Node) -> bool:
    return types.kind_name(types.canonical(node.type)) in _INTEGERS
