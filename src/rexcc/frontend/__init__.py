"""From files to constructs: finds pragmas, parses them, lets clang resolve everything else."""
