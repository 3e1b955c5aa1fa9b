"""Edits of the user's text that device code needs, whatever construct stands around it.

In: nodes of a region or function. Out: ``body.DeviceBody``, the edits of one piece of device code, and the passes that
need nothing else: qualified names, ``this``, lambdas, calls through pointers, arrays of run-time extents; ``placing``
puts code in the places of constructs and loops, ``team`` says which threads execute it.
"""
