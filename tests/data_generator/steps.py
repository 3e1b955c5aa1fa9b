"""Random steps: each is tried on a copy of the machine, and kept if what it does is defined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from data_generator.choosing import Choosing
from data_generator.kernels import Clauses
from data_generator.kinds import Pointer, Struct
from data_generator.machine import FOREVER, Storage, UndefinedError
from data_generator.mapping import Mapped, enter, leave
from data_generator.operations import Enter, Fill, Method, Operation, Present, Region, Show, Update
from data_generator.paths import Index, Item, Path, Section, Variable


def alike(items: list[Item]) -> list[Item]:
    """Leave out items that follow a pointer in another way than those before: ``p[0].a`` after ``p->b``."""
    ways: dict[str, str] = {}
    kept = []
    for item in items:
        steps = item.path.steps
        prefixes = [Path(item.path.root, steps[:n]) for n in range(len(steps) + 1)]
        found = {
            prefix.text: type(after).__name__
            for prefix, after in zip(prefixes, [*steps, "section"], strict=True)
            if isinstance(prefix.kind, Pointer)
        }
        if all(ways.get(text, way) == way for text, way in found.items()):
            ways |= found
            kept.append(item)
    return kept


def outside(item: Item, path: Path) -> Item:
    """Return a list item of a member function as its caller names it."""
    if not item.path.steps:
        return Item(path)
    return Item(path.then(*item.path.steps[1:]), item.sections)


class Steps(Choosing):
    """A program in the making: its state after the operations made so far."""

    def __init__(self, seed: str, prefix: str, language: str, devices: int) -> None:
        super().__init__(seed, prefix, language, devices)
        self.operations: list[Operation] = []
        self.used: list[Item] = []
        self.entered: list[tuple[int, tuple[Mapped, ...]]] = []
        self.depth = 0

    def attempt(self, operation: Operation) -> bool:
        """Take a step if it is defined."""
        machine = self.machine.clone()
        try:
            operation.run(machine)
        except UndefinedError:
            return False
        self.machine = machine
        self.operations.append(operation)
        return True

    def until(self, make: Callable[[], bool], times: int = 12) -> bool:
        """Try to take a step of some sort."""
        return any(make() for _ in range(times))

    # ---- list items

    def device(self) -> int:
        """Choose a device: mostly the first."""
        return self.random.randrange(len(self.machine.devices)) if self.chance(0.15) else 0

    def some_item(self, known: float) -> Item:
        """Choose a list item: one that was used before or part of it, or another."""
        if self.used and self.chance(known):
            item = self.pick(self.used)
            return item if self.chance(0.6) else self.inner(item)
        return self.new_item()

    def inner(self, item: Item) -> Item:
        """Choose an item that begins like another."""
        try:
            return self.item(item.path)
        except UndefinedError:
            return item

    def new_item(self, root: Variable | None = None) -> Item:
        """Choose a list item of a variable."""
        while True:
            try:
                return self.item(Path(root or self.pick(self.variables)))
            except UndefinedError:
                continue

    def some_items(self, known: float, most: int = 3) -> list[Item]:
        """Choose list items, often of one variable."""
        found = [self.some_item(known)]
        while len(found) < most and self.chance(0.5):
            root = self.pick(found).path.root
            found.append(self.new_item(root) if self.chance(0.6) else self.some_item(known))
        return alike(list({item.text: item for item in found}.values()))

    def mapped(self, items: list[Item], kinds: tuple[str, ...], modifiers: float = 0.2) -> tuple[Mapped, ...]:
        """Give list items map types."""
        found, last = [], self.pick(kinds)
        for item in items:
            last = last if self.chance(0.5) else self.pick(kinds)
            added = ("always",) if self.chance(modifiers) and last in ("to", "from", "tofrom") else ()
            if self.chance(modifiers / 2):
                added = (*added, "present") if self.chance(0.5) else ("present", *added)
            elif self.chance(modifiers / 4):
                added = (*added, "close")
            found.append(Mapped(item, last, added))
        return tuple(found)

    # ---- steps

    def fill(self) -> bool:
        """Change something on the host."""
        return self.attempt(Fill(self.some_item(0.7)))

    def show(self) -> bool:
        """Print something on the host."""
        return self.attempt(Show(self.some_item(0.7)))

    def enter(self) -> bool:
        """Enter data."""
        items = self.some_items(0.3)
        device, mapped = self.device(), self.mapped(items, ("to", "to", "to", "alloc"))
        if not self.attempt(Enter(mapped, device, False, self.chance(0.6), self.chance(0.05))):
            return False
        if not self.operations[-1].away:  # type: ignore[attr-defined]
            self.entered.append((device, mapped))
            self.used += items
        return True

    def leave(self) -> bool:
        """Exit data: what was entered together, or something else."""
        device, items = self.device(), self.some_items(0.8)
        if self.entered and self.chance(0.8):
            device, mapped = self.pick(self.entered)
            items = [m.item for m in mapped]
        kinds = ("from", "from", "from", "release", "release", "delete")
        if not self.attempt(Enter(self.mapped(items, kinds), device, True, self.chance(0.6), self.chance(0.04))):
            return False
        self.entered = [e for e in self.entered if e[0] != device or [m.item for m in e[1]] != items]
        return True

    def update(self) -> bool:
        """Update some items."""
        back = self.chance(0.5)
        chosen = [self.gapped(i) if i.sections and self.chance(0.3) else i for i in alike(self.some_items(0.9))]
        items = [(item, back if self.chance(0.8) else not back) for item in chosen]
        return self.attempt(Update(tuple(items), self.device()))

    def region(self) -> bool:
        """Make a ``target data`` construct and steps in it."""
        if self.depth > 2:
            return False
        items, device = self.some_items(0.4), self.device()
        mapped = self.mapped(items, ("to", "from", "tofrom", "tofrom", "alloc"))
        region = Region(mapped, [], device, self.chance(0.6))
        machine, operations, entered, used = self.machine, self.operations, list(self.entered), list(self.used)
        self.machine, self.operations = machine.clone(), region.body
        self.depth += 1
        try:
            enter(self.machine, device, mapped)
            self.used += items
            for _ in range(self.random.randint(1, 4)):
                self.step()
            leave(self.machine.clone(), device, mapped)
        except UndefinedError:
            self.entered, self.used = entered, used
            region.body = []
        finally:
            self.machine, self.operations = machine, operations
            self.depth -= 1
        if region.body and self.attempt(region):
            return True
        self.entered = entered
        return False

    def method(self) -> bool:
        """Make a member function that takes steps on its object."""
        try:
            path = self.leaf(self.pick(self.variables))
        except UndefinedError:
            return False
        paths = [Path(path.root, path.steps[:n]) for n in range(len(path.steps))]
        objects = [p for p in paths if isinstance(p.kind, Struct) and not p.root.bare and p.root.name != "this"]
        if not self.cpp or not objects:
            return False
        path = self.pick(objects)
        kind = Pointer(path.kind)
        this = Variable("this", kind, Storage("this", kind), False, self.chance(0.5))
        method = Method(self.name("m"), path, this)
        kept = self.machine, self.operations, self.entered, self.used, self.variables
        self.machine, self.operations, self.entered, self.used = self.machine.clone(), method.body, [], []
        self.variables = [this]
        method.begin(self.machine)
        for _ in range(self.random.randint(1, 3)):
            self.step()
        entered, used = self.entered, self.used
        self.machine, self.operations, self.entered, self.used, self.variables = kept
        if not method.body or not self.attempt(method):
            return False
        self.used += [outside(item, path) for item in used]
        self.entered += [(d, tuple(replace(m, item=outside(m.item, path)) for m in ms)) for d, ms in entered]
        return True

    def addressed(self) -> bool:
        """Make a ``target data`` construct in which a name means device storage, and a region that uses it."""
        variable = self.pick(self.variables)
        if variable.on_device or variable.name == "this":
            return False
        pointer, device = isinstance(variable.kind, Pointer), self.device()
        item = Item(Path(variable))
        try:
            if pointer:
                room = self.room(item.path)
                item = Item(item.path, (Section(0, room, f"0:{room}"),))
        except UndefinedError:
            return False
        mapped = self.mapped([item], ("to", "tofrom", "tofrom", "alloc"), 0.1) if self.chance(0.7) else ()
        clause = "use_device_ptr" if pointer else "use_device_addr"
        region = Region(mapped, [], device, True, f"{clause}({variable.name})")
        machine, operations = self.machine, self.operations
        self.machine, self.operations = machine.clone(), region.body
        try:
            enter(self.machine, device, mapped)
            place = Path(variable, (Index(0),) if pointer else ()).resolve(self.machine)
            if self.machine.present(device, place.storage, [place.at]) is None:
                raise UndefinedError("no device storage to stand for")
            found = self.until(
                lambda: self.kernel((("is_device_ptr" if pointer else "has_device_addr", variable), device))
            )
        except UndefinedError:
            found = False
        self.machine, self.operations = machine, operations
        region.body = region.body if found else []
        return found and self.attempt(region)

    def present(self) -> bool:
        """Ask what is present."""
        try:
            path = self.leaf(self.pick(self.used).path.root if self.used else self.pick(self.variables))
        except UndefinedError:
            return False
        return self.attempt(Present(path, self.device()))

    def step(self) -> None:
        """Take a step."""
        make = self.weighted(
            (4, self.fill),
            (3, self.show),
            (5, self.enter),
            (3, self.leave),
            (5, self.update),
            (3, self.region),
            (10, self.kernel),
            (1, self.present),
            (1, self.addressed),
            (4 if self.cpp else 0, self.method),
        )
        self.until(make)

    def kernel(self, given: tuple[tuple[str, Variable], int] | None = None) -> bool:
        """Make a target region; see ``bodies``."""
        raise NotImplementedError

    def clauses(
        self, roots: list[Variable], mapped: tuple[Mapped, ...], given: tuple[tuple[str, Variable], ...]
    ) -> Clauses:
        """Choose the data clauses of a region."""
        named = {m.item.path.root for m in mapped} | {v for _, v in given}
        first, private, empty = [], [], []
        for variable in roots:
            if variable in named or variable.on_device or variable.name == "this" or not self.chance(0.12):
                continue
            if isinstance(variable.kind, Pointer):
                empty.append(variable)
            else:
                (first if self.chance(0.7) else private).append(variable)
        defaults = []
        if self.chance(0.2):
            category = self.pick(("scalar", "aggregate", "aggregate"))
            defaults.append((category, self.pick(("to", "from", "tofrom", "alloc", "firstprivate", "default"))))
        return Clauses(tuple(first), tuple(private), given, tuple(defaults), tuple(empty))

    # ---- the end

    def clear(self) -> bool:
        """Remove everything from the devices."""
        for _ in range(60):
            left = [(d, e) for d, t in enumerate(self.machine.devices) for e in t.values() if e.count < FOREVER]
            if not left:
                return True
            if self.entered and self.chance(0.8):
                device, mapped = self.pick(self.entered)
                kinds = ("from", "from", "release", "delete")
                exits = self.mapped([m.item for m in mapped], kinds, 0.1)
                if not self.attempt(Enter(exits, device, True, self.chance(0.5))):
                    continue
                if not any(e.count < FOREVER for e in self.machine.devices[device].values()):
                    self.entered = [e for e in self.entered if e[0] != device]
                if self.chance(0.3):
                    self.until(self.show, 2)
            else:
                device, _ = self.pick(left)
                item = self.some_item(1.0)
                self.attempt(Enter(self.mapped([item], ("from", "release", "delete"), 0.1), device, True))
        return False
