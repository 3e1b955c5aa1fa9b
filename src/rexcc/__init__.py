"""rexcc: compile C and C++ with OpenMP target regions to readable CUDA and ordinary host source.

The packages are layers; each imports only from those before it (a test enforces it):
``source`` → ``target`` → ``openmp`` → ``clang`` → ``frontend`` → ``program`` → ``resolution`` → ``analysis`` →
``inspection`` → ``transformation`` → ``kernel`` → ``lowering`` → ``codegen`` → ``report`` → ``runtime`` →
``pipeline`` → ``driver`` → ``bench``.
"""

__version__ = "0.1.0"
