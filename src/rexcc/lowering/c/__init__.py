"""C code as C++ that means the same: nvcc and the CPU device's compiler know no C.

``tests/execution/test_c_differences.py`` has a row for each difference.
"""
