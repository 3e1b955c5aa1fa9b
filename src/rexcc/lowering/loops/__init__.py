"""Loops whose iterations the threads of a grid share.

In: canonical loops, and who shares them. Out: a ``LoweredLoop`` in the form that fits (``single_iteration``, ``nests``,
``tiles``, ``grid_loops``), with scans, last values and conditional last values.
"""
