"""The frame of the generators ``generator``, ``loop_generator`` and ``data_generator``.

A generator has a grammar and a :class:`series.Series`: programs by number, what they must print, how they are reduced.
Everything else stands here: random ``choices``, ``compilers`` that build and run a unit, ``run`` with the command line,
the folder of a long run and its report, ``reducing``, and ``sample`` with what the tests of all generators ask.
"""
