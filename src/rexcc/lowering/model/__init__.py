"""What all of the lowering shares: the launch of a kernel with its rows, arguments and geometry, as records.

In: nothing of the other packages. Out: ``launch`` (the records), ``geometry`` (teams, threads and trip count as host
expressions), ``map_types`` (flags of a row), ``host_values`` (its addresses and sizes), ``names``, ``remarks``.
"""
