"""The directives of OpenMP: one row each, and one for every combined spelling.

In: the names of :mod:`rexcc.openmp.clauses`. Out: :data:`LEAVES`, the directives that are not made of others, and
:data:`COMBINED`, the combined and composite constructs of OpenMP 5.2 as rows of leaf constructs. What a combined
construct allows follows from its leaves (:mod:`rexcc.openmp.tables`), so adding a directive is adding one row here.
"""

from __future__ import annotations

from enum import Enum

from rexcc.openmp.clauses import ClauseRow, Items, Need, Shape, Unique
from rexcc.source.records import dataclass


class Association(Enum):
    """What of the program a directive belongs to."""

    BLOCK = "the statement that follows"
    LOOP = "the loop nest that follows"
    LOOP_SEQUENCE = "the sequence of loops that follows"
    DECLARATION = "the function that follows"
    NONE = "nothing: it stands alone"
    DELIMITED = "everything up to its end directive"
    END = "its begin directive"


class Argument(Enum):
    """What stands in parentheses right after the name of a directive."""

    NONE = "nothing"
    NAME = "a name"
    LIST = "a list"
    MAPPER = "[identifier:] type variable"
    REDUCTION = "identifier: types[: combiner]"
    VARIANT = "a function name"


@dataclass(frozen=True)
class DirectiveRow:
    """A directive that is not made of others.

    ``exclusive`` holds groups of clauses of which one may be there, ``required`` groups of which one has to be,
    ``needs`` pairs of which the first asks for the second; ``list_alone`` tells that a list after the name excludes all
    clauses.
    ``map_types`` are the map types that it allows, all when empty; ``local`` are clauses that mean something else on
    this directive; ``end`` is the directive that closes a delimited one; ``synonyms`` are other spellings.
    """

    name: str
    association: Association
    clauses: tuple[str, ...] = ()
    exclusive: tuple[tuple[str, ...], ...] = ()
    required: tuple[tuple[str, ...], ...] = ()
    needs: tuple[tuple[str, str], ...] = ()
    argument: Argument = Argument.NONE
    argument_need: Need = Need.NEVER
    list_alone: bool = False
    items: Items = Items.VARIABLE
    map_types: tuple[str, ...] = ()
    local: tuple[ClauseRow, ...] = ()
    end: str = ""
    synonyms: tuple[str, ...] = ()
    since: int = 45


@dataclass(frozen=True)
class CombinedRow:
    """A combined or composite construct: its leaf constructs, outermost first."""

    leaves: tuple[str, ...]
    since: int = 45


_BLOCK, _LOOP, _NONE = Association.BLOCK, Association.LOOP, Association.NONE
_MEMORY_ORDERS = ("seq_cst", "acq_rel", "acquire", "release", "relaxed")
_FLUSH_ORDERS = ("seq_cst", "acq_rel", "acquire", "release")
_CANCELLED = ("parallel", "sections", "for", "taskgroup")
_ASSUMPTIONS = ("absent", "contains", "holds", "no_openmp", "no_openmp_routines", "no_parallelism",
                "no_openmp_constructs")  # fmt: skip
_DEPOBJ_ACTIONS = ("depend", "destroy", "update", "init")
_DATA_CLAUSES = ("map", "use_device_ptr", "use_device_addr")
_REQUIREMENTS = ("atomic_default_mem_order", "dynamic_allocators", "reverse_offload", "unified_address",
                 "unified_shared_memory", "self_maps", "device_safesync")  # fmt: skip
_MAP_TYPES = ("to", "from", "tofrom", "alloc", "storage")
_ENTER_TYPES = ("to", "tofrom", "alloc", "storage")
_EXIT_TYPES = ("from", "tofrom", "release", "delete", "storage")
_ATOMIC_GROUPS = (_MEMORY_ORDERS, ("read", "write", "update"), ("read", "capture"), ("write", "capture"),
                  ("read", "compare"), ("write", "compare"))  # fmt: skip
_VARIANT_DEFAULT = ClauseRow("default", Shape.WHEN, Need.MAY, since=50)
_DOACROSS_DEPEND = ClauseRow("depend", Shape.DEPEND, keywords=("source", "sink"), items=Items.EXPRESSION,
                             unique=Unique.NO)  # fmt: skip
_ATOMIC_UPDATE = ClauseRow("update", Shape.FLAG, Need.NEVER)

LEAVES: tuple[DirectiveRow, ...] = (
    # Parallelism and worksharing.
    DirectiveRow("parallel", _BLOCK, ("allocate", "copyin", "default", "firstprivate", "if", "num_threads", "private",
                 "proc_bind", "reduction", "shared", "message", "severity", "safesync", "ompx_attribute")),
    DirectiveRow("teams", _BLOCK, ("allocate", "default", "firstprivate", "if", "num_teams", "private", "reduction",
                 "shared", "thread_limit", "ompx_attribute", "ompx_bare")),
    DirectiveRow("masked", _BLOCK, ("filter",), since=51),
    DirectiveRow("master", _BLOCK),
    DirectiveRow("single", _BLOCK, ("allocate", "copyprivate", "firstprivate", "nowait", "private"),
                 (("copyprivate", "nowait"),)),
    DirectiveRow("scope", _BLOCK, ("allocate", "firstprivate", "nowait", "private", "reduction"), since=51),
    DirectiveRow("sections", _BLOCK, ("allocate", "firstprivate", "lastprivate", "nowait", "private", "reduction")),
    DirectiveRow("section", _BLOCK),
    DirectiveRow("for", _LOOP, ("allocate", "collapse", "firstprivate", "induction", "lastprivate", "linear", "nowait",
                 "order", "ordered", "private", "reduction", "schedule"), (("order", "ordered"),)),
    DirectiveRow("distribute", _LOOP, ("allocate", "collapse", "dist_schedule", "firstprivate", "induction",
                 "lastprivate", "order", "private")),
    DirectiveRow("loop", _LOOP, ("bind", "collapse", "lastprivate", "order", "private", "reduction"), since=50),
    DirectiveRow("simd", _LOOP, ("aligned", "collapse", "if", "induction", "lastprivate", "linear", "nontemporal",
                 "order", "private", "reduction", "safelen", "simdlen")),
    DirectiveRow("scan", _NONE, ("exclusive", "inclusive", "init_complete"),
                 (("exclusive", "inclusive", "init_complete"),), (("exclusive", "inclusive", "init_complete"),),
                 since=50),
    # Loop transformations.
    DirectiveRow("tile", _LOOP, ("sizes", "apply"), required=(("sizes",),), since=51),
    DirectiveRow("unroll", _LOOP, ("full", "partial", "apply"), (("full", "partial"),), since=51),
    DirectiveRow("interchange", _LOOP, ("permutation", "apply"), since=60),
    DirectiveRow("reverse", _LOOP, ("apply",), since=60),
    DirectiveRow("split", _LOOP, ("counts", "apply"), required=(("counts",),), since=60),
    DirectiveRow("stripe", _LOOP, ("sizes", "apply"), required=(("sizes",),), since=60),
    DirectiveRow("fuse", Association.LOOP_SEQUENCE, ("looprange", "apply"), since=60),
    # Tasks.
    DirectiveRow("task", _BLOCK, ("affinity", "allocate", "default", "depend", "detach", "final", "firstprivate", "if",
                 "in_reduction", "mergeable", "priority", "private", "shared", "untied", "replayable", "threadset",
                 "transparent"), (("detach", "mergeable"),)),
    DirectiveRow("taskloop", _LOOP, ("allocate", "collapse", "default", "final", "firstprivate", "grainsize", "if",
                 "in_reduction", "induction", "lastprivate", "mergeable", "nogroup", "num_tasks", "priority",
                 "private", "reduction", "shared", "untied", "replayable", "threadset", "transparent"),
                 (("grainsize", "num_tasks"), ("nogroup", "reduction"))),
    DirectiveRow("task_iteration", _NONE, ("affinity", "depend", "if"), since=60, synonyms=("task iteration",)),
    DirectiveRow("taskgroup", _BLOCK, ("allocate", "task_reduction")),
    DirectiveRow("taskgraph", _BLOCK, ("graph_id", "graph_reset", "if", "nogroup"), since=60),
    DirectiveRow("taskwait", _NONE, ("depend", "nowait", "replayable")),
    DirectiveRow("taskyield", _NONE),
    # Devices.
    DirectiveRow("target", _BLOCK, ("allocate", "defaultmap", "depend", "device", "device_type", "firstprivate",
                 "has_device_addr", "if", "in_reduction", "is_device_ptr", "map", "nowait", "priority", "private",
                 "replayable", "thread_limit", "uses_allocators", "ompx_attribute", "ompx_dyn_cgroup_mem"),
                 map_types=_MAP_TYPES),
    DirectiveRow("target data", _BLOCK, ("depend", "device", "if", "map", "nogroup", "nowait", "use_device_addr",
                 "use_device_ptr"), required=(_DATA_CLAUSES,), map_types=_MAP_TYPES, synonyms=("target_data",)),
    DirectiveRow("target enter data", _NONE, ("depend", "device", "if", "map", "nowait", "priority", "replayable"),
                 required=(("map",),), map_types=_ENTER_TYPES, synonyms=("target_enter_data",)),
    DirectiveRow("target exit data", _NONE, ("depend", "device", "if", "map", "nowait", "priority", "replayable"),
                 required=(("map",),), map_types=_EXIT_TYPES, synonyms=("target_exit_data",)),
    DirectiveRow("target update", _NONE, ("depend", "device", "from", "if", "nowait", "priority", "replayable", "to"),
                 required=(("to", "from"),), synonyms=("target_update",)),
    DirectiveRow("declare target", _NONE, ("device_type", "enter", "indirect", "link", "local", "to"),
                 argument=Argument.LIST, argument_need=Need.MAY, list_alone=True, end="end declare target",
                 synonyms=("declare_target",)),
    DirectiveRow("begin declare target", Association.DELIMITED, ("device_type", "indirect"), end="end declare target",
                 synonyms=("begin declare_target",), since=51),
    DirectiveRow("end declare target", Association.END, synonyms=("end declare_target",)),
    DirectiveRow("interop", _NONE, ("depend", "destroy", "device", "init", "nowait", "use"),
                 required=(("destroy", "init", "use"),), since=51),
    # Synchronisation.
    DirectiveRow("critical", _BLOCK, ("hint",), argument=Argument.NAME, argument_need=Need.MAY),
    DirectiveRow("barrier", _NONE),
    DirectiveRow("atomic", _BLOCK, (*_MEMORY_ORDERS, "read", "write", "update", "capture", "compare", "fail", "hint",
                 "memscope", "weak"), _ATOMIC_GROUPS, needs=(("weak", "compare"), ("fail", "compare")),
                 local=(_ATOMIC_UPDATE,)),
    DirectiveRow("flush", _NONE, (*_FLUSH_ORDERS, "memscope"), (_FLUSH_ORDERS,),
                 argument=Argument.LIST, argument_need=Need.MAY),
    DirectiveRow("ordered", _BLOCK, ("depend", "doacross", "simd", "threads"), local=(_DOACROSS_DEPEND,)),
    DirectiveRow("depobj", _NONE, _DEPOBJ_ACTIONS, (_DEPOBJ_ACTIONS,), (_DEPOBJ_ACTIONS,), argument=Argument.LIST,
                 argument_need=Need.MAY, items=Items.LOCATOR, since=50),
    DirectiveRow("cancel", _NONE, (*_CANCELLED, "if"), (_CANCELLED,), (_CANCELLED,)),
    DirectiveRow("cancellation point", _NONE, _CANCELLED, (_CANCELLED,), (_CANCELLED,),
                 synonyms=("cancellation_point",)),
    # Declarations.
    DirectiveRow("threadprivate", _NONE, argument=Argument.LIST, argument_need=Need.MUST),
    DirectiveRow("groupprivate", _NONE, ("device_type",), argument=Argument.LIST, argument_need=Need.MUST, since=60),
    DirectiveRow("allocate", _NONE, ("align", "allocator"), argument=Argument.LIST, argument_need=Need.MUST, since=50),
    DirectiveRow("declare mapper", _NONE, ("map",), required=(("map",),), argument=Argument.MAPPER,
                 argument_need=Need.MUST, synonyms=("declare_mapper",), since=50),
    DirectiveRow("declare reduction", _NONE, ("combiner", "initializer"), argument=Argument.REDUCTION,
                 argument_need=Need.MUST, synonyms=("declare_reduction",)),
    DirectiveRow("declare induction", _NONE, ("collector", "inductor"), argument=Argument.REDUCTION,
                 argument_need=Need.MUST, synonyms=("declare_induction",), since=60),
    DirectiveRow("declare simd", Association.DECLARATION, ("aligned", "inbranch", "linear", "notinbranch", "simdlen",
                 "uniform"), (("inbranch", "notinbranch"),), synonyms=("declare_simd",)),
    DirectiveRow("declare variant", Association.DECLARATION, ("adjust_args", "append_args", "match"),
                 required=(("match",),), argument=Argument.VARIANT, argument_need=Need.MUST,
                 synonyms=("declare_variant",), since=50),
    DirectiveRow("begin declare variant", Association.DELIMITED, ("match",), required=(("match",),),
                 end="end declare variant", synonyms=("begin declare_variant",), since=51),
    DirectiveRow("end declare variant", Association.END, synonyms=("end declare_variant",), since=51),
    # Variants, requirements, assumptions, utilities.
    DirectiveRow("metadirective", _NONE, ("default", "otherwise", "when"), (("default", "otherwise"),),
                 local=(_VARIANT_DEFAULT,), since=50),
    DirectiveRow("begin metadirective", Association.DELIMITED, ("default", "otherwise", "when"),
                 (("default", "otherwise"),), local=(_VARIANT_DEFAULT,), end="end metadirective", since=50),
    DirectiveRow("end metadirective", Association.END, since=50),
    DirectiveRow("dispatch", _BLOCK, ("depend", "device", "has_device_addr", "interop", "is_device_ptr", "nocontext",
                 "novariants", "nowait"), since=51),
    DirectiveRow("requires", _NONE, _REQUIREMENTS, required=(_REQUIREMENTS,), since=50),
    DirectiveRow("assume", _BLOCK, _ASSUMPTIONS, required=(_ASSUMPTIONS,), since=51),
    DirectiveRow("assumes", _NONE, _ASSUMPTIONS, required=(_ASSUMPTIONS,), since=51),
    DirectiveRow("begin assumes", Association.DELIMITED, _ASSUMPTIONS, required=(_ASSUMPTIONS,), end="end assumes",
                 since=51),
    DirectiveRow("end assumes", Association.END, since=51),
    DirectiveRow("nothing", _NONE, since=51),
    DirectiveRow("error", _NONE, ("at", "message", "severity"), since=51),
)  # fmt: skip

COMBINED: tuple[CombinedRow, ...] = (
    # Composite: both parts belong to one loop nest.
    CombinedRow(("for", "simd")),
    CombinedRow(("taskloop", "simd")),
    CombinedRow(("distribute", "simd")),
    CombinedRow(("distribute", "parallel", "for")),
    CombinedRow(("distribute", "parallel", "for", "simd")),
    # Thread-selecting; `master` is the deprecated spelling of `masked`.
    CombinedRow(("masked", "taskloop"), 51),
    CombinedRow(("masked", "taskloop", "simd"), 51),
    CombinedRow(("master", "taskloop"), 50),
    CombinedRow(("master", "taskloop", "simd"), 50),
    # Under parallel.
    CombinedRow(("parallel", "for")),
    CombinedRow(("parallel", "for", "simd")),
    CombinedRow(("parallel", "loop"), 50),
    CombinedRow(("parallel", "sections")),
    CombinedRow(("parallel", "masked"), 51),
    CombinedRow(("parallel", "masked", "taskloop"), 51),
    CombinedRow(("parallel", "masked", "taskloop", "simd"), 51),
    CombinedRow(("parallel", "master"), 50),
    CombinedRow(("parallel", "master", "taskloop"), 50),
    CombinedRow(("parallel", "master", "taskloop", "simd"), 50),
    # Under teams.
    CombinedRow(("teams", "loop"), 50),
    CombinedRow(("teams", "distribute")),
    CombinedRow(("teams", "distribute", "simd")),
    CombinedRow(("teams", "distribute", "parallel", "for")),
    CombinedRow(("teams", "distribute", "parallel", "for", "simd")),
    # Under target.
    CombinedRow(("target", "simd")),
    CombinedRow(("target", "parallel")),
    CombinedRow(("target", "parallel", "for")),
    CombinedRow(("target", "parallel", "for", "simd")),
    CombinedRow(("target", "parallel", "loop"), 50),
    CombinedRow(("target", "teams")),
    CombinedRow(("target", "teams", "loop"), 50),
    CombinedRow(("target", "teams", "distribute")),
    CombinedRow(("target", "teams", "distribute", "simd")),
    CombinedRow(("target", "teams", "distribute", "parallel", "for")),
    CombinedRow(("target", "teams", "distribute", "parallel", "for", "simd")),
)
