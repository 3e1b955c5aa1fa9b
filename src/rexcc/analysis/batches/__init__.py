"""Batches: statements of the host that cannot see whether the kernels they launch have ended, so that the runtime may
queue these.

:mod:`.quiet_statements` says which statements are quiet, with a reader for statements of the run itself
(:mod:`.run_reader`) and one for functions that it calls (:mod:`.function_reader`, :mod:`.called_functions`).
:mod:`.batchable_ranges` looks for runs of them, :mod:`.quiet_parts` is what a unit knows of them, and
:mod:`.launch_waits` tells what is in the way of one.
"""
