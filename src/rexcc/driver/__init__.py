"""The drop-in compiler driver: command line in, files and processes out. Only it and ``bench`` touch either.

``main`` parses (``options``), looks around (``toolchain``), translates (``rexcc.pipeline``), plans (``plan``) and runs
(``run``). A plan is data made by a pure function, so that ``-###`` prints exactly what would run.
"""
