"""The OpenMP language: tables of directives and clauses, pragma parser, typed model, unparse. Knows no C.

In: the text of a pragma. Out: a typed directive with source places, all its errors, its text, and the clauses that act
on each leaf construct: :mod:`parser`, :mod:`unparse`, :mod:`distribution`; what is known stands in :mod:`directives`
and :mod:`clauses`.
"""
