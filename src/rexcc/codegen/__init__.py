"""From lowered regions to files: device slice, kernels, CPU device entry points, host edits."""
