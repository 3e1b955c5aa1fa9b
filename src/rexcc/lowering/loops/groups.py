"""Groups: neighbouring threads execute an iteration of the distributed loop together, and share its inner loop.

In: a loop that :mod:`.group_rules` lets through. Out: the form of the distributed loop, and edits of the inner one.
Before and after, where the compiler cannot tell that ``b`` and ``a`` lie apart::

    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) b[i * m + j] = 2 * a[i * m + j];

    const int __rex_group_size = rex_width(__rex_wanted_width);
    const int __rex_group_member = rex_member(blockDim.x * blockIdx.x + threadIdx.x, __rex_group_size);
    const long long __rex_group_count = rex_groups((long long)gridDim.x * blockDim.x, __rex_group_size);
    const long long __rex_group_number = rex_groups((long long)blockDim.x * blockIdx.x + threadIdx.x, __rex_group_size);
    for (long long __rex_i = __rex_group_number; __rex_i < n; __rex_i += __rex_group_count) {
      int i = (int)__rex_i;
      const int __rex_sharing = rex_sharing(__rex_group_size, [&] {
        if (!(0 < m)) return false;
        const rex_range __rex_of_b = rex_span(0, m - 1, [&](int j) { return rex_element(b[i * m + j]); });
        const rex_range __rex_of_a = rex_span(0, m - 1, [&](int j) { return rex_element(a[i * m + j]); });
        return rex_apart(__rex_of_b, __rex_of_a);
      });
      if (__rex_group_member < __rex_sharing)
        for (long long __rex_j = __rex_group_member; __rex_j < m; __rex_j += __rex_sharing) {
          int j = (int)__rex_j; …

The width is a power of two that divides the number of threads, so that each group has all of its own; a group may be
wider than a block, for its threads never wait for each other. The CPU device's groups have one thread each.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Type

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import header_end
from rexcc.kernel.ir import Block, Code, Do, Guard
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.loops.accesses import Access, outline_of
from rexcc.lowering.loops.folds import place_folds
from rexcc.lowering.loops.grid_loops import lower_with
from rexcc.lowering.loops.group_rules import GroupedLoop
from rexcc.lowering.loops.inner_loop import WIDE_BYTES, ComparedLoop, loops_around
from rexcc.lowering.loops.loop_forms import LoweredLoop, Share, Text, constant, declarator
from rexcc.lowering.loops.single_iteration import is_known_to_host
from rexcc.lowering.model.geometry import host_tripcount
from rexcc.lowering.model.launch import Kernel, by_value
from rexcc.lowering.text.placing import USER, place_header
from rexcc.lowering.text.this_pointer import range_of
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass, replace

_WIDTH, _MEMBER, _SHARING = "__rex_group_size", "__rex_group_member", "__rex_sharing"
_STEP = "\n  "
_NAMES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR"})


def comparison(found: GroupedLoop, text: Text) -> Code:
    """Return the code that compares the addresses of the inner loop's accesses; nothing where there is no need."""
    lines = conditions(found, text)
    if not lines:
        return ()
    return (constant(_SHARING, f"rex_sharing({_WIDTH}, [&] {{{''.join(_STEP + line for line in lines)}\n}})", "int"),)


def conditions(found: ComparedLoop, text: Text, stepping: tuple[Access, ...] = ()) -> list[str]:
    """Return the body of a function that says whether the accesses of a loop lie apart; nothing where they do.

    Those in ``stepping`` have to name another element in each iteration.
    """
    if not found.compared and not stepping:
        return []
    ranges = _Ranges(found, text)
    others: dict[str, list[str]] = {}
    for write, other in found.compared:
        one, against = ranges.of(write), ranges.of(other)
        if against not in (*others.get(one, ()), one) and one not in others.get(against, ()):
            others.setdefault(one, []).append(against)
    apart = [f"rex_apart({', '.join((one, *against))})" for one, against in others.items()]
    apart += [f"rex_apart({ranges.element(access, 0)}, {ranges.element(access, 1)})" for access in stepping]
    return [*ranges.declarations(), f"return {f' &&{_STEP}    '.join(apart)};"]


def group_loops(context: CleanupContext, found: GroupedLoop, compared: Code, text: Text) -> LoweredLoop:
    """Return the form of the distributed loop, with the inner one edited."""
    kernel, words = context.kernel, context.kernel.region.unit.target.words
    number, count = (f"rex_groups((long long){n}, {_WIDTH})" for n in _numbers(kernel))
    before = (
        Do("/* Groups of __rex_group_size neighbours execute an iteration together and share its inner loop. */"),
        constant(_WIDTH, f"rex_width{'_in_block' if found.folds else ''}(__rex_wanted_width)", "int"),
        constant(_MEMBER, f"rex_member({words.number_in_grid()}, {_WIDTH})", "int"),
        constant("__rex_group_count", count),
        constant("__rex_group_number", number),
    )
    place_folds(context, found.folds, text)
    _share_inner(context, found, compared, text)
    wanted = by_value("__rex_wanted_width", "int", "__rex_group_width", "width of a group", "__rex_group_width")
    kernel.arguments = (*kernel.arguments, wanted)
    kernel.geometry = replace(kernel.geometry, grouped=_inner_count(kernel, found))
    share = Share("__rex_group_number", "__rex_group_count", before, in_block=False)
    return lower_with(kernel.region.loops, text, share, kernel.region.unit.target.limits.threads)


def _numbers(kernel: Kernel) -> tuple[str, str]:
    words = kernel.region.unit.target.words
    return words.number_in_grid(), f"{words.blocks} * {words.threads}"


def _inner_count(kernel: Kernel, found: GroupedLoop) -> str:
    """Return the inner loop's iterations as a host expression; a warp's threads where the host cannot tell.

    Threads that fold loops are those of a warp.
    """
    loop = found.loop
    count = host_tripcount(kernel.region, loop) if is_known_to_host(kernel.region, kernel.data, loop) else ""
    if found.folds and count:
        return f"rex_folded({count})"
    return count or "REX_WARP"


def _share_inner(context: CleanupContext, found: GroupedLoop, compared: Code, text: Text) -> None:
    """Replace the inner loop's header, and put the comparison in front of it."""
    loop, waits = found.loop, (Do(f"rex_wait_for_group({_WIDTH});"),) if found.folds else ()
    body, width = context.body, _SHARING if compared else _WIDTH
    share = Share(_MEMBER, width, is_narrow=True)
    lowered = lower_with((loop,), text, share, context.kernel.region.unit.target.limits.threads)
    start, end = body.start(loop.statement), header_end(body.file, loop.statement)
    place_header(body, start, end, Block(lowered.headers[-1], (*lowered.opening, *USER)), loop.body)
    if not compared and waits:
        context.guarded[loop.statement] = (*waits, *USER)
    if compared:
        context.guarded[loop.statement] = (*waits, *compared, Guard(f"{_MEMBER} < {_SHARING}", USER, bare=True))


@dataclass(frozen=True)
class _Element:
    """The expression of an access's range in one iteration of the inner loop, and the locals it needs; ``is_object``
    tells that it is one object's, not those of a loop in between, ``is_wide`` that it is found with indices of 64 bits.
    """

    text: str
    local: str
    is_object: bool = True
    is_wide: bool = False


class _Ranges:
    """The ranges of addresses of one comparison, by what they are ranges of."""

    def __init__(self, found: ComparedLoop, text: Text) -> None:
        self.found = found
        self.text = text
        self.roots = {outline_of(root) for write, _ in found.compared if (root := write.root) is not None}
        self.elements: dict[str, list[_Element]] = {}
        self.names: dict[tuple[object, ...], str] = {}

    def of(self, access: Access) -> str:
        """Return the name of the range that an access's addresses belong to."""
        root = access.root
        outline = outline_of(root) if root is not None else ()
        if outline in self.roots:  # the loop writes there: each way of access is a range of its own
            outline = (outline, outline_of(access.node))
        if outline not in self.names:
            self.names[outline] = self._name(root)
        elements = self.elements.setdefault(self.names[outline], [])
        element = self._element(access)
        if element not in elements:
            elements.append(element)
        return self.names[outline]

    def declarations(self) -> list[str]:
        """Return the declarations of the ranges, behind what ends the comparison where the loop has no iteration."""
        loop = self.found.loop
        spans = ((name, self._whole(loop, elements)) for name, elements in self.elements.items())
        first, last = (loop.value(bound, self.text) for bound in (loop.lower, loop.bound))
        first = f"if (!({first} {loop.relation} {last})) return false;"
        return [first, *(f"const rex_range {name} = {span};" for name, span in spans)]

    def element(self, access: Access, number: int) -> str:
        """Return the range of an access's element in one of the loop's first iterations."""
        loop = self.found.loop
        first = loop.value(loop.lower, self.text)
        times = "" if number == 0 else f" {'+' if loop.increasing else '-'} {loop.step.text}"
        kind = spelling.spell_value(types.without_reference(loop.index_type))
        one = self._element(access)
        return f"[&]({declarator(loop)}) {{ {one.local}return {one.text}; }}(({kind})({first}){times})"

    def _name(self, root: Node | None) -> str:
        nodes = root.walk() if root is not None else ()
        named = next((n.spelling for n in nodes if n.kind in _NAMES and n.spelling), "")
        name = related("of", named or "it")
        count = sum(1 for one in self.names.values() if one == name or one.startswith(f"{name}_"))
        return name if count == 0 else f"{name}_{count + 1}"

    def _element(self, access: Access) -> _Element:
        text, is_wide = range_of(self.text(access.node)), access.node in self.found.unsure
        named = self._locals(access.node, is_wide)
        local = "".join(f"{declared} = {self.text(value)}; " for declared, value in named)
        around = loops_around(self.found.nested, access)
        for loop in reversed(around):
            text, local = self._span(loop, text, local, is_wide=is_wide), ""
        return _Element(text, local, not around, is_wide)

    def _whole(self, loop: CanonicalLoop, elements: list[_Element]) -> str:
        """Return the range of elements in all iterations: of one by its stride, too, where the loop leaves some out."""
        text, local = _hull(elements)
        is_wide = any(element.is_wide for element in elements)
        if loop.step.is_one or len(elements) > 1 or not elements[0].is_object or local:
            return self._span(loop, text, local, is_wide=is_wide)
        step = loop.step.text if loop.increasing else f"-({loop.step.text})"
        return self._span(loop, text, step=step, is_wide=is_wide)

    def _span(self, loop: CanonicalLoop, text: str, local: str = "", step: str = "", is_wide: bool = False) -> str:
        first, last = (loop.value(bound, self.text) for bound in (loop.lower, loop.bound))
        if not loop.relation.endswith("="):
            last = f"{loop.operand(loop.bound, self.text)} {'-' if loop.increasing else '+'} 1"
        is_wide = is_wide and types.canonical(types.without_reference(loop.index_type)).get_size() < WIDE_BYTES
        index = f"long long {loop.name}" if is_wide else declarator(loop)
        at = f"[&]({index}) {{ {local}return {text}; }}"
        return f"rex_span_of_steps({first}, {last}, {step}, {at})" if step else f"rex_span({first}, {last}, {at})"

    def _locals(self, node: Node, are_wide: bool) -> Iterable[tuple[str, Node]]:
        """Return the locals of the loop that an expression needs, in order, with their values."""
        needed: dict[Variable, Node] = {}
        stack = [node]
        while stack:
            for name in (n for n in stack.pop().walk() if n.kind == "DECL_REF_EXPR"):
                variable = named_variable(name)
                declaration = self.found.locals.get(variable) if variable is not None else None
                if variable is not None and declaration is not None and variable not in needed:
                    needed[variable] = declaration
                    stack.append(declaration)
        for declaration in sorted(needed.values(), key=lambda n: n.start):
            value = initialiser(declaration)
            if value is not None:
                yield _constant(declaration.type, declaration.spelling, are_wide), value


def _constant(kind: Type, name: str, is_wide: bool) -> str:
    """Return the declaration of a local that never changes; ``is_wide``: a number has 64 bits."""
    if is_wide and types.kind_name(types.canonical(kind)) == "INT":
        return f"const long long {name}"
    if types.is_pointer(kind) or types.is_reference(kind):  # in front of these, ``const`` is of what they lead to
        return spelling.declare(kind, name)
    return f"const {spelling.declare_bare(kind, name)}"


def _hull(elements: list[_Element]) -> tuple[str, str]:
    """Return the expression of the range of several accesses, and the locals it needs: those that all have in common;
    others are in the function of the one that needs them."""
    shared = elements[0].local
    if all(element.local == shared for element in elements):
        texts = [element.text for element in elements]
    else:
        shared = ""
        texts = [f"[&] {{ {e.local}return {e.text}; }}()" if e.local else e.text for e in elements]
    return texts[0] if len(texts) == 1 else f"rex_hull({f',{_STEP}    '.join(('', *texts))[1:]})", shared
