"""The device file: the slice and the kernels in the order of the unit, and the entry points of the CPU device."""
