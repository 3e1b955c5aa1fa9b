"""Linking device code: which files belong together, and what else follows from the files that the linker took."""
