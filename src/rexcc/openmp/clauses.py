"""The clauses of OpenMP: one row each.

In: nothing. Out: :data:`CLAUSES`, an ordered tuple of rows that says for every clause of OpenMP 5.2, and those of 6.0
that programs use, how its argument looks and which words may stand in it. The parser is driven by these rows: adding a
clause is adding a row here and naming it in the rows of the directives that take it.
"""

from __future__ import annotations

from enum import Enum

from rexcc.source.records import dataclass


class Shape(Enum):
    """How an argument is written; it decides which class of the model is built."""

    FLAG = "FlagClause"
    KEYWORD = "KeywordClause"
    EXPRESSION = "ExpressionClause"
    BOUNDS = "ExpressionClause of lower:upper"
    LIST = "ListClause"
    LINEAR = "ListClause with a step"
    INDUCTION = "ListClause with an operator and a step"
    ALIGNED = "ListClause with an alignment"
    ALLOCATE = "ListClause with an allocator"
    ALLOCATORS = "ListClause of allocators with traits"
    MAP = "MapClause"
    MOTION = "MotionClause"
    REDUCTION = "ReductionClause"
    SCHEDULE = "ScheduleClause"
    DEPEND = "DependClause"
    DEFAULTMAP = "DefaultmapClause"
    MATCH = "MatchClause of a context selector"
    WHEN = "WhenClause of a context selector and a directive"
    DIRECTIVES = "OtherClause of directive names"
    OPERATIONS = "OtherClause of operations"
    ATTRIBUTE = "OtherClause of attributes"
    INITIALIZER = "OtherClause of a declarator or a call"
    OTHER = "OtherClause"


class Need(Enum):
    """Whether an argument in parentheses stands after a name."""

    NEVER = "never"
    MAY = "may"
    MUST = "must"


class Items(Enum):
    """What the members of a list are."""

    VARIABLE = "variable"
    LOCATOR = "locator"
    EXPRESSION = "expression"


class Unique(Enum):
    """How often a clause may stand on one directive.

    A directive-name modifier makes several of one clause: each is there once.
    """

    NO = "repeatable"
    YES = "once"
    PER_CATEGORY = "once for each variable category"


class Spread(Enum):
    """To which leaves of a combined construct a clause is applied (5.2, 17.2; 6.0 names these properties)."""

    ALL = "all leaves that permit it"
    INNERMOST = "the innermost leaf that permits it"
    OUTERMOST = "the outermost leaf that permits it"
    PRIVATIZED = "the leaves that privatise the list item"
    FIRSTPRIVATE = "the rule of firstprivate"
    LASTPRIVATE = "the rule of lastprivate"
    REDUCTION = "the rule of reduction"
    IN_REDUCTION = "all leaves that permit it, reduction for simd"
    LINEAR = "the rule of linear"


@dataclass(frozen=True)
class ModifierRow:
    """A modifier of a clause, such as ``always`` or ``mapper(id)``."""

    name: str
    argument: Need = Need.NEVER


@dataclass(frozen=True)
class ClauseRow:
    """A clause: name, argument, words known in it, and how often it may stand on one directive.

    ``count`` is the least and the greatest number of expressions, 0 for no upper limit; ``keywords`` the arguments of a
    keyword clause, the types of a map or depend clause, the kinds of a schedule, the behaviours of ``defaultmap``;
    ``categories`` what may follow their colon; ``colon`` tells that a colon has to be there where others may lack it,
    ``names_construct`` that only a construct's name may be a modifier (``if(target: e)``); ``spread`` says on which
    leaves of a combined construct the clause acts.
    """

    name: str
    shape: Shape
    argument: Need = Need.MUST
    keywords: tuple[str, ...] = ()
    modifiers: tuple[ModifierRow, ...] = ()
    categories: tuple[str, ...] = ()
    items: Items = Items.VARIABLE
    count: tuple[int, int] = (1, 1)
    unique: Unique = Unique.YES
    colon: bool = False
    names_construct: bool = False
    spread: Spread = Spread.ALL
    since: int = 45


def _mods(*names: str) -> tuple[ModifierRow, ...]:
    """Return modifiers; a name that ends in ``()`` has an argument."""
    return tuple(ModifierRow(n[:-2], Need.MUST) if n.endswith("()") else ModifierRow(n) for n in names)


def _flag(name: str, since: int = 45, argument: Need = Need.NEVER, spread: Spread = Spread.ALL) -> ClauseRow:
    shape = Shape.FLAG if argument is Need.NEVER else Shape.EXPRESSION
    return ClauseRow(name, shape, argument, spread=spread, since=since)


def _word(name: str, *keywords: str, since: int = 45, modifiers: tuple[ModifierRow, ...] = ()) -> ClauseRow:
    return ClauseRow(name, Shape.KEYWORD, keywords=keywords, modifiers=modifiers, since=since)


def _value(name: str, *modifiers: str, since: int = 45, count: tuple[int, int] = (1, 1)) -> ClauseRow:
    return ClauseRow(name, Shape.EXPRESSION, modifiers=_mods(*modifiers), count=count, since=since)


def _list(
    name: str, *modifiers: str, items: Items = Items.VARIABLE, spread: Spread = Spread.ALL, since: int = 45
) -> ClauseRow:
    return ClauseRow(
        name, Shape.LIST, modifiers=_mods(*modifiers), items=items, unique=Unique.NO, spread=spread, since=since
    )


def _text(name: str, since: int, unique: Unique = Unique.NO) -> ClauseRow:
    return ClauseRow(name, Shape.OTHER, unique=unique, since=since)


def _reduction(name: str, *modifiers: str, spread: Spread, since: int = 45) -> ClauseRow:
    return ClauseRow(name, Shape.REDUCTION, modifiers=_mods(*modifiers), items=Items.LOCATOR, unique=Unique.NO,
                     spread=spread, since=since)  # fmt: skip


def _motion(name: str, *modifiers: str, items: Items = Items.LOCATOR, since: int = 45) -> ClauseRow:
    return ClauseRow(name, Shape.MOTION, modifiers=_mods(*modifiers), items=items, unique=Unique.NO, since=since)


REDUCTION_OPERATORS: tuple[str, ...] = ("+", "-", "*", "&", "|", "^", "&&", "||", "min", "max")
"""The reduction identifiers that the specification declares for C and C++."""

ALTERNATIVE_OPERATORS = {"and": "&&", "or": "||", "bitand": "&", "bitor": "|", "xor": "^"}
"""C++ spellings of operators, valid as reduction identifiers too."""

_DEPEND_TYPES = ("in", "out", "inout", "inoutset", "mutexinoutset", "depobj")
_MAP_TYPES = ("to", "from", "tofrom", "alloc", "release", "delete", "storage")
_MAP_MODIFIERS = _mods("always", "close", "present", "self", "mapper()", "iterator()", "ref_ptr", "ref_ptee",
                       "ref_ptr_ptee", "attach()", "ompx_hold")  # fmt: skip
_CATEGORIES = ("scalar", "aggregate", "pointer", "allocatable", "all")
_BEHAVIOURS = (*_MAP_TYPES[:4], "storage", "firstprivate", "private", "none", "default", "present", "self")
_MEMORY_ORDERS = ("seq_cst", "acq_rel", "acquire", "release", "relaxed")
_UPDATE_TYPES = ("in", "out", "inout", "inoutset", "mutexinoutset", "depobj")

CLAUSES: tuple[ClauseRow, ...] = (
    # Data environment.
    _word("default", "none", "shared", "private", "firstprivate"),
    _list("shared"),
    _list("private", spread=Spread.INNERMOST),
    _list("firstprivate", "saved", spread=Spread.FIRSTPRIVATE),
    _list("lastprivate", "conditional", spread=Spread.LASTPRIVATE),
    ClauseRow("linear", Shape.LINEAR, modifiers=_mods("val", "ref", "uval", "step()"), unique=Unique.NO,
              spread=Spread.LINEAR),
    _reduction("reduction", "inscan", "task", "default", "original()", spread=Spread.REDUCTION),
    _reduction("in_reduction", spread=Spread.IN_REDUCTION, since=50),
    _reduction("task_reduction", spread=Spread.ALL, since=50),
    _list("copyin"),
    _list("copyprivate"),
    _list("is_device_ptr"),
    _list("has_device_addr", items=Items.LOCATOR, since=51),
    _list("use_device_ptr"),
    _list("use_device_addr", items=Items.LOCATOR, since=50),
    ClauseRow("allocate", Shape.ALLOCATE, modifiers=_mods("allocator()", "align()"), unique=Unique.NO,
              spread=Spread.PRIVATIZED, since=50),
    ClauseRow("uses_allocators", Shape.ALLOCATORS, modifiers=_mods("memspace()", "traits()"), unique=Unique.NO,
              since=50),
    ClauseRow("map", Shape.MAP, keywords=_MAP_TYPES, modifiers=_MAP_MODIFIERS, items=Items.LOCATOR, unique=Unique.NO),
    ClauseRow("defaultmap", Shape.DEFAULTMAP, keywords=_BEHAVIOURS, categories=_CATEGORIES,
              unique=Unique.PER_CATEGORY),
    _motion("to", "present", "mapper()", "iterator()"),
    _motion("from", "present", "mapper()", "iterator()"),
    _motion("enter", "automap", items=Items.VARIABLE, since=52),
    _motion("link", items=Items.VARIABLE),
    _motion("local", items=Items.VARIABLE, since=60),
    ClauseRow("induction", Shape.INDUCTION, modifiers=_mods("step()", "strict", "relaxed"), unique=Unique.NO,
              spread=Spread.LINEAR, since=60),
    _list("inclusive", since=50),
    _list("exclusive", since=50),
    _flag("init_complete", 60),
    _list("uniform"),
    _list("nontemporal", since=50),
    ClauseRow("aligned", Shape.ALIGNED, unique=Unique.NO),
    # Teams, threads and devices.
    ClauseRow("if", Shape.EXPRESSION, names_construct=True),
    ClauseRow("num_teams", Shape.BOUNDS),
    _value("thread_limit"),
    _value("num_threads", "strict"),
    _word("proc_bind", "primary", "master", "close", "spread"),
    _value("device", "ancestor", "device_num"),
    _word("device_type", "host", "nohost", "any", since=50),
    _flag("nowait", argument=Need.MAY, spread=Spread.OUTERMOST),
    _value("filter", since=51),
    _value("safesync", since=60),
    _value("ompx_dyn_cgroup_mem", since=51),
    _flag("ompx_bare", 51),
    ClauseRow("ompx_attribute", Shape.ATTRIBUTE, unique=Unique.NO, since=51),
    # Loops.
    _value("collapse"),
    _flag("ordered", argument=Need.MAY),
    ClauseRow("schedule", Shape.SCHEDULE, keywords=("static", "dynamic", "guided", "auto", "runtime"),
              modifiers=_mods("monotonic", "nonmonotonic", "simd")),
    ClauseRow("dist_schedule", Shape.SCHEDULE, keywords=("static",)),
    _word("order", "concurrent", since=50, modifiers=_mods("reproducible", "unconstrained")),
    _word("bind", "teams", "parallel", "thread", since=50),
    _value("safelen"),
    _value("simdlen"),
    _flag("inbranch"),
    _flag("notinbranch"),
    _value("sizes", since=51, count=(1, 0)),
    _value("counts", since=60, count=(1, 0)),
    _value("permutation", since=60, count=(2, 0)),
    _value("looprange", since=60, count=(2, 2)),
    _flag("full", 51),
    _flag("partial", 51, Need.MAY),
    _text("apply", 60),
    # Tasks.
    ClauseRow("depend", Shape.DEPEND, keywords=_DEPEND_TYPES, modifiers=_mods("iterator()"), items=Items.LOCATOR,
              unique=Unique.NO),
    ClauseRow("doacross", Shape.DEPEND, keywords=("source", "sink"), items=Items.EXPRESSION, unique=Unique.NO,
              since=52),
    _list("affinity", "iterator()", items=Items.LOCATOR, since=50),
    _value("final"),
    _flag("untied"),
    _flag("mergeable"),
    _value("priority"),
    _value("detach", since=50),
    _value("grainsize", "strict"),
    _value("num_tasks", "strict"),
    _flag("nogroup", argument=Need.MAY),
    _word("threadset", "omp_pool", "omp_team", since=60),
    _flag("transparent", 60, Need.MAY),
    _flag("replayable", 60, Need.MAY),
    _value("graph_id", since=60),
    _flag("graph_reset", 60, Need.MAY),
    # Synchronisation. The memory orders and the kinds of atomic are flags.
    _flag("read"),
    _flag("write"),
    ClauseRow("update", Shape.KEYWORD, keywords=_UPDATE_TYPES),
    _flag("capture"),
    _flag("compare", 51),
    _flag("weak", 51),
    *(_flag(order, 45 if order == "seq_cst" else 50) for order in _MEMORY_ORDERS),
    _word("fail", "seq_cst", "acquire", "relaxed", since=51),
    _word("memscope", "all", "device", "cgroup", since=60),
    _value("hint"),
    _flag("threads"),
    _flag("simd"),
    _flag("parallel"),
    _flag("for"),
    _flag("sections"),
    _flag("taskgroup"),
    # Declarations, requirements, variants, utilities.
    _value("align", since=51),
    _value("allocator", since=50),
    _flag("indirect", 51, Need.MAY),
    ClauseRow("initializer", Shape.INITIALIZER),
    _text("combiner", 60, Unique.YES),
    _text("inductor", 60, Unique.YES),
    _text("collector", 60, Unique.YES),
    ClauseRow("match", Shape.MATCH, since=50),
    ClauseRow("adjust_args", Shape.LIST, modifiers=_mods("nothing", "need_device_ptr", "need_device_addr"),
              unique=Unique.NO, colon=True, since=51),
    ClauseRow("append_args", Shape.OPERATIONS, keywords=("interop",), since=51),
    ClauseRow("when", Shape.WHEN, unique=Unique.NO, since=50),
    ClauseRow("otherwise", Shape.WHEN, Need.MAY, since=52),
    _value("nocontext", since=51),
    _value("novariants", since=51),
    _list("interop", since=60),
    ClauseRow("init", Shape.LIST, modifiers=_mods("target", "targetsync", "prefer_type()", "in()", "out()", "inout()",
              "inoutset()", "mutexinoutset()"), unique=Unique.NO, colon=True, since=51),
    _list("use", since=51),
    ClauseRow("destroy", Shape.LIST, Need.MAY, unique=Unique.NO, since=50),
    _word("at", "compilation", "execution", since=51),
    _word("severity", "fatal", "warning", since=51),
    _value("message", since=51),
    ClauseRow("absent", Shape.DIRECTIVES, since=51),
    ClauseRow("contains", Shape.DIRECTIVES, since=51),
    _value("holds", since=51),
    *(_flag(n, 51, Need.MAY) for n in ("no_openmp", "no_openmp_routines", "no_parallelism")),
    *(_flag(n, 50, Need.MAY) for n in ("unified_address", "unified_shared_memory", "reverse_offload",
                                       "dynamic_allocators")),
    *(_flag(n, 60, Need.MAY) for n in ("no_openmp_constructs", "self_maps", "device_safesync")),
    _word("atomic_default_mem_order", *_MEMORY_ORDERS, since=50),
)  # fmt: skip
