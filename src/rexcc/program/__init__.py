"""The program as the stages see it: the unit, its constructs, their list items and variables."""
