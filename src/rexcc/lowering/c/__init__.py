"""C code as C++ that means the same: nvcc and the CPU device's compiler know no C."""
