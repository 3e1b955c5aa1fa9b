"""The declarations of the closure as device code: pieces of the device file, each with its place in the unit."""
