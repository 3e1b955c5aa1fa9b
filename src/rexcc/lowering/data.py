"""Data constructs: ``target data``, ``enter data``, ``exit data``, ``update``, with the vocabulary of kernels (seed
003).

In: a data construct. Out: the host text that replaces its directive, and for ``target data`` what follows its body.
"""

from __future__ import annotations

from dataclasses import dataclass

from rexcc.clang.tree import Node
