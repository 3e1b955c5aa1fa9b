"""What is decided at compile time: metadirectives, variants of functions, ``dispatch``."""
