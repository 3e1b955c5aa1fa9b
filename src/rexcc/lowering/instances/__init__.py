"""A template's text in one of its instantiations: a kernel is no template, so what depends on arguments is resolved.

``tests/execution/programs/discarded_statements.cpp`` has a region for each form.
"""
