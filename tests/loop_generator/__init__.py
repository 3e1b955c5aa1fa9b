"""Random programs of many small loops over the grid, and of the host code around them.

They stress what makes kernels fast and could make them wrong: tiles, 32-bit counters, loops that are left out, pointers
that are said to be apart, reductions, statements whose kernels are queued. Directives ignored, they print the same.
"""
