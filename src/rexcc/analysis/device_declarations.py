"""Declarations and statements that device code cannot have, or that its compilers take for something else.

In: a region. Out: nothing, or an error at the place: a variable with the attribute ``cleanup``, whose function no
compiler for devices calls; an ``extern`` declaration of a variable in the region, which would be another variable than
the one that the region maps; what a variable template makes, if it may change; and what a target's
``lacking_features`` say.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.analysis.constant_values import has_constant_value, is_plain_lambda
from rexcc.analysis.declare_target_directives import Blocks, blocks, device_directives
from rexcc.analysis.initial_addresses import begins_with_hosts_address
from rexcc.analysis.linked_variables import is_lone
from rexcc.analysis.member_constants import is_initialised_outside
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, types
from rexcc.clang.forwarding_constructors import is_copied_by_template
from rexcc.clang.tree import FUNCTION_KINDS, VALUE_CASTS, Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import named_variable
from rexcc.source.diagnostics import CompileError, DiagnosticSink, error
from rexcc.source.patterns import regex
from rexcc.target.model import Target

_INITIALISING = "static initialisation"
_BECOMING = VALUE_CASTS | {"VAR_DECL", "RETURN_STMT", "INIT_LIST_EXPR", "CXX_NEW_EXPR", "CONSTRUCTOR", "LAMBDA_EXPR"}
"""What an object that is made becomes a variable, a part of one, or a result in."""
_CLEANUP = regex(r"\b_*cleanup_*\s*\(")
_RESULTS = "results that stay"
_FEATURES = {
    _RESULTS: "what '{}' returns would be copied by {} with the template of constructors of its class that takes "
    "anything, where others make no copy; declare a move constructor in the class ('C(C &&) = default;')",
    "thread_local": "'{}' is a variable of each thread of the host, which {} does not have in device code; leave out "
    "'thread_local', or build for the CPU device alone (--target=host)",
    _INITIALISING: "'{}' is a static variable whose first value a function or constructor computes, which {} "
    "does not have in device code; make the function 'constexpr', or build for the CPU device alone (--target=host)",
    "addresses of labels": "the address of the label '{}', which {} does not have in device code; use 'switch', or "
    "build for the CPU device alone (--target=host)",
}


def check_device_declarations(region: TargetRegion, targets: tuple[Target, ...]) -> None:
    """Raise CompileError for what device code cannot have (``unsupported-declaration``)."""
    for part in region.device_parts:
        for node in part.walk():
            if node.kind == "VAR_DECL" and node.cursor.storage_class.name == "EXTERN":
                message = f"'{node.spelling}' is declared 'extern' in a target region; declare it outside of the region"
                raise error("unsupported-declaration", message, region.unit.span(node))
    for body in (*region.device_parts, *called_bodies(region.unit.tree, region.device_parts)):
        for node in body.walk():
            found = _found(region, node, targets)
            if found is not None:
                raise found


def _found(region: TargetRegion, node: Node, targets: tuple[Target, ...]) -> CompileError | None:
    has_attribute = node.kind == "VAR_DECL" and any(c.kind == "UNEXPOSED_ATTR" for c in node.children)
    if has_attribute and _CLEANUP.search(library.printed(node.cursor)):
        message = f"'{node.spelling}' has the attribute 'cleanup', which device code does not have; call the "
        message += "function where the variable's scope ends"
        return error("unsupported-declaration", message, region.unit.span(node))
    if _is_changing_instantiation(region, node):
        name, changes = region.unit.user_text(node), "may change, and the device would have its own"
        if types.is_constant(node.type):
            changes = "holds the address of a variable of the host, and the device would have its own"
        message = f"'{name}', which a variable template makes, {changes}; copy the value to a local variable in front "
        message += "of the region, or map a reference to it"
        return error("unsupported-declaration", message, region.unit.span(node))
    feature, name = _feature(region, node)
    lacking = next((t for t in targets if feature in t.capabilities.lacking_features), None)
    if lacking is not None:
        text = _FEATURES[feature].format(name, lacking.tools.compiler)
        return error("unsupported-declaration", text, region.unit.span(node))
    if feature == _INITIALISING and node.kind != "VAR_DECL" and _is_defined_outside(region, node):
        message = f"'{name}', a static member of a class template, has a first value that only the host can compute, "
        message += "which cannot be lowered yet"
        return error("unsupported-static-member", message, region.unit.span(node))
    return None


def _feature(region: TargetRegion, node: Node) -> tuple[str, str]:
    """Return what a node needs of the device's language that not all have, and for which name; empty for nothing."""
    if node.kind == "ADDR_LABEL_EXPR":
        return "addresses of labels", region.unit.user_text(node).lstrip("& ")
    if node.kind == "CALL_EXPR" and _stays(node):
        return _RESULTS, _function_of(node)
    variable = node.cursor if node.kind == "VAR_DECL" else _of_instantiation(node)
    if variable is None or not library.has_global_storage(variable):
        return "", ""
    if variable.tls_kind.name != "NONE":
        return "thread_local", str(variable.spelling)
    is_known = library.is_constexpr(variable) or has_constant_value(variable)
    return "" if is_known else _INITIALISING, str(variable.spelling)


def _is_changing_instantiation(region: TargetRegion, node: Node) -> bool:
    """Whether a node names what a variable template makes, if that can have another value on the host, or leads to what
    can, and nothing says that the device has one of its own (``declare target``)."""
    target = node.referenced if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
    if target is None or kind_of(target) != "UNEXPOSED_DECL" or library.in_system_header(target):
        return False
    if not library.has_global_storage(target) or is_plain_lambda(target):
        return False
    if types.is_constant(target.type) and not begins_with_hosts_address(target, ()):
        return False
    if _is_empty(target.type) or is_unevaluated(node):
        return False
    return not region.unit.kept(_declared_blocks).contain(node.tree.node(target))


def _is_empty(kind: Type) -> bool:
    """Whether objects of a class, and of its base classes, hold nothing."""
    return types.is_record(kind) and all(map(_is_empty, types.part_types(kind)))


def _declared_blocks(unit: ParsedUnit) -> Blocks:
    found = blocks(device_directives(unit), DiagnosticSink())
    return Blocks(unit, [(file, start, end) for file, start, end, _ in found])


def _stays(call: Node) -> bool:
    """Whether a call makes an object that another one becomes, or returns a variable, of a class that nvcc copies."""
    function, above = call.referenced, call.parent
    if function is None or above is None or above.kind not in _BECOMING or not types.is_record(call.type):
        return False
    if kind_of(function) == "CONSTRUCTOR":
        given = call.children[0].bare() if len(call.children) == 1 else None
        is_variable = given is not None and named_variable(given) is not None
        return above.kind == "RETURN_STMT" and is_variable and is_copied_by_template(call.type)
    return not types.is_reference(function.result_type) and is_copied_by_template(call.type)


def _function_of(call: Node) -> str:
    """Return the function whose result a call is, or that returns the variable which it copies."""
    assert call.referenced is not None
    if kind_of(call.referenced) != "CONSTRUCTOR":
        return call.spelling
    return next((above.spelling for above in call.ancestors() if above.kind in FUNCTION_KINDS), "operator()")


def _of_instantiation(node: Node) -> Cursor | None:
    """Return the constant that a node names, if each instantiation of a class or variable template has its own."""
    target = node.referenced if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
    if target is None or kind_of(target) not in ("VAR_DECL", "UNEXPOSED_DECL") or library.in_system_header(target):
        return None
    is_own = kind_of(target) == "UNEXPOSED_DECL" or not is_lone(target)
    return target if is_own and types.is_constant(target.type) and not types.is_reference(target.type) else None


def _is_defined_outside(region: TargetRegion, node: Node) -> bool:
    assert node.referenced is not None
    if kind_of(node.referenced) != "VAR_DECL":
        return False  # a variable template has its value with it
    definition = node.referenced.get_definition()
    return definition is not None and is_initialised_outside(region.unit, node.tree.node(definition))
