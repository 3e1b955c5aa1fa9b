"""What a region uses and how: references, attributes of variables, canonical loops, side conditions."""
