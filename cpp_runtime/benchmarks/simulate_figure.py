"""The plot of what simulate.py found, and the tables of docs/guide/simulation.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "simulation.md"
BEGIN, END = "<!-- of simulated.json -->\n", "<!-- until here -->\n"
NAMES = {
    "lengths_first": "lengths first",
    "alltoallv": "merged",
    "allgatherv": "merged",
    "grid_2": "grid, 2 hops",
    "grid_3": "grid, 3 hops",
    "sort": "sort",
}
STYLES = {
    "lengths_first": ("C7", "s"),
    "alltoallv": ("C0", "o"),
    "allgatherv": ("C0", "o"),
    "grid_2": ("C3", "^"),
    "grid_3": ("C1", "v"),
    "sort": ("C2", "D"),
}
#: A row of panels each: its title, and what is in it.
PANELS = {
    "exchange, 1 element for each rank": (("exchange", 1),),
    "exchange, 16 elements for each rank": (("exchange", 16),),
    "search in a random graph": (("bfs", 16),),
    "search in a hyperbolic graph": (("hyperbolic", 64),),
    "search in a geometric graph": (("geometric", 64),),
    "allgatherv; sort of 1000 a rank": (("allgatherv", 1), ("sort", 1000)),
}
#: The tables: what is run, its name, and the ways of its columns; those behind the first one with
#: how many times faster than it they are.
TABLES = (
    {
        ("exchange", 1): ("exchange", ("lengths_first", "alltoallv", "grid_2", "grid_3")),
        ("allgatherv", 1): ("allgatherv", ("lengths_first", "allgatherv")),
        ("sort", 1000): ("sort", ("sort",)),
    },
    {
        ("bfs", 16): ("random", ("lengths_first", "alltoallv", "grid_2")),
        ("hyperbolic", 64): ("hyperbolic", ("lengths_first", "alltoallv", "grid_2")),
        ("geometric", 64): ("geometric", ("lengths_first", "alltoallv", "grid_2")),
    },
)

Rows = list[dict[str, Any]]


def draw(rows: Rows, picture: Path) -> None:
    """Microseconds over ranks: a column of panels for each machine."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "mpiglot", "svg.fonttype": "none"})
    from matplotlib import pyplot

    machines = list(dict.fromkeys(row["machine"] for row in rows))
    ranks = sorted({row["ranks"] for row in rows})
    figure, panels = pyplot.subplots(
        len(PANELS), len(machines), figsize=(11, 15), sharex=True, sharey="row", squeeze=False
    )
    labels = {}
    for line, (title, works) in zip(panels, PANELS.items(), strict=True):
        for panel, machine in zip(line, machines, strict=True):
            for way, (colour, marker) in STYLES.items():
                for work in works:
                    points = sorted(
                        (row["ranks"], row["us"])
                        for row in rows
                        if (row["machine"], row["work"], row["each"]) == (machine, *work)
                        and row["way"] == way
                    )
                    if points:
                        (drawn,) = panel.plot(
                            *zip(*points, strict=True), marker=marker, markersize=4, color=colour
                        )
                        labels[NAMES[way]] = drawn
            panel.set_xscale("log", base=2)
            panel.set_yscale("log")
            panel.set_xticks(ranks, [str(number) for number in ranks])
            panel.grid(alpha=0.3)
        line[0].set_ylabel(f"{title}\nmicroseconds", fontsize="small")
    for panel, machine in zip(panels[0], machines, strict=True):
        panel.set_title(machine)
    for panel in panels[-1]:
        panel.set_xlabel("ranks")
    figure.legend(
        list(labels.values()), list(labels), loc="lower center", ncols=len(labels), frameon=False
    )
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(picture, metadata={"Date": None})


def tables(rows: Rows) -> str:
    """One line for each machine and number of ranks."""
    found = {
        (row["machine"], row["ranks"], row["work"], row["each"], row["way"]): row["us"]
        for row in rows
    }
    machines = list(dict.fromkeys((row["machine"], row["ranks"]) for row in rows))
    lines = []
    for table in TABLES:
        heads = [
            NAMES[way] if way == name == "sort" else f"{name}: {NAMES[way]}"
            for name, ways in table.values()
            for way in ways
        ]
        lines += [f"| machine, ranks | {' | '.join(heads)} |", f"|{'---|' * (len(heads) + 1)}"]
        for one in machines:
            cells = []
            for what, (_, ways) in table.items():
                times = [found.get((*one, *what, way)) for way in ways]
                cells += [cell(us, times[0] if column else None) for column, us in enumerate(times)]
            if any(cells):
                lines.append(f"| {one[0]}, {one[1]} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def cell(us: float | None, first: float | None) -> str:
    if us is None:
        return ""
    return f"{us:.0f}" + (f" ({first / us:.1f})" if first else "")


def write_page(rows: Rows, page: Path = PAGE) -> None:
    """Puts the table between its marks."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n{tables(rows)}\n{END}{after}", encoding="utf-8")
