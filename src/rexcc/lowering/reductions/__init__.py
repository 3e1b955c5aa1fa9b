"""Reductions: the copy of a thread or team, and how the copies are joined.

In: the ``reduction`` clauses of a construct. Out: what stands at the beginning and the end of code that reduces, for
scalars, arrays, sections and members, with the operators of OpenMP and the user's own.
"""
