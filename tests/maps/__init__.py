"""Our map arrays beside clang's, entry by entry, and the data that they move."""
