"""What names and directives mean at each place of the user's text: its order, scopes, macros, packing."""
