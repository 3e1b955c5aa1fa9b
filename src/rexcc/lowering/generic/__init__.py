"""The team path: regions with sequential code and parallel constructs, walked by all threads of a block together."""
