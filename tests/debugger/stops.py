"""Runs inside of gdb: stops at lines of a program, and tells what a user sees there.

The variable ``REX_STOPS`` has the file's name, and the expressions to print for each line. Out: a line of JSON for each
stop: where it is, the values, and where the next line is.
"""

import json
import os
from pathlib import Path

import gdb


def place():
    found = gdb.selected_frame().find_sal()
    return [found.line, Path(found.symtab.filename).name if found.symtab else ""]


def value(expression):
    try:
        found = gdb.parse_and_eval(expression)
        return str(found.referenced_value() if found.type.code == gdb.TYPE_CODE_REF else found)
    except gdb.error as problem:
        return f"({problem})"


def do(command):
    gdb.execute(command, to_string=True)


for setting in ("pagination off", "breakpoint pending on", "confirm off"):
    do(f"set {setting}")
name, wanted = json.loads(os.environ["REX_STOPS"])
for line in wanted:
    do(f"tbreak {name}:{line}")
do("run")
while gdb.selected_inferior().pid:
    there = place()
    values = {expression: value(expression) for expression in wanted.get(str(there[0]), ())}
    do("next")
    print("told", json.dumps({"stop": there, "values": values, "next": place()}), flush=True)
    do("continue")
