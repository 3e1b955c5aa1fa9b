"""What is written in another way before anything else looks at it, by edits of the user's text.

In: the user's files. Out: the same with the loops that ``tile``, ``interchange`` and ``reverse`` make (OpenMP 5.2, 9;
6.0, 11), so that everything behind, on the host and on devices, sees ordinary loops; with indices for range-based
loops that threads share, classes for lambdas that templates with regions get, and other names for variables that are
called as something in every kernel. An ``unroll`` changes no order and stays where it is, unless another directive
takes the loop that ``unroll partial`` makes.
"""
