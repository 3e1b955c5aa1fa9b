"""Making a failing program smaller: leave out steps, list items, statements, as long as it fails and stays defined."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from data_generator.kernels import Clauses, Kernel, Loop
from data_generator.machine import UndefinedError
from data_generator.operations import Enter, Method, Operation, Region, Update
from data_generator.program import Program
from random_programs.reducing import fewest


class Reducer:
    """The state of a reduction."""

    def __init__(self, program: Program, fails: Callable[[Program], bool], until: float) -> None:
        self.program, self.fails, self.until = program, fails, until

    def run(self) -> Program:
        """Return the smallest program found."""
        fewest(self.program.operations, self._attempt, self.until)
        while self._once() and time.monotonic() < self.until:
            pass
        return self._tidy()

    def _once(self) -> bool:
        for at, operation in enumerate(self.program.operations):
            for smaller in smaller_steps(operation):
                operations = self.program.operations
                if self._attempt([*operations[:at], *smaller, *operations[at + 1 :]]):
                    return True
        return False

    def _attempt(self, operations: list[Operation]) -> bool:
        """Take other steps if the program still fails."""
        if time.monotonic() > self.until:
            return False
        candidate = replace(self.program, operations=operations)
        try:
            candidate.execute()
        except UndefinedError:
            return False
        if self.fails(candidate):
            self.program = candidate
            return True
        return False

    def _tidy(self) -> Program:
        """Leave out blocks that are not needed, and declarations that nothing names."""
        for text in list(self.program.freed):
            name = text.strip().removeprefix("free(").removesuffix(");")
            if text in self.program.freed and time.monotonic() < self.until + 10:
                lines = [t for t in self.program.lines if name not in t or t.strip().endswith(f"*{name};")]
                freed = [t for t in self.program.freed if name not in t]
                candidate = replace(self.program, lines=lines, freed=freed)
                if self.fails(candidate):
                    self.program = candidate
        program = self.program
        for part in ("lines", "before", "types"):
            for text in reversed(getattr(program, part)):
                name = re.search(r"^struct (\w+) {|(\w+)\W*(?:\[[^]]*\])*(?: =.*)?;", text)
                kept = [t for t in getattr(program, part) if t is not text]
                other = replace(program, **{part: kept})
                machine = other.execute()
                has_methods = name is not None and any(struct == name[1] for struct, _, _ in machine.methods)
                if name and not has_methods and not re.search(rf"\b{name[1] or name[2]}\b", other.text(machine)):
                    program = other
        return program


def smaller_steps(operation: Operation) -> Iterator[list[Operation]]:
    """Give what may stand instead of a step."""
    if isinstance(operation, Region | Method):
        if isinstance(operation, Region):
            yield operation.body
        for at, inner in enumerate(operation.body):
            before, after = operation.body[:at], operation.body[at + 1 :]
            yield [replace(operation, body=[*before, *after])]
            for smaller in smaller_steps(inner):
                yield [replace(operation, body=[*before, *smaller, *after])]
    if isinstance(operation, Region | Enter | Kernel):
        for at in range(len(operation.mapped) if len(operation.mapped) > 1 or isinstance(operation, Kernel) else 0):
            yield [replace(operation, mapped=operation.mapped[:at] + operation.mapped[at + 1 :])]
        for at, one in enumerate(operation.mapped):
            if one.modifiers:
                plain = replace(one, modifiers=())
                yield [replace(operation, mapped=(*operation.mapped[:at], plain, *operation.mapped[at + 1 :]))]
    if isinstance(operation, Update) and len(operation.items) > 1:
        for at in range(len(operation.items)):
            yield [replace(operation, items=operation.items[:at] + operation.items[at + 1 :])]
    if isinstance(operation, Kernel):
        yield from ([smaller] for smaller in _smaller_kernels(operation))


def _smaller_kernels(kernel: Kernel) -> Iterator[Kernel]:
    if kernel.clauses != Clauses():
        yield replace(kernel, clauses=Clauses())
    for at, loop in enumerate(kernel.loops):
        before, after = kernel.loops[:at], kernel.loops[at + 1 :]
        if before or after:
            yield replace(kernel, loops=(*before, *after))
        for smaller in _smaller_loops(loop):
            yield replace(kernel, loops=(*before, smaller, *after))


def _smaller_loops(loop: Loop) -> Iterator[Loop]:
    if loop.directive:
        yield replace(loop, directive="")
    for at, one in enumerate(loop.body):
        before, after = loop.body[:at], loop.body[at + 1 :]
        if before or after:
            yield replace(loop, body=(*before, *after))
        for n in range(len(one.sources)):
            fewer = replace(one, sources=one.sources[:n] + one.sources[n + 1 :])
            yield replace(loop, body=(*before, fewer, *after))
