"""Results as a chart: an SVG file written as plain text.

In: :class:`Results`. Out: one group of bars for each program, one bar for each peer, from 1 to the median of the ratios
on a logarithmic scale, with whiskers from p10 to p90. To the right of the line at 1 we are faster.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from rexcc.bench.results import Results, Row
from rexcc.bench.samples import Ratio
from rexcc.bench.table import figure_name, shown_name, summary_line

_COLOURS = ("#2f6fb5", "#d97f1e", "#4d9a4a", "#8a5fb0", "#7a7a7a")
_LABELS = 190
_PLOT = 560
_VALUES = 150
_BAR = 14
_GAP = 12
_TOP = 84
_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
_LEAST_SPAN = (0.5, 2.0)


@dataclass(frozen=True)
class _Bar:
    label: str
    figure: str
    peer: str
    ratio: Ratio


@dataclass(frozen=True)
class _Scale:
    """A logarithmic axis."""

    low: float
    high: float

    def at(self, value: float) -> float:
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return _LABELS + _PLOT * min(max(part, 0.0), 1.0)


def chart(results: Results) -> str:
    """Return the SVG document."""
    groups = [bars for row in results.rows for bars in [_bars(row)] if bars]
    scale = _scale([bar.ratio for bars in groups for bar in bars])
    heights = [_GAP + _BAR * len(bars) for bars in groups]
    bottom = _TOP + sum(heights) + _GAP
    notes = [summary_line(results, peer) for peer in results.peers]
    height = bottom + 40 + 18 * len(notes)
    width = _LABELS + _PLOT + _VALUES
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12" role="img">',
        f"<title>{escape(results.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        _text(16, 26, results.title, size=16, weight="bold"),
        _text(16, 46, _subtitle(results), colour="#555"),
        *_legend(results.peers),
        *_axis(scale, bottom),
    ]
    top = _TOP
    colours = _colours(results.peers)
    for bars, tall in zip(groups, heights, strict=True):
        lines += _group(bars, top + _GAP, scale, colours)
        top += tall
    lines += [_text(16, bottom + 44 + 18 * number, note) for number, note in enumerate(notes)]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _bars(row: Row) -> list[_Bar]:
    figure = row.deciding
    found = [(peer.variant, row.ratio(peer.variant, figure)) for peer in row.peers]
    return [_Bar(row.name, figure or "", peer, ratio) for peer, ratio in found if ratio]


def _scale(ratios: list[Ratio]) -> _Scale:
    low = min([_LEAST_SPAN[0], *(ratio.spread.p10 for ratio in ratios)])
    high = max([_LEAST_SPAN[1], *(ratio.spread.p90 for ratio in ratios)])
    return _Scale(low / 1.1, high * 1.1)


def _colours(peers: Iterable[str]) -> dict[str, str]:
    return {peer: _COLOURS[number % len(_COLOURS)] for number, peer in enumerate(peers)}


def _subtitle(results: Results) -> str:
    machine = results.machine.get("gpu") if results.device == "gpu" else results.machine.get("cpu")
    where = machine or "unknown machine"
    device = "" if results.device == "gpu" else " (times of the CPU)"
    return f"{where}{device}, {results.machine.get('date', '')}. Peer's time / ours: above 1, rexcc is faster."


def _legend(peers: Iterable[str]) -> Iterable[str]:
    left = 16
    for peer, colour in _colours(peers).items():
        name = f"against {shown_name(peer)}"
        yield f'<rect x="{left}" y="57" width="12" height="12" fill="{colour}"/>'
        yield _text(left + 18, 68, name)
        left += 40 + 7 * len(name)


def _axis(scale: _Scale, bottom: float) -> Iterable[str]:
    for tick in _TICKS:
        if scale.low <= tick <= scale.high:
            x = scale.at(tick)
            colour, width = ("#333", "1.5") if tick == 1 else ("#ddd", "1")
            yield (
                f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}" stroke="{colour}" stroke-width="{width}"/>'
            )
            yield _text(x, bottom + 16, f"{tick:g}", anchor="middle", colour="#555")


def _group(bars: list[_Bar], top: float, scale: _Scale, colours: dict[str, str]) -> Iterable[str]:
    middle = top + _BAR * len(bars) / 2 + 4
    yield _text(_LABELS - 8, middle, bars[0].label, anchor="end")
    for number, bar in enumerate(bars):
        yield from _bar(bar, top + _BAR * number, scale, colours[bar.peer])


def _bar(bar: _Bar, top: float, scale: _Scale, colour: str) -> Iterable[str]:
    spread = bar.ratio.spread
    end, start = scale.at(spread.median), scale.at(1.0)
    left, width = min(start, end), max(abs(end - start), 1.0)
    middle = top + _BAR / 2 - 1
    value = f"{spread.median:.2f} {bar.ratio.verdict}"
    tip = f"{bar.label}, {figure_name(bar.figure)}, against {shown_name(bar.peer)}: {value}"
    tip += f" (p10 {spread.p10:.2f}, p90 {spread.p90:.2f}, {spread.count} pairs)"
    yield "<g>"
    yield f"<title>{escape(tip)}</title>"
    yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{_BAR - 2}" fill="{colour}"/>'
    yield (
        f'<line x1="{scale.at(spread.p10):.1f}" y1="{middle:.1f}" x2="{scale.at(spread.p90):.1f}" y2="{middle:.1f}" '
        'stroke="#222" stroke-width="1.5"/>'
    )
    yield _text(_LABELS + _PLOT + 10, top + _BAR - 3, value, colour=colour)
    yield "</g>"


def _text(
    x: float, y: float, text: str, anchor: str = "start", colour: str = "#222", size: int = 12, weight: str = "normal"
) -> str:
    style = f'text-anchor="{anchor}" fill="{colour}" font-size="{size}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'
