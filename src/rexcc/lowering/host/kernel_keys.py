"""What stands for a kernel on the host in its launch: the address of an object, or a key inside a template.

In: a lowered kernel. Out: the expression of the one that is launched, where it has several forms, and of its usual one.
"""

from __future__ import annotations

from rexcc.lowering.host.template_keys import key_large, key_use
from rexcc.lowering.model.geometry import DEFAULT_THREADS
from rexcc.lowering.model.launch import Kernel
from rexcc.program.constructs import Construct


def usual_key(kernel: Kernel) -> str:
    """Return the expression that stands for the form of a kernel that most launches have."""
    return key_use(kernel) if kernel.region.owner.template is not None else _keys(kernel)[0]


def launched_key(kernel: Kernel) -> str:
    """Return the expression that stands for the form that is launched, which the geometry decides."""
    if kernel.region.owner.template is not None:
        usual, is_wide = key_use(kernel), f"_threads_per_block_ > {kernel.geometry.limit}"
        return f"{is_wide} ? {key_large(kernel)} : {usual}" if kernel.geometry.most else usual
    keys = _keys(kernel)
    if len(keys) == 1:
        return keys[0]
    if kernel.geometry.is_by_threads:
        return f"rex_may_come_around(__rex_tripcount, _threads_per_block_) ? {keys[1]} : {keys[0]}"
    if kernel.geometry.has_wide:
        return f"rex_is_wide(__rex_tripcount) ? {keys[1]} : {keys[0]}"
    if kernel.geometry.has_large:
        return f"_threads_per_block_ > {kernel.geometry.limit} ? {keys[1]} : {keys[0]}"
    narrow = "" if kernel.geometry.bound else f"_threads_per_block_ <= {DEFAULT_THREADS} && "
    return f"{narrow}rex_is_small_grid(_num_blocks_, _threads_per_block_) ? {keys[1]} : {keys[0]}"


def _keys(kernel: Kernel) -> list[str]:
    is_hidden = _inside_default_clause(kernel.region.construct)
    return [f"{stem}key__()" if is_hidden else f"&{stem}id__" for stem in kernel.stems]


def _inside_default_clause(construct: Construct) -> bool:
    """Whether an enclosing construct's ``default`` clause would want the key listed; a call hides it."""
    return any(above.directive.has("default") for above in construct.around())
