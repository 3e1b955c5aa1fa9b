"""Reduced numbers of a team that every thread has for itself.

In: the parallels of a team's code, the declarations of its variables. Out: what such a parallel reduces. Before and
after::

    __shared__ float s;                              float s = 0;
    if (threadIdx.x == 0) { s = 0; }                 {
    __syncthreads();                                   float *__rex_s = &s;
    {                                                  float s = 0;
      float *__rex_s = &s;                             …
      float s = 0;                                     rex_reduce_for_all(rex_into_add(__rex_s, s));
      …                                              }
      rex_reduce_add(__rex_s, s);                    float f = 1 / sqrtf(s);
    }
    __syncthreads();
    float f = 1 / sqrtf(s);

Code of the initial thread reads a sum right behind the loop that makes it. In shared memory that takes barriers around
what the first thread does with it, and registers for its address.

All threads of the block execute the parallel, and each joins the warps' values to its own number in the same order, so
all have the same bits, as they would have read them in shared memory. Nothing else tells the copies apart: the variable
is one number that is declared in the team's code, whose address nothing takes and no lambda knows. Parallels change it
by this clause alone, or each thread by itself what is private to it; statements of the initial thread change it where
every thread executes them (:mod:`.scope`), else it is shared as before.
"""

from __future__ import annotations

from rexcc.analysis.regions import effective_leaves
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.generic.plan import Form, Part
from rexcc.lowering.generic.private_ranges import PrivateRanges
from rexcc.lowering.reductions.reduction_operators import OPERATORS
from rexcc.lowering.text.variable_uses import is_address_taken
from rexcc.openmp.model import ReductionClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable

MOST_NUMBERS = 8
"""The most numbers that are reduced at once: each warp leaves all of them in shared memory."""


def is_number(declaration: Node) -> bool:
    """Whether a variable is one number."""
    kind = declaration.type
    return types.is_scalar(kind) and not types.is_reference(kind) and not types.is_volatile(kind)


def reached(top: Part) -> frozenset[Variable]:
    """Return the variables that something but their name may lead to, and those that the teams' loops copy."""
    nodes = list(top.node.walk())
    inside = [inner for node in nodes if node.kind == "LAMBDA_EXPR" for inner in node.walk()]
    uses = (*(n for n in nodes if named_variable(n) is not None and is_address_taken(n)), *inside)
    loops = (part.construct for part in top.walk() if part.form is Form.DISTRIBUTE and part.construct is not None)
    copied = {variable for loop in loops for variable in loop.environment.copied()}
    return frozenset(v for use in uses if (v := named_variable(use)) is not None) | copied


def reduced_numbers(construct: Construct) -> frozenset[Variable]:
    """Return the variables that a parallel reduces, if they are all that it or anything in it does, and few."""
    own = tuple(construct.directive.of_type(ReductionClause))
    others = tuple(clause for c in construct.descendants() for clause in c.directive.of_type(ReductionClause))
    if others or "distribute" in effective_leaves(construct):
        return frozenset()
    if any(c.name != "reduction" or c.modifiers or c.operator not in OPERATORS for c in own):
        return frozenset()
    items = tuple(construct.items_of(*own))
    found = frozenset(item.variable for item in items if item.variable is not None and not item.item.sections)
    return found if len(found) == len(items) <= MOST_NUMBERS else frozenset()


def ends_with_reduction(construct: Construct) -> bool:
    """Whether the reduction, behind which all threads have met, is the last that a parallel does."""
    every = tuple(construct.walk())
    copied = (variable for one in every for variable in one.environment.copied())
    return PrivateRanges(construct).written_back.keys() == reduced_numbers(construct) and all(map(_has_no_end, copied))


def _has_no_end(variable: Variable) -> bool:
    """Whether nothing happens where a copy of a variable ends."""
    kind = variable.cursor.type
    return not types.is_reference(kind) and (types.is_scalar(kind) or types.is_pointer(kind))
