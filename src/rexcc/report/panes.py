"""The three columns of a construct: the user's source, the host's block and the kernels, linked line by line.

In: a construct's report. Out: HTML. The number in front of a line is that of the user's line that it is; in the source
it leads to the first line of the kernel, or of the host's block, and in these back to the source. Remarks stand under
the lines that they are about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rexcc.lowering.model.topics import Topic
from rexcc.report.code import highlighted
from rexcc.report.html import Html, element, joined
from rexcc.report.model import ConstructReport, KernelReport, Point, Told
from rexcc.report.places import Places
from rexcc.source.line_directives import ListedLine

_MOST_INDENT = 16


def panes(places: Places, number: int) -> Html:
    """Return the columns of a construct."""
    construct = places.unit.constructs[number - 1]
    name = places.construct_id(number)
    source = _source(places, number)
    host = _pane("Host", "generated", places.unit.host, _generated(places, number, construct.host, f"{name}-h"))
    kernels = [
        element("h4", element("code", kernel.names[0]), class_="name")
        + _code(
            f"Kernel {kernel.names[0]}", "generated", _generated(places, number, kernel.lines, f"{name}-k{position}-")
        )
        for position, kernel in enumerate(construct.kernels, 1)
    ]
    if not kernels:
        return element("div", source, host, class_="panes two")
    many = f"{len(kernels)} kernels" if len(kernels) > 1 else "Kernel"
    third = element("section", _head(many, places.unit.device), *map(Html, kernels), class_="pane kernels")
    return element("div", source, host, third, class_="panes")


def _head(title: str, file: str) -> Html:
    return element("h3", title, " ", element("code", file))


def _pane(title: str, kind: str, file: str, lines: Iterable[Html]) -> Html:
    return element("section", _head(title, file), _code(f"{title} {file}", kind, lines), class_="pane")


def _code(label: str, kind: str, lines: Iterable[Html]) -> Html:
    return element("div", *lines, class_=f"code {kind}", tabindex=0, role="region", aria_label=label)


def code_line(written: str, shown: str, *more: str) -> Html:
    """Return a line of code; what does not fit in the column goes on further in than the line begins.

    Where columns are narrow, a line that begins far in would have no room.
    """
    indent = len(written.expandtabs(4)) - len(written.expandtabs(4).lstrip())
    if indent > _MOST_INDENT and isinstance(shown, Html):
        indent, shown = _MOST_INDENT, Html(" " * _MOST_INDENT + shown.lstrip())
    return element("code", shown, *more, style=f"--in:{indent}" if indent else None)


def _source(places: Places, number: int) -> Html:
    construct = places.unit.constructs[number - 1]
    path, name = construct.place.path, places.construct_id(number)
    shown = places.excerpt(construct)
    told = _told_by_line(construct, path)
    first = _first_lines(construct, name)
    lines: list[Html] = []
    for line in shown:
        is_around = not construct.place.line <= line <= construct.last
        targets = first.get((path, line), ())
        gutter = _number(line, targets[0] if targets else places.line_id(path, line))
        more = [_jump(word, target) for word, target in zip(("2nd", "3rd"), targets[1:3], strict=False)]
        body = code_line(places.lines[path][line - 1], places.shown[path][line - 1], *more)
        lines.append(
            element(
                "div", gutter, body, id=f"{name}-s{line}", class_="l around" if is_around else "l",
                data_l=places.key(path, line),
            )
        )  # fmt: skip
        lines += [_remark(places, number, remark) for remark in told.get(line, ())]
    return _pane("Source", "source", places.name(path), lines)


def _number(line: int, target: str) -> Html:
    return element("a", str(line), href=f"#{target}", class_="n")


def _jump(word: str, target: str) -> Html:
    where = "host" if "-h" in target else "kernel"
    return element("a", where, href=f"#{target}", class_="jump", title=f"{word} place of this line")


def _first_lines(construct: ConstructReport, name: str) -> dict[tuple[str, int], list[str]]:
    """Return, by the user's lines, where each stands first: in the kernels, then in the host's block."""
    found: dict[tuple[str, int], list[str]] = {}
    listings = [(f"{name}-k{n}-", kernel.lines) for n, kernel in enumerate(construct.kernels, 1)]
    for prefix, lines in (*listings[:1], (f"{name}-h", construct.host)):
        seen = set()
        for position, line in enumerate(lines, 1):
            key = line.path, line.line
            if line.path and key not in seen:
                seen.add(key)
                found.setdefault(key, []).append(f"{prefix}{position}")
    return found


def _generated(places: Places, number: int, lines: Sequence[ListedLine], prefix: str) -> Iterator[Html]:
    """Yield the lines of a generated text; those of the compiler's belong to the construct's directive."""
    construct = places.unit.constructs[number - 1]
    own = construct.place
    for position, (line, body) in enumerate(zip(lines, highlighted(one.text for one in lines), strict=True), 1):
        is_users = places.has(line.path, line.line)
        point = (line.path, line.line) if is_users else (own.path, own.line)
        key = places.key(*point) if places.has(*point) else None
        gutter = element("span", class_="n")
        if is_users:
            gutter = _number(line.line, places.target(Point(line.path, line.line, 1), number))
        class_ = "l" if is_users else "l own"
        yield element("div", gutter, code_line(line.text, body), id=f"{prefix}{position}", class_=class_, data_l=key)


def _told_by_line(construct: ConstructReport, path: str) -> Mapping[int, list[Told]]:
    """Return the remarks at the lines of a file, each once where several kernels have it."""
    found: dict[int, list[Told]] = {}
    for told in remarks(construct.kernels):
        if told.place.path == path:
            found.setdefault(told.place.line, []).append(told)
    return found


def remarks(kernels: Iterable[KernelReport]) -> tuple[Told, ...]:
    """Return the remarks on kernels, but for those on their launch."""
    every = (told for kernel in kernels for told in kernel.told if told.topic != Topic.KERNEL.value)
    return tuple(dict.fromkeys(every))


def _remark(places: Places, number: int, told: Told) -> Html:
    """Return a remark under its line."""
    words = [f"{told.message[:1].upper()}{told.message[1:]}"]
    kind = "not" if told.is_missed else told.topic.removeprefix("rex-")
    parts: list[str] = [element("b", "not done" if told.is_missed else kind), " ", *words]
    parts += [joined((": ", reason_text(places, number, told)))] if told.reasons else []
    return element("div", *parts, class_=f"remark {kind}")


def reason_text(places: Places, number: int, told: Told) -> Html:
    """Return the reasons of a remark, each with its place."""
    parts = []
    for reason in told.reasons:
        link = joined((" (", places.link(reason.place, number), ")")) if reason.place is not None else Html()
        parts.append(joined((reason.text, link)))
    return joined(parts, "; ")
