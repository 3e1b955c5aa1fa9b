"""Temporary objects that references of a team's code keep alive: ``int &&n = f();``.

In: a declaration of the initial thread. Out: nothing, or an error. Each thread binds such a reference to an object of
its own, which is as good as the team's where nothing changes it.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import CASTS, Node
from rexcc.lowering.generic.scope import TeamScope, initial_value
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.variable_uses import is_address_taken, may_change
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import error


def check_temporary(body: DeviceBody, scope: TeamScope, declaration: Node) -> None:
    """Raise CompileError where the object that a reference keeps alive changes: it is one for all threads."""
    if not _keeps_temporary(declaration):
        return
    variable = Variable(declaration.cursor)
    uses = (node for node in scope.top.node.walk() if node.kind == "DECL_REF_EXPR" and named_variable(node) == variable)
    if any(may_change(use) or is_address_taken(use) for use in uses):
        message = f"'{declaration.spelling}' refers to a temporary object that the threads of a team share and may "
        message += "change, which cannot be lowered yet; declare a variable without '&&'"
        raise error("unsupported-team-variable", message, body.span(declaration))


def _keeps_temporary(declaration: Node) -> bool:
    """Whether a declaration is of a reference to a temporary that may change: nothing else is bound to ``&&`` but what
    a cast, or a function that returns such a reference, makes of an object."""
    kind = declaration.type
    if not types.is_rvalue_reference(kind) or types.is_constant(types.without_reference(kind)):
        return False
    value = initial_value(declaration)
    if value is None:
        return False
    bare = value.bare()
    if bare.kind == "CALL_EXPR" and bare.referenced is not None:
        return not types.is_reference(bare.referenced.result_type)
    return bare.kind not in CASTS
