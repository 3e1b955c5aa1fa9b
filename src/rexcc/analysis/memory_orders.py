"""Which code orders what a thread reads and writes with what others do, without waiting for them.

In: directives of a unit. Out: whether they flush: ``flush``, and ``atomic`` with a memory order other than ``relaxed``,
by a clause or by the unit's ``requires``. What a thread writes in front of one stays there, for others may see it, and
what it reads behind it may be another value than in front.
"""

from __future__ import annotations

from rexcc.openmp.model import Directive, KeywordClause
from rexcc.program.unit import ParsedUnit

MEMORY_ORDERS = ("seq_cst", "acq_rel", "acquire", "release", "relaxed")
"""The memory orders, as clauses."""

_RELAXED = "relaxed"


def orders_memory(unit: ParsedUnit, directive: Directive) -> bool:
    """Whether a directive flushes."""
    if directive.name == "flush":
        return True
    if "atomic" not in directive.leaves:
        return False
    fails = any(c.name == "fail" and c.keyword != _RELAXED for c in directive.of_type(KeywordClause))
    return fails or memory_order(unit, directive) != _RELAXED


def memory_order(unit: ParsedUnit, directive: Directive) -> str:
    """Return the memory order of an ``atomic`` construct."""
    return next((name for name in MEMORY_ORDERS if directive.has(name)), None) or _default(unit)


def _default(unit: ParsedUnit) -> str:
    for _, directive in unit.declaratives:
        for clause in directive.of_type(KeywordClause):
            if directive.name == "requires" and clause.name == "atomic_default_mem_order":
                return clause.keyword
    return _RELAXED
