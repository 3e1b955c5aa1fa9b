"""The commands that make the user's output: their plan, their flags, the folder they work in, and running them."""
