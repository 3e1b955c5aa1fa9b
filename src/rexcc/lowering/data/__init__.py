"""Data constructs, and the functions of declared mappers.

In: ``target data``, ``enter data``, ``exit data``, ``update`` and ``declare mapper``. Out: the host's text.
"""
