"""The drop-in compiler driver: command line in, files and processes out. Only it and ``bench`` touch either.

``main`` parses (``options``), looks around (``tools``), translates (``rexcc.pipeline``), plans and runs (``commands``).
A plan is data made by a pure function, so that ``-###`` prints exactly what would run.
"""

import rexcc
from rexcc.driver import compiled_modules

compiled_modules.install(rexcc)
