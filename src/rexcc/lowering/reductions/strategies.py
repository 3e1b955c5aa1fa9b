"""The strategies of reductions by all teams, by name.

In: nothing. Out: :data:`STRATEGIES`. A module of its own, because the command line asks for it without the compiler.
"""

from __future__ import annotations

STRATEGIES = ("device", "reproducible", "atomic", "host")
"""How teams' results come together: the last block joins values in order; elements too; each block adds its own; the
host adds them.
"""
