"""Results as Markdown: one row per program, the summary of wins, ties and losses, what was left out, and all figures.

In: :class:`Results`. Out: text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rexcc.bench.figures import in_words
from rexcc.bench.plan import OURS
from rexcc.bench.results import Results, Row, VariantResult, figure_order
from rexcc.bench.samples import RULE, Ratio, geometric_mean, spread

NAMES = {"rexcc": "rexcc", "clang": "native clang", "gcc": "gcc", "cuda": "CUDA"}
FIGURES = {
    "gpu": "GPU time",
    "kernel": "kernel time",
    "transfer": "transfer time",
    "wall": "wall clock",
}
_MACHINE = ("gpu", "gpus", "driver", "cpu", "cpus", "system", "load", "date")


def shown_name(variant: str) -> str:
    """Return a variant's name for people."""
    return NAMES.get(variant, variant)


def figure_name(figure: str) -> str:
    """Return a figure's name for people."""
    kind, _, name = figure.partition(":")
    return f"printed {name}" if kind == "printed" else FIGURES[kind]


def table(results: Results) -> str:
    """Return the whole report."""
    parts = [f"# {results.title}", _conditions(results), RULE, _main_table(results), _summary(results)]
    parts += [_remarks(results), _all_figures(results)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _conditions(results: Results) -> str:
    machine = ", ".join(f"{key} {results.machine[key]}" for key in _MACHINE if results.machine.get(key))
    built = ", ".join(f"{key} {value}" for key, value in results.built.items())
    repeats, recorded = (results.settings.get(name, 0) for name in ("repeats", "gpu_repeats"))
    rounds = f"{repeats:g} rounds, {recorded:g} more with CUPTI" if results.device == "gpu" else f"{repeats:g} rounds"
    device = "" if results.device == "gpu" else " **All times are of the CPU: target regions ran on the CPU device.**"
    return f"Machine: {machine}. Built with: {built}. {rounds}; medians (p10–p90).{device}"


def _main_table(results: Results) -> str:
    peers = results.peers
    variants = (OURS, *peers)
    head = ["program", "figure", *map(shown_name, variants), *(f"{shown_name(peer)} / ours" for peer in peers)]
    return markdown(head, (_main_row(row, variants, peers) for row in results.rows))


def _main_row(row: Row, variants: Sequence[str], peers: Sequence[str]) -> list[str]:
    figure = row.deciding
    values = [_value_cell(row.of(variant), figure) for variant in variants]
    ratios = [ratio_cell(row.ratio(peer, figure)) for peer in peers]
    return [row.name, figure_name(figure) if figure else "–", *values, *ratios]


def _value_cell(found: VariantResult | None, figure: str | None) -> str:
    if found is None:
        return "–"
    if not found.is_right:
        return found.state
    series = found.figures.get(figure or "")
    middle = spread(series.values) if series else None
    return in_words(middle.median, series.unit) if series and middle else "–"


def ratio_cell(found: Ratio | None) -> str:
    """Return a ratio with its spread and verdict."""
    if not found:
        return "–"
    mark = {"win": "**win**", "loss": "**loss**"}.get(found.verdict, found.verdict)
    return f"{found.spread.median:.2f} ({found.spread.p10:.2f}–{found.spread.p90:.2f}) {mark}"


def _summary(results: Results) -> str:
    lines = [f"* {line}" for peer in results.peers for line in [summary_line(results, peer)] if line]
    return "\n".join(lines)


def summary_line(results: Results, peer: str) -> str:
    """Return wins, ties, losses and the geometric mean against a peer."""
    found = [ratio for row in results.rows for ratio in [row.ratio(peer, row.deciding)] if ratio]
    mean = geometric_mean([ratio.spread.median for ratio in found])
    if mean is None:
        return f"against {shown_name(peer)}: nothing to compare"
    counts = {kind: sum(ratio.verdict == kind for ratio in found) for kind in ("win", "tie", "loss", "?")}
    losses = counted(counts["loss"], "loss", "losses")
    words = f"{counted(counts['win'], 'win')}, {counted(counts['tie'], 'tie')}, {losses}"
    undecided = f", {counts['?']} with too few pairs" if counts["?"] else ""
    return (
        f"against {shown_name(peer)}: {words}{undecided}; geometric mean of the ratios {mean:.2f} "
        f"over {counted(len(found), 'program')}"
    )


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def _remarks(results: Results) -> str:
    lines = [line for row in results.rows for line in _row_remarks(row)]
    return "\n".join(["## Left out, and notes", "", *lines]) if lines else ""


def _row_remarks(row: Row) -> Iterable[str]:
    for text in [row.note, *row_problems(row)]:
        if text:
            yield f"* {row.name}: {_plain(text)}"


def row_problems(row: Row) -> list[str]:
    """Return what went wrong, or is to be known, of the variants of a row; once where it is the same of all."""
    said = {found.variant: _said(found) for found in row.variants}
    if len({tuple(texts) for texts in said.values()}) == 1:
        return next(iter(said.values()), [])
    return [f"{shown_name(variant)}: {text}" for variant, texts in said.items() for text in texts]


def _said(found: VariantResult) -> list[str]:
    return [*([f"{found.state}: {found.reason}"] if found.reason else []), *found.notes]


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return "".join("\\" + c if c in "\\`*_<>[]|" else c for c in " ".join(text.split()))


def _all_figures(results: Results) -> str:
    rows = [cells for row in results.rows for cells in _figure_rows(row, results.peers)]
    if not rows:
        return ""
    head = ["program", "figure", *map(shown_name, (OURS, *results.peers))]
    head += [f"{shown_name(peer)} / ours" for peer in results.peers]
    return "## All figures\n\n" + markdown(head, rows)


def _figure_rows(row: Row, peers: Sequence[str]) -> Iterable[list[str]]:
    figures = dict.fromkeys(name for found in row.variants for name in found.figures)
    for figure in figure_order(list(figures)):
        values = [_spread_cell(row.of(variant), figure) for variant in (OURS, *peers)]
        ratios = [ratio_cell(row.ratio(peer, figure)) for peer in peers]
        yield [row.name, figure_name(figure), *values, *ratios]


def _spread_cell(found: VariantResult | None, figure: str) -> str:
    series = found.figures.get(figure) if found else None
    middle = spread(series.values) if series else None
    if not series or not middle:
        return "–"
    median, p10, p90 = (in_words(value, series.unit) for value in (middle.median, middle.p10, middle.p90))
    return f"{median} ({p10}–{p90})"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
