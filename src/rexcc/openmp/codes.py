"""The errors of this package: code and explanation.

In: nothing. Out: :data:`ERRORS`, which a driver can show for a code; tests check that every code that is reported has
an entry.
"""

from __future__ import annotations

ERRORS: dict[str, str] = {
    "omp-missing-directive": "After '#pragma omp' there has to be the name of a directive.",
    "omp-unknown-directive": "No directive of OpenMP 5.2 or 6.0 has this name, or it is only a part of a name. "
    "Combined constructs exist in the spellings of the specification only.",
    "omp-unknown-clause": "No clause has this name. Compilers ignore such a clause with a warning at most, and the "
    "program computes something else.",
    "omp-clause-not-allowed": "The clause exists but this directive does not take it.",
    "omp-missing-clause": "The directive does nothing without one of these clauses.",
    "omp-repeated-clause": "The specification allows this clause once on a directive.",
    "omp-exclusive-clauses": "The two clauses contradict each other.",
    "omp-missing-argument": "An argument in parentheses is missing or empty.",
    "omp-unexpected-argument": "Parentheses follow a name that takes no argument.",
    "omp-extra-argument": "There are more arguments than the clause takes.",
    "omp-bad-argument": "The argument of the directive does not have the form that the specification gives.",
    "omp-empty-list": "The list has no items.",
    "omp-empty-item": "A comma has nothing before or after it.",
    "omp-bad-list-item": "A list item has to be a variable or, for some clauses, an lvalue or an array section; "
    "a missing comma between two items looks like this too.",
    "omp-bad-expression": "Two operands stand side by side; a misspelt modifier without its colon looks like this.",
    "omp-bad-section": "An array section is [lower:length:stride], at the end of a list item, with parts left out.",
    "omp-bad-iterator": "An iterator is 'iterator([type] name = begin:end[:step], ...)'.",
    "omp-missing-colon": "Modifiers, types and operators are separated from what follows by a colon.",
    "omp-unexpected-colon": "There is a colon more than the clause has a meaning for.",
    "omp-unknown-map-type": "The map types are to, from, tofrom, alloc, release, delete and storage.",
    "omp-map-type-not-allowed": "The map type has no meaning on this directive, such as 'from' on target enter data.",
    "omp-unknown-modifier": "The word before the colon is no modifier of this clause.",
    "omp-repeated-modifier": "A modifier is there twice.",
    "omp-wrong-construct": "A directive-name modifier has to name a part of the directive that takes the clause.",
    "omp-unknown-schedule-kind": "The schedule kinds are static, dynamic, guided, auto and runtime; dist_schedule has "
    "static only.",
    "omp-unknown-depend-type": "The dependence types are in, out, inout, inoutset, mutexinoutset, depobj, source "
    "and sink.",
    "omp-unknown-reduction-operator": "The operators are + - * & | ^ && || min max, and the names of declared "
    "reductions.",
    "omp-unknown-keyword": "The clause takes one of a few words, and this is none of them.",
    "omp-unbalanced": "A bracket has no partner.",
    "omp-unterminated-literal": "A string or character literal has no end.",
    "omp-junk": "A character that can start no clause; clauses are separated by blanks or one comma.",
}
"""Explanations by code."""
