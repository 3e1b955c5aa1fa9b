"""Random target regions: their map clauses, the variables they use, and statements on what these lead to."""

from __future__ import annotations

from data_generator.kernels import Assign, Binding, Execution, Kernel, Loop
from data_generator.kinds import LONG, Array
from data_generator.machine import Machine, Storage, UndefinedError
from data_generator.mapping import Mapped, enter
from data_generator.operations import Show
from data_generator.paths import Index, Item, Path, Section, Variable
from data_generator.steps import Steps

LOOPS = (
    "target teams distribute parallel for",
    "target teams distribute parallel for",
    "target parallel for",
    "target teams distribute",
    "target teams loop",
    "target simd",
    "target teams distribute parallel for simd",
)


class Bodies(Steps):
    """Steps with target regions."""

    def kernel(self, given: tuple[tuple[str, Variable], int] | None = None) -> bool:
        """Make a target region and print what it saw; ``given``: a variable that stands for device storage."""
        device = self.device() if given is None else given[1]
        mapped: tuple[Mapped, ...] = ()
        if self.chance(0.8):
            kinds = ("to", "from", "tofrom", "tofrom", "tofrom", "alloc")
            mapped = self.mapped(self.some_items(0.5, 4), kinds)
        special = (given[0],) if given is not None else ()
        mapped = tuple(m for m in mapped if all(m.item.path.root is not v for _, v in special))
        roots = list(dict.fromkeys([v for _, v in special] + [m.item.path.root for m in mapped]))
        roots += [v for v in self.random.sample(self.variables, min(3, len(self.variables))) if v not in roots]
        clauses, away = self.clauses(roots, mapped, special), not special and self.chance(0.06)
        directive = "target" if self.chance(0.6) else self.pick(LOOPS)
        extra = ("if(never)",) if away else (f"device({device})",) if device else ()
        if directive not in ("target", "target simd") and self.chance(0.5):
            extra = (*extra, "num_teams(2)") if "teams" in directive else (*extra, "num_threads(3)")
        kernel = Kernel(directive, mapped, clauses, (), device, extra, away, self.chance(0.6))
        if not self.body(kernel, roots):
            return False
        if not self.attempt(kernel):
            return False
        if kernel.seen is not None:
            self.attempt(Show(Item(Path(kernel.seen))))
        return True

    def body(self, kernel: Kernel, roots: list[Variable]) -> bool:
        """Give a region statements."""
        machine = self.machine.clone()
        roots = self.usable(kernel, roots, machine)
        if roots is None or not roots:
            return False
        inside = Inside(self, kernel, machine, roots)
        if kernel.directive == "target":
            inside.statements(self.random.randint(1, 5))
            inside.report()
        else:
            inside.loop()
        kernel.loops = tuple(inside.made)
        return bool(kernel.loops)

    def usable(self, kernel: Kernel, roots: list[Variable], machine: Machine) -> list[Variable] | None:
        """Return the variables that have a defined meaning in a region, all of them at once."""
        found: list[Variable] = []
        for root in roots:
            copy = machine.clone()
            try:
                enter(copy, kernel.device, () if kernel.away else kernel.all_mapped([*found, root]))
                kernel.bind(copy, [*found, root])
            except UndefinedError:
                continue
            found.append(root)
        try:
            enter(machine, kernel.device, () if kernel.away else kernel.all_mapped(found))
        except UndefinedError:
            return None
        return found


class Inside:
    """The inside of a region in the making."""

    def __init__(self, maker: Bodies, kernel: Kernel, machine: Machine, roots: list[Variable]) -> None:
        self.maker, self.kernel, self.machine, self.roots = maker, kernel, machine, roots
        self.execution = Execution(machine, kernel.device, kernel.bind(machine, roots))
        self.made: list[Loop] = []

    def readable(self, path: Path, counter: int = 0) -> bool:
        """Tell whether a number can be read here."""
        try:
            self.execution.read(path, counter)
        except UndefinedError:
            return False
        return True

    def writable(self, path: Path, counter: int = 0) -> bool:
        """Tell whether a number can be written here."""
        try:
            self.execution.cell(path, counter)
        except UndefinedError:
            return False
        return True

    def find(self, wanted: bool, count: int = 0, tries: int = 12) -> Path | None:
        """Look for a number to read (``wanted`` False) or to write; in a loop, one for each iteration if possible."""
        for _ in range(tries):
            path: Path | None
            try:
                path = self.maker.leaf(self.maker.pick(self.roots))
                if count and (wanted or self.maker.chance(0.6)):
                    path = self.maker.swept(path, count)
            except UndefinedError:
                continue
            check = self.writable if wanted else self.readable
            if path is not None and all(check(path, k) for k in range(count or 1)):
                return path
        return None

    def assign(self, count: int = 0) -> Assign | None:
        """Make an assignment."""
        target = self.find(True, count)
        if target is None:
            return None
        sources = [
            p for p in (self.find(False, count) for _ in range(self.maker.random.randint(0, 3))) if p is not None
        ]
        factors = tuple((self.maker.random.randint(1, 9), p) for p in sources)
        return Assign(target, factors, self.maker.random.randint(1, 250))

    def add(self, loop: Loop) -> bool:
        """Execute a statement; keep it if its iterations do not depend on each other."""
        trial = self.machine.clone()
        bindings = {
            v: Binding(b.entry, dict(b.copy) if b.copy is not None else None, b.host)
            for v, b in self.execution.bindings.items()
        }
        try:
            Execution(trial, self.kernel.device, bindings).run([loop])
        except UndefinedError:
            return False
        self.machine = trial
        self.execution = Execution(trial, self.kernel.device, bindings)
        self.made.append(loop)
        return True

    def statements(self, count: int) -> None:
        """Make the statements of a plain region."""
        for _ in range(count):
            repeats = self.maker.pick((0, 0, 2, 3, 4))
            body = [a for a in [self.assign(repeats)] if a is not None]
            directive = self.maker.pick(("", "parallel for", "parallel for num_threads(2)", "simd"))
            if body:
                self.add(Loop(repeats, tuple(body), directive if repeats else ""))

    def loop(self) -> None:
        """Make the loop of a combined construct."""
        for _ in range(4):
            repeats = self.maker.random.randint(2, 6)
            body = [a for a in [self.assign(repeats) for _ in range(self.maker.pick((1, 2)))] if a is not None]
            if body and self.add(Loop(repeats, tuple(body))):
                return

    def report(self) -> None:
        """Write what the region sees into an array that goes back to the host."""
        if self.maker.chance(0.25):
            return
        paths = [p for p in (self.find(False, tries=6) for _ in range(5)) if p is not None]
        if not paths:
            return
        name, kind = self.maker.name("seen"), Array(LONG, len(paths))
        seen = Variable(name, kind, Storage(name, kind))
        self.kernel.seen = seen
        item = (
            Item(Path(seen), (Section(0, len(paths), f"0:{len(paths)}"),))
            if self.maker.chance(0.5)
            else Item(Path(seen))
        )
        self.kernel.mapped = (*self.kernel.mapped, Mapped(item, "from"))
        assigns = tuple(Assign(Path(seen, (Index(n),)), ((1, p),), 0) for n, p in enumerate(paths))
        self.made.append(Loop(0, assigns))
