"""Functions with parallels that the sequential code of a team calls: all threads of the block call them together.

In: a unit. Out: :class:`TeamFunction` for each function of which that is possible, in which the threads walk through
its code as they do through a region's. Before and after::

    float norm2(const float *x, int m) {            float norm2(const float *x, int m);
      float s = 0;
    #pragma omp parallel for reduction(+ : s)       float __rex_together_norm2(const float *x, int m) {
      for (int i = 0; i < m; i++) s += x[i] * x[i];   float s = 0;
      return s;                                       …               // all threads of the block
    }                                                 return s;
    …                                               }
    float s = norm2(x, m);                          float s = __rex_together_norm2(x, m);

The function itself stays for all other calls: from parallels, where its own are nested ones of one thread, through
pointers, from code of one thread, from other files.

A call is one of all threads where each of them may execute the statement around it, and would have the same arguments.
Who calls waits for what is to be seen before; the function waits, before it changes anything, for what callers still
read, and before it ends, for what it has changed. Its variables that threads share are in the memory of the team, of
which there is one: so it must not call itself, in no way, while it is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property

from clang.cindex import Cursor, StorageClass, Type

from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.regions import effective_leaves
from rexcc.analysis.replaceable_functions import replaceable_functions
from rexcc.analysis.team_routines import called_by
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.constructs.lower import lower_calls
from rexcc.lowering.generic.launch import Launch
from rexcc.lowering.generic.plan import Form, Part, Planner
from rexcc.lowering.generic.scope import TeamScope
from rexcc.lowering.generic.team_calls import calls_of_one_thread
from rexcc.lowering.generic.walker import TeamWriter
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.team import SEQUENTIAL
from rexcc.lowering.text.variables import is_made
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.optimisations import Optimisation
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_NOT_HERE = frozenset({"teams", "target", "distribute", "task", "taskloop", "sections", "scope", "cancel"})
"""Leaves of constructs that a function of a team has not."""
_AROUND = frozenset({"TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
"""What may be around a function."""
_OWN_NAME = regex(r"\b__(?:func|FUNCTION|PRETTY_FUNCTION)__\b")
_NAME = regex(r"(?:(?:\w+)?\s*::\s*)*\w+")
_CALL = regex(rf"\s*{_NAME.pattern}\s*\([\s\S]*\)\s*")
_USED = regex(r"\busing\s+[\w\s:]*?(\w+)\s*;")


@dataclass(frozen=True, eq=False)
class TeamFunction:
    """A function that all threads of a block call together: its definition, its parts, where its variables live.

    ``parallels`` are its own and those of the functions that it calls so, ``called`` these, and ``bytes`` what they all
    take of the team's memory.
    """

    node: Node
    top: Part
    scope: TeamScope
    own: tuple[Construct, ...]
    called: tuple[TeamFunction, ...]
    bytes: int

    @property
    def place(self) -> Place:
        """Where the function is defined."""
        return self.node.file, self.node.start

    @property
    def parallels(self) -> tuple[Construct, ...]:
        """The parallels in it, and in the functions that it calls."""
        return (*self.own, *(c for one in self.called for c in one.parallels))

    @property
    def launch(self) -> Launch:
        """All threads of the block execute each of its own parallels."""
        return Launch(None, 0, frozenset(map(id, self.own)))

    @property
    def every(self) -> frozenset[TeamFunction]:
        """The function and those that it calls."""
        return frozenset({self}).union(*(one.every for one in self.called))


def write_together(body: DeviceBody, function: TeamFunction, keeps_state: bool) -> None:
    """Make the edits of a function's form for all threads; raises CompileError for what cannot be lowered."""
    TeamWriter(body, function.scope, function.launch, keeps_state).write_function(function.top)
    lower_calls(body, [function.top.node], SEQUENTIAL)


def can_be_done(attempt: Callable[[], object]) -> bool:
    """Whether something is done without an error of the program's."""
    try:
        attempt()
    except CompileError:
        return False
    return True


@dataclass(eq=False)
class TeamFunctions:
    """The functions of a unit that threads may call together; each is looked at when a call of it is found."""

    unit: ParsedUnit
    _known: dict[int, TeamFunction | None] = field(default_factory=dict)
    _writable: dict[Place, bool] = field(default_factory=dict)

    @cached_property
    def _candidates(self) -> dict[tuple[str, int], ConstructFunction]:
        """The functions with constructs in files of the user's, by where they stand."""
        return {(f.node.file, f.node.start): f for f in self.unit.functions if f.template is None and not f.unused}

    @cached_property
    def _with_parallels(self) -> bool:
        if Optimisation.TEAM_FUNCTIONS in self.unit.left_out:
            return False
        tops = (c for f in self._candidates.values() for c in f.constructs if c.directive.leaves[0] != "target")
        return any(_is_parallel(c) for top in tops for c in top.walk())

    @cached_property
    def _order(self) -> dict[int, int]:
        """The order in which functions are defined."""
        every = (n for top in self.unit.declarations if top.file in self.unit.files for n in _functions_in(top))
        return {int(n.cursor.hash): place for place, n in enumerate(every) if n.cursor.is_definition()}

    def at(self, place: Place) -> TeamFunction:
        """Return the function at a place, of which a call has been found."""
        return next(one for one in self._known.values() if one is not None and one.place == place)

    @cached_property
    def _used(self) -> frozenset[str]:
        """The names that using-declarations bring into other scopes."""
        texts = (file.scan.source.text for file in self.unit.files.values()) if self.unit.is_cplusplus else ()
        return frozenset(name for text in texts for name in _USED.findall(text))

    def any_named(self, code: Node) -> bool:
        """Whether a piece of code names one of the functions."""
        return self._with_parallels and bool(self._calls(code, frozenset()))

    def finder(self, apart: frozenset[Node]) -> Callable[[Node], tuple[Node, ...]]:
        """Return what finds the names of the functions in a piece of code, without some ``apart``."""
        return lambda code: self._calls(code, apart)

    def called_in(self, top: Part) -> tuple[TeamFunction, ...]:
        """Return the functions that a team's parts call, each once."""
        found = (self._function(name) for part in top.walk() for name in part.calls)
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def unwritable_in(self, top: Part) -> frozenset[Node]:
        """Return the names in a team's parts of functions whose form for all threads cannot be written."""
        names = (name for part in top.walk() for name in part.calls)
        return frozenset(n for n in names if (one := self._function(n)) is None or not self._is_writable(one))

    def _is_writable(self, function: TeamFunction) -> bool:
        """Whether a function's form can be written, and those that it calls: it is tried, and the text forgotten."""
        if function.place not in self._writable:
            body = DeviceBody(self.unit, self.unit.files[function.node.file])
            self._writable[function.place] = all(map(self._is_writable, function.called)) and can_be_done(
                lambda: write_together(body, function, False)
            )
        return self._writable[function.place]

    def _calls(self, code: Node, apart: frozenset[Node]) -> tuple[Node, ...]:
        if not self._with_parallels:
            return ()
        return tuple(n for n in code.walk() if n not in apart and self._function(n) is not None)

    def _function(self, name: Node) -> TeamFunction | None:
        """Return the function that is called by a name."""
        if name.kind != "DECL_REF_EXPR" or not self._is_plain(name):
            return None
        target = name.referenced
        definition = target.get_definition() if target is not None and kind_of(target) == "FUNCTION_DECL" else None
        return self._of(definition) if definition is not None else None

    def _is_plain(self, name: Node) -> bool:
        """Whether a function is called where its name stands in the user's text, in code that is executed there."""
        call = called_by(name)
        if call is None or any(above.is_called_code for above in name.ancestors()):
            return False
        source = self.unit.files.get(name.file)
        if source is None or any(above.kind in ("CXX_UNARY_EXPR", "DECLTYPE") for above in name.ancestors()):
            return False
        written = source.scan.source.text[source.original(name.start) : source.original(name.end)]
        is_written = _NAME.fullmatch(written) is not None and written.endswith(name.spelling)
        return is_written and _CALL.fullmatch(self.unit.user_text(call)) is not None

    def _of(self, definition: Cursor) -> TeamFunction | None:
        key = int(definition.hash)
        if key not in self._known:
            self._known[key] = None  # what a recursive call sees
            if not library.in_system_header(definition) and kind_of(definition.semantic_parent) in _AROUND:
                node = self.unit.tree.node(definition)
                holder = self._candidates.get((node.file, node.start))
                constructs = holder.constructs if holder is not None else ()
                with suppress(CompileError):  # its statements are none that threads can walk through
                    self._known[key] = self._made(node, constructs)
        return self._known[key]

    def _may_be_called(self, node: Node, constructs: tuple[Construct, ...]) -> bool:
        """Whether a function has only values for parameters and result, and constructs that a team may execute."""
        cursor = node.cursor
        if node.file not in self.unit.files or library.pattern_of(cursor) is not None:
            return False
        if cursor.storage_class not in (StorageClass.NONE, StorageClass.STATIC) or types.is_variadic(cursor.type):
            return False
        every = [c for top in constructs for c in top.walk()]
        if any(_NOT_HERE & set(effective_leaves(c)) for c in every):
            return False
        if any(c.condition("parallel") is not None or c.directive.has("num_threads") for c in every if _is_parallel(c)):
            return False
        given = [parameter.type for parameter in cursor.get_arguments()]
        if any(map(types.is_rvalue_reference, given)):
            return False  # each thread would pass an object of its own
        kinds = list(map(types.without_reference, given))
        result = cursor.result_type
        is_value = types.kind_name(types.canonical(result)) == "VOID" or _is_plain_value(result)
        return is_value and all(map(_is_plain_value, kinds)) and not self._is_one_of_a_kind(node)

    def _is_one_of_a_kind(self, node: Node) -> bool:
        """Whether a second form of a function would be another one: it has objects of its own, or asks for its name;
        or could not be written: it has attributes, or arguments that calls leave out."""
        text = self.unit.user_text(node)
        if (
            node.spelling in self._used
            or _OWN_NAME.search(text)
            or node.spelling in self.unit.kept(replaceable_functions)
        ):
            return True
        if any(n.kind == "VAR_DECL" and library.has_global_storage(n.cursor) for n in node.walk()):
            return True
        declared = [self.unit.tree.node(p) for p in node.cursor.canonical.get_arguments()]
        parameters = [*declared, *(self.unit.tree.node(p) for p in node.cursor.get_arguments())]
        has_default = any(c.cursor.kind.is_expression() for p in parameters for c in p.children)
        return has_default or "[[" in text[: text.find("{")]

    def _made(self, node: Node, constructs: tuple[Construct, ...]) -> TeamFunction | None:
        body = next((c for c in node.children if c.kind == "COMPOUND_STMT"), None)
        if body is None or not self._is_written(body):
            return None
        if not any(_is_parallel(c) for top in constructs for c in top.walk()) and not any(
            self._function(n) is not None for n in body.walk()
        ):
            return None
        if not self._may_be_called(node, constructs):
            return None
        every = map(Variable, node.cursor.get_arguments())
        parameters = frozenset(v for v in every if not types.is_reference(v.type))
        apart: frozenset[Node] = frozenset(n for n in body.walk() if self._is_later(n, node))
        while True:
            top = Planner(self.unit, constructs, self.finder(apart), returns=True).plan(body)
            own = tuple(p.construct for p in top.walk() if p.form is Form.PARALLEL and p.construct is not None)
            scope = TeamScope(self.unit, top, parameters, None, frozenset(map(id, own)))
            alone = calls_of_one_thread(top, scope)
            if not alone:
                break
            apart |= alone
        called = self.called_in(top)
        size = _bytes_of(scope)
        if (not own and not called) or size is None or scope.shared & parameters or top.form is not Form.BLOCK:
            return None
        return TeamFunction(node, top, scope, own, called, size + sum(one.bytes for one in called))

    def _is_written(self, block: Node) -> bool:
        """Whether a function's block stands in the user's text, and no macro makes it."""
        file = self.unit.files[block.file]
        return file.scan.source.text.startswith("{", file.original(block.start))

    def _is_later(self, name: Node, node: Node) -> bool:
        """Whether a name is that of a function which is defined behind another one, whose form nobody has declared."""
        if name.kind != "DECL_REF_EXPR" or name.referenced is None or kind_of(name.referenced) != "FUNCTION_DECL":
            return False
        definition = name.referenced.get_definition()
        if definition is None:
            return False
        here, there = self._order.get(int(node.cursor.hash)), self._order.get(int(definition.hash))
        return here is None or there is None or there >= here


def _functions_in(top: Node) -> Iterator[Node]:
    """Yield the functions that a declaration is, or that namespaces have, in their order."""
    if top.kind == "FUNCTION_DECL":
        yield top
    elif top.kind in _AROUND:
        for child in top.children:
            yield from _functions_in(child)


def _is_parallel(construct: Construct) -> bool:
    return "parallel" in effective_leaves(construct)


def _is_plain_value(kind: Type) -> bool:
    """Whether a type's values are numbers or addresses, of nothing whose extents a parameter has."""
    if types.is_reference(kind) or types.is_volatile(kind) or not (types.is_scalar(kind) or types.is_pointer(kind)):
        return False
    while types.is_pointer(kind):
        kind = types.canonical(kind).get_pointee()
    return not types.is_variable_length(kind) and not types.is_volatile(kind)


def _bytes_of(scope: TeamScope) -> int | None:
    """Return the bytes of team memory that a function's variables take, None where one needs more than a place."""
    total = 0
    for variable in scope.shared:
        declaration = scope.declared.get(variable)
        if declaration is None or types.is_variable_length(declaration.type) or is_made(declaration.type):
            return None
        size = int(types.canonical(declaration.type).get_size())
        if size < 0:
            return None
        total += size
    return total
