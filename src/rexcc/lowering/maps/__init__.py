"""From list items to rows of the runtime's arrays.

In: the list items of a construct, and what the unit says of them (``map_facts``). Out: rows, with the storage that an
expression names (``paths``), the members and pointers on the way (``items``), iterators and sections with gaps.
"""
