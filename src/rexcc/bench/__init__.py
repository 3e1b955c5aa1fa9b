"""``rexcc bench``: programs built side by side, their outputs compared, then timed.

In: a manifest or a folder of programs. Out: results as JSON, a table, a chart, or a folder that measures on another
machine. Only here, and in the driver, files are touched and processes started.
"""
