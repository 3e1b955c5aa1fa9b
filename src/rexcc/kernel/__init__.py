"""The model of a kernel: statements that the compiler makes, as values, and the text that they become."""
