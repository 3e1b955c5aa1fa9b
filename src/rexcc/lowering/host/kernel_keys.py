"""What stands for a kernel on the host in its launch: the address of an object, or a key inside a template.

In: a lowered kernel. Out: the expression of the one that is launched, where it has several forms, and of its usual one.
"""

from __future__ import annotations

from rexcc.lowering.host.second_forms import second_if
from rexcc.lowering.host.template_keys import key_use, usual_key_use
from rexcc.lowering.model.launch import Kernel
from rexcc.program.constructs import Construct


def usual_key(kernel: Kernel) -> str:
    """Return the expression that stands for the form of a kernel that most launches have."""
    return usual_key_use(kernel) if kernel.region.owner.template is not None else _keys(kernel)[0]


def launched_key(kernel: Kernel) -> str:
    """Return the expression that stands for the form that is launched, which the geometry decides."""
    if kernel.region.owner.template is not None:
        return key_use(kernel)
    keys, is_second = _keys(kernel), second_if(kernel)
    return f"{is_second} ? {keys[1]} : {keys[0]}" if is_second else keys[0]


def _keys(kernel: Kernel) -> list[str]:
    is_hidden = _inside_default_clause(kernel.region.construct)
    return [f"{stem}key__()" if is_hidden else f"&{stem}id__" for stem in kernel.stems]


def _inside_default_clause(construct: Construct) -> bool:
    """Whether an enclosing construct's ``default`` clause would want the key listed; a call hides it."""
    return any(above.directive.has("default") for above in construct.around())
