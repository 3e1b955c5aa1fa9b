"""Rules of OpenMP that a program can break, one function each, in a table (:mod:`rexcc.analysis.rules.table`)."""
