"""Lowering of the constructs that stand inside a kernel or in a function that kernels call."""
