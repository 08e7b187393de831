"""docs/figures/layouts.svg and a table of docs/reference/benchmarks.md, made of layouts.json."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.subject import ROOT

RESULTS = ROOT / "docs" / "figures" / "layouts.json"
PAGE = ROOT / "docs" / "reference" / "benchmarks.md"
BEGIN, END = "<!-- of layouts.json -->\n", "<!-- until here -->\n"
TABULATED = {512: "512 B", 32768: "32 KiB", 2 << 20: "2 MiB"}


@dataclass(frozen=True)
class Point:
    """What one way took for the elements of a box."""

    machine: str
    mpi: str
    operation: str
    box: str
    bytes: int
    way: str
    us: float
    times: float  # those of the contiguous message


def points_of(results: Path) -> list[Point]:
    if not results.exists():
        return []
    return [Point(**point) for point in json.loads(results.read_text(encoding="utf-8"))]


def keep(mpi: str, points: list[Point], results: Path = RESULTS) -> None:
    """Writes the points in the place of those of the same MPI."""
    others = [point for point in points_of(results) if point.mpi != mpi]
    lines = ",\n".join(json.dumps(asdict(point)) for point in [*others, *points])
    results.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def page_table(points: list[Point]) -> str:
    """The boxes with gaps at some sizes, as a table of the page."""
    ways = [way for way in dict.fromkeys(p.way for p in points) if way != "contiguous"]
    found = {(p.mpi, p.operation, p.box, p.bytes, p.way): p for p in points}
    cases = dict.fromkeys((p.mpi, p.operation, p.box, p.bytes) for p in points)
    lines = [
        f"| {' | '.join(['', 'contiguous, microseconds', *ways])} |",
        f"|{'---|' * (len(ways) + 2)}",
    ]
    for mpi, operation, box, size in cases:
        if size in TABULATED and "contiguous" not in box:
            times = [found.get((mpi, operation, box, size, way)) for way in ("contiguous", *ways)]
            cells = [f"{p.times:.2f}" if p else "" for p in times]
            cells[0] = f"{times[0].us:.1f}" if times[0] else ""
            about = f"{mpi}, {operation}, {box}, {TABULATED[size]}"
            lines.append(f"| {' | '.join([about, *cells])} |")
    machines = ", ".join(dict.fromkeys(p.machine for p in points))
    return "\n".join([f"Times contiguous messages, on this machine: {machines}", "", *lines, ""])


def write_page(points: list[Point], page: Path = PAGE) -> None:
    """Puts the table between its marks."""
    put_between(page, BEGIN, END, page_table(points))


def put_between(page: Path, begin: str, end: str, text: str) -> None:
    """Replaces what stands between two marks of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(end)[2]
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def draw(results: Path = RESULTS) -> None:
    """Times a contiguous message, over the bytes: a row for each MPI and operation."""
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "mpiglot", "svg.fonttype": "none"})
    pyplot: Any = import_module("matplotlib.pyplot")

    points = points_of(results)
    places = sorted({(point.mpi, point.operation) for point in points}, reverse=True)
    places.sort(key=lambda place: place[0])
    boxes = list(dict.fromkeys(point.box for point in points))
    ways = [way for way in dict.fromkeys(point.way for point in points) if way != "contiguous"]
    figure, panels = pyplot.subplots(
        len(places), len(boxes), figsize=(2.6 * len(boxes), 2.4 * len(places) + 0.6),
        sharex=True, sharey=True, squeeze=False,
    )  # fmt: skip
    for row, (mpi, operation) in zip(panels, places, strict=True):
        for panel, box in zip(row, boxes, strict=True):
            for number, way in enumerate(ways):
                shown = [
                    (p.bytes, p.times)
                    for p in points
                    if (p.mpi, p.operation, p.box, p.way) == (mpi, operation, box, way)
                ]
                if shown:
                    panel.plot(*zip(*shown, strict=True), marker=".", color=f"C{number}", label=way)
            panel.axhline(1, color="grey", linewidth=0.8)
            panel.set_xscale("log", base=8)
            panel.set_yscale("log", base=2)
            panel.set_ylim(0.5, 16)
            panel.set_yticks([0.5, 1, 2, 4, 8, 16], ["½", "1", "2", "4", "8", "16"])
            panel.set_xticks([8, 512, 32768, 2 << 20], ["8 B", "512 B", "32 KiB", "2 MiB"])
            panel.grid(alpha=0.3)
        row[0].set_ylabel(f"{mpi}\n{operation}")
    for panel, box in zip(panels[0], boxes, strict=True):
        panel.set_title(box, fontsize="medium")
    named: dict[str, Any] = {}
    for panel in panels.flat:
        for line, way in zip(*panel.get_legend_handles_labels(), strict=True):
            named.setdefault(way, line)
    figure.legend(named.values(), named.keys(), loc="lower center", ncols=len(named), frameon=False)
    machines = ", ".join(dict.fromkeys(point.machine for point in points))
    figure.suptitle(f"Times a contiguous message of as many bytes, 2 ranks ({machines})")
    figure.tight_layout(rect=(0, 0.04, 1, 0.99))
    figure.savefig(results.with_suffix(".svg"), metadata={"Date": None})
