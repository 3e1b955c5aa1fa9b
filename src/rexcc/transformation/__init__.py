"""Loop transformations (OpenMP 5.2, 9; 6.0, 11): ``tile``, ``interchange`` and ``reverse`` as edits of the user's text.

In: the user's files. Out: the files with the loops as the directives make them, so that everything behind, on the host
and on devices, sees ordinary loops. ``unroll`` changes no order and stays where it is.
"""
