"""What a command line means: the table of options, what each does, and the texts about them."""
