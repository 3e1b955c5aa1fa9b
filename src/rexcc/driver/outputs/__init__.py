"""What is left instead of a program: generated sources with a makefile, what was understood, reports."""
