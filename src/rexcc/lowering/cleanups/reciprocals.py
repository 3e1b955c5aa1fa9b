"""Divisions by floating-point values that are the same in a whole launch become multiplications.

In: a kernel's body, under an option that allows reciprocals (``-freciprocal-math``, which ``-ffast-math`` and
``-funsafe-math-optimizations`` are parts of). Out: edits of its divisions, and the arguments that they need. Before and
after::

    z[i] = exp(-0.5 * (u * u / p + v * v / (p * q))) / 3.0;
    z[i] = exp(-0.5 * (u * u * __rex_one_over_p + v * v * __rex_one_over_p_q)) * ((double)1 / 3.0);

A division of doubles is some 10 instructions and a branch for what they cannot do; device compilers keep it even where
they may approximate functions.

A divisor is made of constants and of variables that travel by value and that the region never changes, with ``+``,
``-``, ``*`` and ``/`` of floating-point values, signs and casts. The host computes its reciprocal for each launch; in
templates, whose instances have the same arguments, each thread does before its loops. Of constants alone the reciprocal
stands in the division's place. ``x /= p`` is taken where ``x`` is a variable of the thread's own: stores to memory have
forms of their own (tiles, atomics).
"""

from __future__ import annotations

import re

from rexcc.analysis.attributes import Kind
from rexcc.clang import types
from rexcc.clang.tree import VALUE_CASTS, Node, kind_of
from rexcc.kernel.ir import Declare
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import OWN
from rexcc.lowering.cleanups.syntax import is_evaluated, is_free
from rexcc.lowering.model.launch import by_value
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.qualified import host_name
from rexcc.program.variables import named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

MOST_RECIPROCALS = 8
"""Reciprocals of a kernel that are arguments of its launches."""

_HOST = {"float": "rex_reciprocal_bytes_float", "double": "rex_reciprocal_bytes"}
_TYPES = {"FLOAT": "float", "DOUBLE": "double"}
_LITERALS = frozenset({"FLOATING_LITERAL", "INTEGER_LITERAL"})
_OPERATORS = frozenset({"+", "-", "*", "/"})
_OTHERS = frozenset({"LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128", "BFLOAT16", "COMPLEX"})


@dataclass(frozen=True)
class _Fixed:
    """An expression of one value in a launch: its texts on the host and in the kernel; ``is_constant``: the compiler
    knows it."""

    host: str
    device: str
    is_constant: bool

    @staticmethod
    def of(pattern: str, *parts: _Fixed) -> _Fixed:
        """Return an expression of others."""
        host, device = (pattern.format(*texts) for texts in ([p.host for p in parts], [p.device for p in parts]))
        return _Fixed(host, device, all(p.is_constant for p in parts))


@dataclass(frozen=True, eq=False)
class _Division:
    """A division by something fixed; its parts' types make it one of ``type``."""

    node: Node
    type: str
    divisor: _Fixed


def multiply_by_reciprocals(context: CleanupContext) -> None:
    """Edit the divisions of an iteration; the kernel gets the reciprocals that they need."""
    if not context.reciprocals or context.kernel.packs:
        return
    names: dict[tuple[str, str], str] = {}
    edited: set[tuple[int, int]] = set()
    for node in context.scope.walk():
        found = _division(context, node)
        if found is None or not _can_be_edited(context, found):
            continue
        place = (context.body.start(node), context.body.end(node))
        factor = _factor(context, found, names)
        if factor and place not in edited:
            edited.add(place)
            _edit(context, node, factor)
            context.tell("this division is a multiplication by the reciprocal", node, topic=Topic.LOOP)


def _division(context: CleanupContext, node: Node) -> _Division | None:
    """Return a division of floating-point numbers by something fixed, None for anything else."""
    if node.operator not in ("/", "/=") or len(node.children) != 2:
        return None
    left, right = node.children
    kinds = [types.kind_name(types.canonical(child.type)) for child in (left, right)]
    if not all(types.is_scalar(child.type) for child in (left, right)) or not _OTHERS.isdisjoint(kinds):
        return None
    kind = _TYPES.get("DOUBLE" if "DOUBLE" in kinds else "FLOAT" if "FLOAT" in kinds else "")
    if kind is None:
        return None
    if node.operator == "/=" and context.memory.provenance.place(left) != frozenset({OWN}):
        return None
    divisor = _fixed(context, right)
    return None if divisor is None else _Division(node, kind, divisor)


def _kind(node: Node) -> str | None:
    return _TYPES.get(types.kind_name(types.canonical(node.type)))


def _fixed(context: CleanupContext, node: Node) -> _Fixed | None:
    """Return an expression that has one value in a launch, None for any other."""
    bare = node.bare()
    if bare.kind in _LITERALS:
        return _literal(context, bare)
    if bare.kind == "DECL_REF_EXPR":
        return _variable(context, bare)
    if _kind(bare) is None:
        return None  # integers may overflow on the host where no thread would compute them
    if bare.kind in VALUE_CASTS:
        inner = _fixed(context, bare.children[-1])
        return None if inner is None else _Fixed.of(f"({_kind(bare)})({{}})", inner)
    if bare.kind == "UNARY_OPERATOR" and bare.operator in ("+", "-"):
        inner = _fixed(context, bare.children[0])
        return None if inner is None else _Fixed.of(f"{bare.operator}({{}})", inner)
    if bare.kind != "BINARY_OPERATOR" or bare.operator not in _OPERATORS:
        return None
    left, right = (_fixed(context, child) for child in bare.children)
    return None if left is None or right is None else _Fixed.of(f"({{}} {bare.operator} {{}})", left, right)


def _literal(context: CleanupContext, node: Node) -> _Fixed:
    """Return a constant as it is written: a number, or the name of one."""
    text = context.body.original(node)
    return _Fixed(text, text, is_constant=True)


def _variable(context: CleanupContext, node: Node) -> _Fixed | None:
    """Return a variable that has the same value on the host, and everywhere in the region."""
    target, variable = node.referenced, named_variable(node)
    if target is not None and kind_of(target) == "ENUM_CONSTANT_DECL":
        return _literal(context, node)
    attribute = context.kernel.data.of(variable) if variable is not None else None
    if variable is None or attribute is None or not types.is_scalar(node.type):
        return None
    if attribute.kind is not Kind.VALUE or not context.memory.provenance.is_constant(variable):
        return None
    return _Fixed(host_name(attribute.variable), variable.name, is_constant=False)


def _can_be_edited(context: CleanupContext, found: _Division) -> bool:
    """Whether a division stands in the user's text, where no lambda has to capture what it uses and no edit is in the
    way."""
    body, node = context.body, found.node
    left, right = node.children
    if node.file != body.file.scan.source.path or not is_evaluated(node):
        return False
    if any(above.is_called_code for above in node.ancestors()):
        return False
    if body.start(node) != body.start(left) or body.end(node) != body.end(right):
        return False
    low, high = body.end(left), body.start(right)
    if low > high or body.text[low:high].strip() != node.operator:
        return False
    return is_free(body, low, body.end(right)) and not body.edits.has_insertion(high)


def _factor(context: CleanupContext, found: _Division, names: dict[tuple[str, str], str]) -> str:
    """Return what to multiply by, an empty string where the kernel has too many reciprocals already."""
    fixed, text, kind = found.divisor, found.divisor.device, found.type
    if fixed.is_constant:
        return f"(({kind})1 / {text})"
    known = names.get((kind, text))
    if known is not None or len(names) == MOST_RECIPROCALS:
        return known or ""
    name = context.name("__rex_one_over_" + re.sub(r"\W+", "_", text).strip("_"))
    names[kind, text] = name
    kernel = context.kernel
    if kernel.region.owner.template is None:
        value = f"{_HOST[kind]}({fixed.host})"
        what = f"reciprocal of '{text}'"
        made = by_value(name, kind, value, what, related("packed", name), "__UINT64_TYPE__")
        kernel.arguments = (*kernel.arguments, made)
    else:
        kernel.entry = (*kernel.entry, Declare(f"const {kind} {name}", name, f"({kind})1 / {text}"))
    return name


def _edit(context: CleanupContext, node: Node, factor: str) -> None:
    """Write a multiplication in the place of a division, its lines kept."""
    body, (left, right) = context.body, node.children
    low, high = body.end(left), body.start(right)
    operator = low + body.text[low:high].index("/")
    body.edits.replace(operator, operator + 1, "*")
    lines = "\n" * body.text.count("\n", high, body.end(right))
    body.edits.replace(high, body.end(right), factor + lines)
