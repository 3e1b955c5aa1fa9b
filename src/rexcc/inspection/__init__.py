"""What rexcc understood of a program, as data that can be printed: ``--emit=pragmas`` and ``--emit=ast``.

``pragmas`` lists directives with their places, ``constructs`` the tree of constructs with the attributes of variables;
``model`` is what both are made of, ``text`` and ``json_form`` write it.
"""
