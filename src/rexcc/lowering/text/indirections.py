"""What device code reaches in another way than the host does: some variables, members and functions.

In: a piece of device code. Out: edits, each kind asked for by itself:

* Variables behind pointers of the image: ``total`` becomes ``(*rex_link_total)``, outside of regions, whose own
  variables are arguments.
* Constant static members whose storage is needed: ``A::table[i]`` becomes ``A::rex_constant_table()[i]``, a function of
  the class that ``codegen/slice/member_objects`` writes.
* Calls through pointers to functions, whose values are host addresses (OpenMP 5.2, 7.8.3): in a unit with ``indirect``
  functions what is called becomes ``rex_indirect(what)``, which finds the device's (``rex_device_indirect.h``).
* Calls of virtual functions, whose objects may be the host's: ``p->area(1)`` becomes ``p->rex_virtual_area(1)``, which
  finds the function by the host's table or the device's, whichever the object has
  (``codegen/registration/virtual_functions``). The object stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.indirect import indirect_functions, pointer_calls
from rexcc.analysis.linked_variables import Linked
from rexcc.analysis.member_constants import member_function, object_uses
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.regions import collapse_depth
from rexcc.analysis.virtual_calls import VirtualFunction, is_called_directly, virtual_calls, virtual_function
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.variables import Variable, variable_of
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.lexical import BLOCK_COMMENT
from rexcc.source.patterns import regex
from rexcc.source.text import Span


def reach_linked(body: DeviceBody, top: Node, linked: Mapping[Variable, Linked]) -> frozenset[Variable]:
    """Make code reach such variables through their pointers; return them.

    Raises CompileError where a macro hides the name, and for constructs that have private copies of such a variable.
    """
    found: set[Variable] = set()
    if linked:
        _check_copies(body, top, linked)
    for use in top.walk() if linked else ():
        variable = variable_of(use.referenced) if use.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
        known = linked.get(variable) if variable is not None else None
        if variable is None or known is None:
            continue
        if not re.search(rf"(?<!\w){re.escape(use.spelling)}$", body.original(use)):
            message = f"'{use.spelling}' cannot be used from within a macro in a function of the device yet"
            raise error("unsupported-capture", message, body.span(use))
        found.add(variable)
        body.edits.replace(body.start(use), body.end(use), f"(*{known.name})")
    return frozenset(found)


def _check_copies(body: DeviceBody, top: Node, linked: Mapping[Variable, Linked]) -> None:
    """Refuse constructs in a function whose copies of such variables would have the place of their pointers."""
    inside = (c for c in all_constructs(body.unit) if c.node.file == top.file and top.start <= c.node.start < top.end)
    for construct in inside:
        for item in construct.items(*_COPYING):
            variable = item.whole_variable
            if variable is not None and variable in linked:
                raise _copied(variable, item.item.whole.span)
        if construct.body is None or _SHARED_LOOPS.isdisjoint(construct.directive.leaves):
            continue
        for loop in loop_nest(body.unit, construct.body, collapse_depth(construct)):
            if loop.index in linked:
                raise _copied(loop.index, construct.directive.span)


def _copied(variable: Variable, span: Span) -> CompileError:
    message = f"a private copy of '{variable.name}', which device code reaches by a pointer, in a device function"
    return error("unsupported-clause", f"{message} cannot be lowered yet; copy it to a local variable first", span)


def lower_member_constants(body: DeviceBody, tops: Iterable[Node], elsewhere: Collection[Variable]) -> None:
    """Call the functions of members below nodes; ``elsewhere`` are those that code reaches in another way."""
    for node, target in (use for top in tops for use in object_uses(body.unit, top)):
        if Variable(target) not in elsewhere:
            name_function(body, body.start(node), body.end(node), node.spelling)


def name_function(body: DeviceBody, start: int, end: int, name: str) -> None:
    """Put the call of a member's function in the place of its name, which ends an expression.

    Raises CompileError where a macro hides the name.
    """
    if not re.search(rf"(?<!\w){re.escape(name)}$", body.text[start:end]):
        message = f"'{name}' cannot be used from within a macro in device code yet"
        raise error("unsupported-capture", message, Span(body.file.scan.source, start, end))
    body.edits.replace(end - len(name), end, f"{member_function(name)}()")


_COPYING = ("private", "firstprivate", "lastprivate", "reduction", "in_reduction", "linear")
_SHARED_LOOPS = frozenset({"for", "distribute", "loop", "taskloop", "simd"})
LOOK_UP = "rex_indirect"
_ARGUMENTS = regex(rf"(?:\s|//[^\n]*\n|{BLOCK_COMMENT}|\\\r?\n)*\(")


def lower_pointer_calls(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Look up what is called through pointers below nodes; behind casts of the calls, before changes of names."""
    if indirect_functions(body.unit):
        look_up(body, ((body.start(callee), body.end(callee)) for top in tops for callee in pointer_calls(top)))


def look_up(body: DeviceBody, places: Iterable[tuple[int, int]]) -> None:
    """Look up what the expressions at some places of the user's text give.

    Raises CompileError where such a call is a macro's.
    """
    for start, end in sorted(set(places), key=lambda place: (place[0], -place[1])):
        if _ARGUMENTS.match(body.text, end) is None:
            message = "a function cannot be called through a pointer from within a macro in device code yet"
            raise error("unsupported-capture", message, Span(body.file.scan.source, start, end))
        body.edits.wrap(start, end, f"{LOOK_UP}(", ")")


def lower_virtual_calls(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Rename what is called below nodes of a region."""
    found: set[tuple[int, int, str]] = set()
    for top in tops:
        for call in virtual_calls(top):
            function = virtual_function(body.unit, call)
            if isinstance(function, VirtualFunction) and not is_called_directly(call, top):
                found.add((body.file.original(call.start), call.end - call.start, call.text(function)))
    rename(body, found)


def rename(body: DeviceBody, places: Iterable[tuple[int, int, str]]) -> None:
    """Put names into the user's text: each with where it begins and how long the one is that stands there, if any."""
    for start, length, name in sorted(set(places)):
        if length:
            body.edits.replace(start, start + length, name)
        else:
            body.edits.after(start, start, name)
