"""docs/figures/deep_copy.svg and a table of docs/reference/benchmarks.md: deep_copy.json shown."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any, NamedTuple

from benchmarks.layouts_figure import PAGE, put_between
from benchmarks.subject import ROOT

RESULTS = ROOT / "docs" / "figures" / "deep_copy.json"
BEGIN, END = "<!-- of deep_copy.json -->\n", "<!-- end of deep_copy.json -->\n"
# Of the figure; the table has those of COLUMNS.
WAYS = ("deep", "deep, into an arena", "deep, in pieces", "by hand: MPI_Pack", "by hand: memcpy",
        "cereal", "Boost.Serialization", "Boost.MPI")  # fmt: skip
COLUMNS = (*WAYS[:3], "deep, by a hook of MEL", *WAYS[3:5], "by hand: a message a node", *WAYS[5:])


class Cost(NamedTuple):
    """What a way took."""

    us: float
    kib: float
    calls: float


Kept = dict[str, dict[str, dict[str, Cost]]]  # by machine and MPI, case and way


def kept() -> Kept:
    if not RESULTS.exists():
        return {}
    places = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {
        place: {
            case: {way: Cost(*cost) for way, cost in ways.items()} for case, ways in cases.items()
        }
        for place, cases in places.items()
    }


def keep(place: str, figures: dict[str, dict[str, Cost]]) -> None:
    """Writes the figures in the place of those of the same machine and MPI."""
    text = json.dumps({**kept(), place: figures}, indent=1)
    RESULTS.write_text(text + "\n", encoding="utf-8")


def beside(cost: Cost) -> str:
    """What stands beside a time."""
    calls = f"; {cost.calls:.0f}" if cost.calls else ""
    return f"({cost.kib / 1024:.1f}{calls})"


def page_table() -> str:
    """The table of the page: a row a case, times `deep` in each cell."""
    lines = []
    for place, cases in kept().items():
        about = "times `deep` (memory that a rank takes, in MiB; its calls of MPI)"
        lines += [f"**{place}**, {about}", ""]
        lines += [f"| {' | '.join(['', 'deep, microseconds', *COLUMNS[1:]])} |"]
        lines += [f"|{'---|' * (len(COLUMNS) + 1)}"]
        for case, ways in cases.items():
            base = ways["deep"]
            cells = [f"{base.us:.0f} {beside(base)}"]
            for way in COLUMNS[1:]:
                cost = ways.get(way)
                cells.append(f"{cost.us / base.us:.2f} {beside(cost)}" if cost is not None else "")
            lines.append(f"| {' | '.join([case, *cells])} |")
        lines.append("")
    return "\n".join(lines)


def write() -> None:
    put_between(PAGE, BEGIN, END, page_table())


def draw() -> None:
    """Bars: times `deep` of each case, for each way; a panel for each MPI."""
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "mpiglot", "svg.fonttype": "none"})
    pyplot: Any = import_module("matplotlib.pyplot")
    places = kept()
    figure, panels = pyplot.subplots(
        1, len(places), figsize=(6.2 * len(places), 8.5), sharex=True, squeeze=False
    )
    for panel, (place, cases) in zip(panels[0], places.items(), strict=True):
        at = 0.0
        ticks: dict[str, float] = {}
        for case, ways in cases.items():
            begin = at
            for number, way in enumerate(WAYS):
                if way in ways:
                    length = ways[way].us / ways["deep"].us
                    panel.barh(at, length, color=f"C{number}", label=way)
                    at += 1
            ticks[case] = (begin + at - 1) / 2
            at += 1.6
        panel.set_yticks(list(ticks.values()), list(ticks), fontsize="small")
        panel.invert_yaxis()
        panel.set_xscale("log", base=2)
        panel.set_xticks([0.5, 1, 2, 4, 8, 16], ["½", "1", "2", "4", "8", "16"])
        panel.axvline(1, color="grey", linewidth=0.8)
        panel.grid(axis="x", alpha=0.3)
        panel.set_title(place, fontsize="medium")
    named: dict[str, Any] = {}
    for panel in panels[0]:
        for bar, way in zip(*panel.get_legend_handles_labels(), strict=True):
            named.setdefault(way, bar)
    figure.legend(named.values(), named.keys(), loc="lower center", ncols=4, frameon=False)
    figure.suptitle("Times `deep`, two ranks: broadcast, or written to a file and read")
    figure.tight_layout(rect=(0, 0.06, 1, 0.99))
    figure.savefig(RESULTS.with_suffix(".svg"), metadata={"Date": None})
    pyplot.close(figure)
