"""What earlier commands have made, in the user's cache, and the files that it depends on."""
