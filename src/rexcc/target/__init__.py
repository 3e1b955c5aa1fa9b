"""What the compiler knows of the devices that it makes code for: a module for each, and the model that they share."""
