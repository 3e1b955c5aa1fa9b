"""C code as C++ that means the same: compilers of device code know no C.

``tests/execution/test_c_differences.py`` has a row for each difference.
"""
