"""A construct in a page: figures, what to look at, launch, code, what is mapped, what was done and what was not.

In: its report, figures and places. Out: HTML.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.lowering.model.topics import Topic
from rexcc.report.figures import Figures, occupancy_of
from rexcc.report.findings import Finding, findings
from rexcc.report.html import Html, element, joined, table
from rexcc.report.model import ConstructReport, KernelReport, MapEntry, Told
from rexcc.report.panes import panes, reason_text, remarks
from rexcc.report.places import Places
from rexcc.report.units import bytes_text, seconds_text
from rexcc.target.occupancy import Occupancy, Usage


def construct_html(places: Places, figures: Figures, number: int) -> Html:
    """Return the article of a construct, counted from 1."""
    construct, name = places.unit.constructs[number - 1], places.construct_id(number)
    head = element(
        "header",
        element("h2", places.head(number, f"#{name}"), " ", construct.function, id=f"{name}-title"),
        element("p", element("code", construct.directive), class_="directive"),
    )
    parts = [head, *_measured(construct, figures)]
    if construct.kernels:
        parts += [_kernels(places, construct, figures), _looked_at(places, figures, number)]
    parts += [panes(places, number), _mapped(places, number), *_told(places, number)]
    return element("article", *parts, id=name, class_="construct", aria_labelledby=f"{name}-title")


def _measured(construct: ConstructReport, figures: Figures) -> Iterator[Html]:
    timed = figures.timed(construct)
    if timed is None:
        return
    whole = figures.profile.seconds
    facts = [
        ("Time of all calls", seconds_text(timed.seconds)),
        *([("Of that in kernels", seconds_text(timed.kernel_seconds))] if timed.kernel_seconds else []),
        ("Share of all", f"{round(100 * timed.seconds / whole)} %" if whole else "–"),
        ("Calls", str(timed.calls)),
        ("For each call", seconds_text(timed.seconds / timed.calls) if timed.calls else "–"),
        ("Copied to the device", bytes_text(timed.bytes_to)),
        ("Copied back", bytes_text(timed.bytes_from)),
    ]
    items = (element("div", element("dt", what), element("dd", value)) for what, value in facts)
    yield element("dl", *items, class_="measured")


_COLUMNS = (
    "Kernel", "Architecture", "Threads a block", "Registers a thread", "Shared memory a block", "Stack a thread",
    "Spilled", "Blocks on a multiprocessor", "Occupancy", "Limited by",
)  # fmt: skip


def _kernels(places: Places, construct: ConstructReport, figures: Figures) -> Html:
    rows: list[list[str]] = []
    for kernel in construct.kernels:
        rows += _rows(places, kernel, figures)
    caption = "What the kernel takes" if len(construct.kernels) == 1 else "What the kernels take"
    return element("div", table(_COLUMNS, rows, caption, class_="kernels"), class_="wide")


def _rows(places: Places, kernel: KernelReport, figures: Figures) -> Iterator[list[str]]:
    title = kernel.function if kernel.function else kernel.names[0]
    usages = [(title, usage) for usage in figures.of(kernel)]
    usages += [(f"{title}, {kernel.launch.second}", usage) for usage in figures.second(kernel)]
    for name, usage in usages:
        found = occupancy_of(places.unit.target, usage, kernel)
        threads = kernel.threads_of(usage.kernel)
        yield [name, usage.architecture, str(threads), *_taken(kernel, usage), *_room(found)]
    if not usages:
        missing = element("td", figures.missing or "not known", colspan=len(_COLUMNS) - 3, class_="missing")
        yield [title, "–", str(kernel.threads), missing]


def _taken(kernel: KernelReport, usage: Usage) -> list[str]:
    launched = kernel.launch.shared_text
    shared = bytes_text(usage.shared + kernel.launch.shared) + (f" + {launched}" if launched else "")
    spilled = usage.spill_stores + usage.spill_loads
    return [str(usage.registers), shared, bytes_text(usage.stack), bytes_text(spilled) if spilled else "nothing"]


def _room(found: Occupancy | None) -> list[str]:
    if found is None:
        return ["–", "–", "–"]
    bar = element("span", element("span", style=f"width:{found.percent}%"), class_="bar", aria_hidden="true")
    level = "low" if found.percent <= 50 else "good"
    share = element("td", bar, f" {found.percent} %", class_=f"occupancy {level}")
    return [str(found.blocks), share, ", ".join(found.limits)]


def _looked_at(places: Places, figures: Figures, number: int) -> Html:
    construct = places.unit.constructs[number - 1]
    found = findings(places.unit.target, construct, figures)
    items = [element("li", *_finding(places, number, one)) for one in found]
    empty = "Nothing that the compiler knows of: see how long it takes, and what is copied."
    looked = element("ol", *items, class_="findings") if items else element("p", empty)
    first = element("section", element("h3", "What to look at"), looked, class_="look")
    return element("div", first, _launch(places, number), class_="pair")


def _finding(places: Places, number: int, found: Finding) -> Iterator[str]:
    yield element("strong", found.fact)
    yield f": {found.cost}."
    if found.place is not None:
        yield joined((" ", places.link(found.place, number)))


def _launch(places: Places, number: int) -> Html:
    kernels = places.unit.constructs[number - 1].kernels
    told = dict.fromkeys(t for kernel in kernels for t in kernel.told if t.topic == Topic.KERNEL.value)
    reasons = dict.fromkeys(reason for one in told for reason in one.reasons)
    items = []
    for reason in reasons:
        link = joined((" ", places.link(reason.place, number))) if reason.place is not None else Html()
        items.append(element("li", reason.text, link))
    return element("section", element("h3", "How it is launched"), element("ul", *items), class_="launch")


def _mapped(places: Places, number: int) -> Html:
    construct = places.unit.constructs[number - 1]
    if not construct.entries:
        return element("section", element("h3", "What is mapped, and why"), element("p", "Nothing."))
    rows = [_entry_row(places, number, position, entry) for position, entry in enumerate(construct.entries)]
    caption = "What is mapped, and why"
    if construct.kernels:
        caption += ": copied at each launch, but for what is on the device already"
    columns = ("Entry", "List item", "Copied", "Bytes", "What else", "Why", "Where")
    return element("div", table(columns, rows, caption, class_="map"), class_="wide")


def _entry_row(places: Places, number: int, position: int, entry: MapEntry) -> list[str]:
    copied = {"tofrom": "both ways", "to": "to the device", "from": "back", "": "–", "alloc": "no, made there"}
    copied |= {"delete": "no, deleted", "release": "no, released"}
    return [
        str(position),
        element("code", entry.what),
        element("td", copied[entry.transfer], class_=f"transfer {entry.transfer}"),
        element("code", entry.bytes.removesuffix(" bytes")) if entry.size is None else bytes_text(entry.size),
        ", ".join(entry.details) or "–",
        entry.reason,
        places.link(entry.place, number),
    ]


def _told(places: Places, number: int) -> Iterator[Html]:
    """Yield what was not done, and what was."""
    every = remarks(places.unit.constructs[number - 1].kernels)
    missed = [told for told in every if told.is_missed]
    done = [told for told in every if not told.is_missed and told.topic != Topic.ACCESS.value]
    sections = []
    for title, found in (("What was not done, and the first thing in its way", missed), ("What was done", done)):
        if found:
            items = (element("li", *_remark(places, number, told)) for told in found)
            sections.append(element("section", element("h3", title), element("ul", *items)))
    if sections:
        yield element("div", *sections, class_="pair")


def _remark(places: Places, number: int, told: Told) -> Iterator[str]:
    yield places.link(told.place, number)
    yield f" {told.message[:1].upper()}{told.message[1:]}"
    if told.reasons:
        yield joined((": ", reason_text(places, number, told)))
