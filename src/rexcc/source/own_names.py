"""Names that generated code has for itself, in scopes where the user's names stand too.

In: a variable's name, or a word and a variable's name. Out: a name that no program may have and no other word makes.

* Variables, parameters and classes that stages declare are ``__rex_`` and plain words; C and C++ reserve such names for
  implementations, which this is. What belongs to a variable of the user's ends with its name: ``__rex_n`` brings the
  value of ``n`` along, ``__rex_cached_n`` is a copy of it.
* Functions, types and macros of the runtime's headers begin with ``rex_`` and ``REX_``, kernels with ``OUT__``.
* Words of launches and shared loops that are REX's own stay as its users know them: :data:`REX_FORM`.

No two of these can meet: no word begins with one of :data:`ROLES`, and a variable whose own name does, or is one of
:data:`WORDS`, has ``users`` in front of it. Stages write fixed names as they are; a test asks all their texts.
"""

from __future__ import annotations

PREFIX = "__rex_"

_REX_FORM = (
    "__arg_mappers __arg_names __arg_num __arg_sizes __arg_types __args __args_base __device_id __host_ptr "
    "__kernel_args _dev_loop_chunk_size _dev_loop_sched_index _dev_loop_stride _dev_lower _dev_thread_id "
    "_dev_thread_num _dev_upper _num_blocks_ _threads_per_block_"
)
REX_FORM = frozenset(_REX_FORM.split())
"""What REX calls launches, their arrays and the threads of a grid."""

OPEN_TO_USERS = tuple(sorted(name for name in REX_FORM if not name.startswith("__")))
"""Those that a program may use for its own local variables, which therefore get other names."""

_WORDS = (
    "captures chunk chunk_base chunk_number chunk_size chunks columns cos depends device e evaluate final "
    "final_iteration first form geometry group_count group_member group_number group_size group_width holds ident "
    "iteration iteration_number kernel_launch_env lanes last level map_at map_base map_begin map_element map_handle "
    "map_item map_name map_rows map_size map_type mapped mapped_object mapped_reference memory nest_number nest_trips "
    "offload_constants offload_entries offload_globals offload_images on_device on_host once parallel_threads part "
    "partial partial_count partials parts phase place raced ran ran_last refused round_start row_tiles schedule_chunk "
    "shared_bytes sharing sin strip_bits strip_number strips task team_thread team_threads term this thread_limit "
    "tile_column tile_end tile_number tile_row tile_rows tiles tiling together tripcount trips turn turn_first "
    "turn_number wanted wanted_width"
)
WORDS = frozenset(_WORDS.split())
"""Names that are one thing in a kernel, a launch block or a file."""

_ROLES = (
    "above address ahead apart array at base bin_memory bins bound_of branch by cached carry class condition copies "
    "copy cos device dimensions early element extent field group_image group_images holder image index initial kept "
    "last linear_step lower_of member module near number object of offset one_over original outer over own packed "
    "parts_of pause place ref reverse room section shared_room sin step_of storage stored sums team_room there "
    "together tile_of trips typedef unsigned_over users value vtable walked when word"
)
ROLES = frozenset(_ROLES.split())
"""What the name of a variable, or a number, follows."""
_STARTS = tuple(sorted(f"{role}_" for role in ROLES))


def own_name(name: str) -> str:
    """Return the name of what brings a variable along: its parameter, the number of its iteration, its address."""
    if name.startswith(PREFIX):
        return related("index", name)
    return related("users", name) if name in WORDS else f"{PREFIX}{_stem(name)}"


def related(role: str, *names: str) -> str:
    """Return the name of something that belongs to variables."""
    return f"{PREFIX}{role}_{'_'.join(map(_stem, names))}"


def is_related(role: str, name: str) -> bool:
    """Whether a name is that of something which belongs to variables in a role."""
    return name.startswith(f"{PREFIX}{role}_")


def _stem(name: str) -> str:
    """Return how a name ends that is made of another one, which may be the user's or our own."""
    if name.startswith(PREFIX):
        return name[len(PREFIX) :]
    return f"users_{name}" if name.startswith(_STARTS) else name
