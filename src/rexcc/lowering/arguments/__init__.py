"""From the variables of a region to the arguments of its kernel.

In: a region with the attributes of its variables. Out: one ordered list of arguments (``capture``): each has a row, and
where the kernel uses it a parameter with the code that gives it the user's name.
"""
