"""Innermost loops of which several iterations stand in the kernel one behind the other.

In: a kernel's body, and how many iterations a file of ``--tuned`` chooses. Out: ``_Pragma("unroll N")`` in front of the
loops, which the device's compiler follows. It executes the same iterations in the same order, so nobody can notice.

Without a choice that compiler decides, as it does for loops with such a line of the user's, and for those that groups
of threads share. But it leaves loops alone that have branches, and many functions of the math library have one for
large or special arguments: a sine is computed, then the next. Loops that do little more than to call such functions get
eight iterations (docs/decisions/073-loops-of-math-functions.md). What must hold:

* each call in the loop is one of a function of :data:`MATH`; there is one at least, and not more than a few;
* it changes only numbers of the thread's own, and has no branch, loop or directive in it: stores and what else is
  under way would need more registers;
* elements are the same for all threads, ``a[j]``, or stay the same in the loop, ``x[i]``: a loop that waits for memory
  of its thread's own is another case;
* it is not known to be short, for what remains of eight iterations is executed one by one.
"""

from __future__ import annotations

import re

from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.kernel.ir import unrolled
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import OWN
from rexcc.lowering.cleanups.pure_values import library_function
from rexcc.lowering.cleanups.syntax import is_plain_scalar
from rexcc.lowering.model.topics import Topic
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable, named_variable

MATH = {
    "FLOAT": frozenset({"sin", "cos", "exp", "log", "pow", "sqrt", "tanh", "erf", "atan2"}),
    "DOUBLE": frozenset({"exp", "log", "pow", "sqrt"}),
}
"""The functions of which loops are unrolled, by the type of their value; C's for ``float`` have an ``f`` behind."""

MATH_ITERATIONS, MOST_CALLS, MOST_NODES, SHORT = 8, 4, 80, 64
"""How many iterations such a loop gets; its calls and nodes of the tree at most; a bound below which it is short."""

_WORDS = {"FOR_STMT": "for", "CXX_FOR_RANGE_STMT": "for", "WHILE_STMT": "while", "DO_STMT": "do"}
_CHANGES = frozenset({"=", "+=", "-=", "*=", "/=", "++", "--", "p++", "p--"})
PLAIN = frozenset(
    {
        "COMPOUND_STMT", "DECL_STMT", "VAR_DECL", "DECL_REF_EXPR", "UNEXPOSED_EXPR", "PAREN_EXPR", "BINARY_OPERATOR",
        "COMPOUND_ASSIGNMENT_OPERATOR", "UNARY_OPERATOR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR",
        "INTEGER_LITERAL", "FLOATING_LITERAL", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR",
        "TYPE_REF", "NAMESPACE_REF", "NULL_STMT",
    }
)  # fmt: skip


def unroll_innermost(context: CleanupContext) -> None:
    """Put the line in front of the loops without loops inside."""
    chosen, loops = context.kernel.region.choice.unroll, context.inner_loops()
    is_wanted = Optimisation.MATH_LOOPS not in context.kernel.region.left_out
    for loop in loops:
        if is_taken(context, loop) or any(inner in loops for inner in loop.walk() if inner is not loop):
            continue
        if chosen:
            context.put_before(loop, unrolled(chosen))
        elif is_wanted and is_of_math(context, loop):
            context.put_before(loop, unrolled(MATH_ITERATIONS))
            text = f"{MATH_ITERATIONS} iterations of this loop of math functions stand one behind the other"
            context.tell(text, loop, topic=Topic.LOOP)


def loops_to_unroll(context: CleanupContext) -> list[Node]:
    """Return the loops in front of which a line may stand, and none does."""
    return [loop for loop in context.inner_loops() if not is_taken(context, loop) and loop not in context.before]


def is_decided(context: CleanupContext, loop: Node) -> bool:
    """Whether something else decides about a loop, or its text is not there to be changed."""
    body, word = context.body, _WORDS.get(loop.kind)
    is_here = loop.file == body.file.scan.source.path and word is not None
    if not is_here or loop is context.shared_loop or loop in context.guarded or loop in context.turns:
        return True
    if loop in context.folded or loop in context.walks:
        return True
    start, end = body.file.original(loop.start), body.file.original(loop.end)
    return body.unit.macro_uses.holds(loop.file, start, end)


def is_taken(context: CleanupContext, loop: Node) -> bool:
    """Whether something else decides about a loop, or a line in front of it would not be."""
    if is_decided(context, loop):
        return True
    text, start = context.body.text, context.body.start(loop)
    before = text[:start].rstrip().rpartition("\n")[2].lstrip()
    return before.startswith("#") or re.match(rf"{_WORDS[loop.kind]}\b", text[start:]) is None


def is_of_math(context: CleanupContext, loop: Node) -> bool:
    """Whether a loop does little more than to call functions of the math library."""
    if loop.kind != "FOR_STMT" or len(loop.children) != 4 or is_short(loop.children[1]):
        return False
    declared = [Variable(node.cursor) for node in loop.children[0].walk() if node.kind == "VAR_DECL"]
    nodes = list(loop.children[3].walk())
    if len(declared) != 1 or not all(_is_of_all_threads(context, node, declared[0]) for node in nodes):
        return False
    calls = [node for node in nodes if node.kind == "CALL_EXPR"]
    if not calls or len(calls) > MOST_CALLS or len(nodes) > MOST_NODES:
        return False
    return all(map(is_math, calls)) and all(_is_plain(context, node) for node in nodes)


def _is_of_all_threads(context: CleanupContext, node: Node, index: Variable) -> bool:
    """Whether an element, if it is one, has the loop's index alone as its subscript, or a subscript without it."""
    if node.is_dereference:
        return False
    if node.kind != "ARRAY_SUBSCRIPT_EXPR":
        return True
    base, subscript = named_variable(node.children[0].bare()), node.children[1]
    names = {named_variable(part) for part in subscript.walk() if part.kind == "DECL_REF_EXPR"}
    is_known = base is not None and base not in context.memory.provenance.declared
    return is_known and (index not in names or names == {index})


def is_math(call: Node) -> bool:
    """Whether a call is one of a function of the math library that has branches."""
    kind = types.kind_name(types.canonical(call.type))
    name, known = library_function(call), MATH.get(kind, frozenset())
    return name in known or (kind == "FLOAT" and name.endswith("f") and name[:-1] in known)


def is_short(condition: Node) -> bool:
    """Whether a loop counts up to a small constant."""
    bare = condition.bare()
    bound = evaluate_integer(bare.children[-1].cursor) if bare.operator in ("<", "<=", "!=") else None
    return bound is not None and bound < SHORT


def _is_plain(context: CleanupContext, node: Node) -> bool:
    """Whether a part of a loop is a computation, or gives a number of the thread's own a value."""
    if node.kind not in PLAIN or node.operator in ("&&", "||", ",") or types.is_volatile(node.type):
        return False
    if node.kind == "VAR_DECL":
        return is_plain_scalar(node.type) or types.is_pointer(node.type)
    if node.operator not in _CHANGES:
        return True
    target = node.children[0].bare()
    is_number = target.kind == "DECL_REF_EXPR" and is_plain_scalar(target.type)
    return is_number and context.memory.provenance.place(target) == frozenset({OWN})
