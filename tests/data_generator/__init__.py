"""Seeded random programs of data constructs, compared with a model of the data environment.

Every program comes with the output that it must print. ``machine`` keeps host memory, and for each device the storage
that is present there with its reference counts; ``mapping`` executes the effects of map and motion clauses on it as
OpenMP describes them; ``paths`` finds what list items mean. A program that the specification does not fully define (it
reads what nothing wrote, maps part of what is present, removes part of a structure) is never made: the model refuses
to execute it, and the generator tries something else.
"""
