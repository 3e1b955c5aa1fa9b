"""The host's side of a region: the block that launches its kernel, and the version that runs without a device.

In: a kernel. Out: text around the user's statement.
"""
