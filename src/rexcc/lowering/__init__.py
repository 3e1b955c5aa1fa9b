"""The lowering stages: from constructs to kernels, their arguments, and the host's launch blocks and data calls."""
