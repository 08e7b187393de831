#!/usr/bin/env python3
r"""Calls with unknown counts: mpiglot against the textbook's two steps in plain C.

    .venv/bin/python cpp_runtime/benchmarks/messages.py [--mpi NAME]... [--simulate RANKS]... \
        [--plot]

On each MPI of the matrix that is named, with 2 ranks; and in SimGrid's simulation of a cluster
(100 Gbit/s, 1 us) with that many ranks. Prints a table (MPI calls counted by interposition, time),
writes what it measured to docs/figures/messages.json; --plot draws messages.svg beside it (needs
matplotlib). Measure on a quiet machine: ratios are those of neighbouring measurements in one run,
their median is given.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "messages"
RESULTS = ROOT / "docs" / "figures" / "messages.json"
SIMULATOR = "simgrid-3.32"
SELECTORS = ("mpich", "ompi")
PLOTTED = ("allgatherv", "alltoallv", "bcast", "serialized_bcast", "scatterv")
SIMULATED = ("allgatherv", "serialized_bcast", "alltoallv", "scatterv")


@dataclass(frozen=True)
class Row:
    """One line of the benchmark program."""

    where: str
    ranks: int
    operation: str
    bytes: int
    plain_calls: int
    named_calls: int
    plain_us: float
    named_us: float
    ratio: float


def output(*command: str | Path, timeout: float = 600) -> str:
    words = [str(word) for word in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True) as job:
        try:
            text = job.communicate(timeout=timeout)[0]
        except BaseException:
            os.killpg(job.pid, signal.SIGKILL)  # what it started, too
            raise
    if job.returncode != 0:
        raise SystemExit(f"failed: {shlex.join(words)}\n{text}")
    return text


def matrix(*words: str) -> str:
    return output(sys.executable, "-m", "mpiglot.ci", *words).strip()


def build(name: str) -> Path:
    """Compiles the benchmark for an MPI of the matrix, with a layer generated for it."""
    folder = BUILD / name
    folder.mkdir(parents=True, exist_ok=True)
    tool = [sys.executable, "-m", "mpiglot"]
    cc = matrix("path", name, "--part", "cc")
    blueprint = folder / "blueprint.json"
    output(*tool, "probe", "--mpicc", cc, "-o", blueprint)
    output(*tool, "generate", "cpp", "--blueprint", blueprint, "-o", folder / "generated")
    includes = ["-I", folder / "generated", "-I", HERE.parent / "include"]
    counting = folder / "count.o"
    run_in = [sys.executable, "-m", "mpiglot.ci"]
    output(*run_in, "cc", name, "-O2", "-fPIC", "-c", HERE / "messages_count.c", "-o", counting)
    output(
        *[*run_in, "cxx", name, "-x", "c++", "-std=c++20", "-O3", "-DNDEBUG", *includes],
        *(["-fno-gnu-unique"] if name == SIMULATOR else []),
        *[HERE / "messages.cpp", "-x", "none", counting, "-lstdc++", "-o", folder / "messages"],
    )
    return folder / "messages"


def rows(where: str, ranks: int, text: str) -> list[Row]:
    found = []
    for line in text.splitlines():
        words = line.split()
        if len(words) != 7 or not words[1].isdigit():
            continue
        name, size, plain, named, *times = words
        plain_us, named_us, ratio = map(float, times)
        found.append(
            Row(where, ranks, name, int(size), int(plain), int(named), plain_us, named_us, ratio)
        )
    return found


def measured(name: str, rounds: int) -> list[Row]:
    program = build(name)
    return rows(name, 2, matrix("run", name, "-n", "2", str(program), str(rounds)))


def smpirun(
    program: Path, cluster: str, ranks: int, network: str, *words: str, timeout: float = 1800
) -> str:
    """What a program prints on a simulated cluster, which is described in a file beside it."""
    platform = program.with_name(f"{cluster}-{ranks}.xml")
    platform.write_text(
        '<?xml version="1.0"?>\n'
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        f'<platform version="4.1"><cluster id="c" prefix="node-" suffix="" radical="0-{ranks - 1}" '
        f'speed="100Gf" bw="12.5GBps" {network}/></platform>\n',
        encoding="utf-8",
    )
    hosts = program.with_name(f"hosts-{ranks}")
    hosts.write_text("".join(f"node-{i}\n" for i in range(ranks)), encoding="utf-8")
    return output(
        *["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hosts],
        *["--cfg=smpi/simulate-computation:no", "--log=root.thres:error", *words],
        timeout=timeout,
    )


def simulated(ranks: int) -> list[Row]:
    """With the algorithms that MPICH chooses and with Open MPI's; computing takes no time."""
    program = build(SIMULATOR)
    found: list[Row] = []
    for selector in SELECTORS:
        words = [f"--cfg=smpi/coll-selector:{selector}", str(program), "1", *SIMULATED]
        text = smpirun(program, "cluster", ranks, 'lat="1us"', *words)
        found += rows(f"simulated, {selector}", ranks, text)
    return found


def table(found: list[Row]) -> str:
    lines = []
    groups = dict.fromkeys((row.where, row.ranks, row.operation) for row in found)
    for where, ranks, operation in groups:
        lines.append(f"\n{operation}, {ranks} ranks, {where}")
        lines.append(
            f"{'bytes':>8}{'MPI calls':>12}{'plain us':>12}{'mpiglot us':>12}{'faster':>9}"
        )
        for row in found:
            if (row.where, row.ranks, row.operation) == (where, ranks, operation):
                calls = f"{row.plain_calls} -> {row.named_calls}"
                lines.append(
                    f"{row.bytes:>8}{calls:>12}{row.plain_us:>12.2f}{row.named_us:>12.2f}"
                    f"{row.ratio:>8.2f}x"
                )
    return "\n".join(lines)


def plot(found: list[Row], picture: Path) -> None:
    """How many times faster, over the payload: one panel for each operation."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "mpiglot", "svg.fonttype": "none"})
    from matplotlib import pyplot

    operations = [name for name in PLOTTED if any(row.operation == name for row in found)]
    figure, panels = pyplot.subplots(
        1, len(operations), figsize=(3.2 * len(operations), 4.2), sharey=True, squeeze=False
    )
    places = list(dict.fromkeys((row.where, row.ranks) for row in found))
    for panel, operation in zip(panels[0], operations, strict=True):
        for number, (where, ranks) in enumerate(places):
            points = [
                (row.bytes, row.ratio)
                for row in found
                if (row.where, row.ranks, row.operation) == (where, ranks, operation)
                and row.bytes <= 4096
            ]
            if points:
                line = "--" if where.startswith("simulated") else "-"
                label = f"{where}, {ranks} ranks"
                colour = f"C{number}"  # the same in every panel
                panel.plot(*zip(*points, strict=True), line, marker=".", color=colour, label=label)
        panel.axhline(1, color="grey", linewidth=0.8)
        panel.set_xscale("log", base=2)
        panel.set_ylim(
            0.5, 4
        )  # alltoallv goes further: where MPI's own takes a message for each rank
        panel.set_title(operation.replace("_", " "))
        panel.set_xlabel("payload of a rank, bytes")
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("times faster than the textbook in plain C")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=4, fontsize="small", frameon=False)
    figure.tight_layout(rect=(0, 0.14, 1, 1))
    figure.savefig(picture, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mpi", action="append", default=[])
    parser.add_argument("--simulate", action="append", type=int, default=[], metavar="RANKS")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--plot", action="store_true")
    options = parser.parse_args()
    old = [Row(**row) for row in json.loads(RESULTS.read_text())] if RESULTS.exists() else []
    found: list[Row] = []
    for name in options.mpi:
        found += measured(name, options.rounds)
    for ranks in options.simulate:
        found += simulated(ranks)
    renewed = {(row.where, row.ranks) for row in found}
    everything = [row for row in old if (row.where, row.ranks) not in renewed] + found
    print(table(found or everything))
    if found:
        RESULTS.parent.mkdir(parents=True, exist_ok=True)
        lines = ",\n".join(json.dumps(asdict(row)) for row in everything)
        RESULTS.write_text(f"[\n{lines}\n]\n")
    if options.plot:
        plot(everything, RESULTS.with_suffix(".svg"))


if __name__ == "__main__":
    main()
