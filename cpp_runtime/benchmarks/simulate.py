"""Exchanges, a search, an allgatherv and a sort on many ranks of machines that SimGrid simulates.

    .venv/bin/python cpp_runtime/benchmarks/simulate.py [--ranks N]... [--machine NAME]...
        [--work NAME]... [--way NAME]... [--each N]... [--results FILE] [--plot]

Only the network is simulated: latencies, links that messages share, and the algorithms that
SimGrid has for collectives of MPI. Computing, copies and the time that MPI itself takes are
nothing. What is measured takes the place of the same in the results, after each machine; --plot
draws them and writes the tables of docs/guide/simulation.md (needs matplotlib).
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from messages import SIMULATOR, output, smpirun
from simulate_figure import draw, write_page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "simulate"
RESULTS = ROOT / "docs" / "figures" / "simulated.json"
RANKS = (16, 64, 256, 1024)
MACHINES = ("switch, 1 us", "switch, 20 us", "fat tree", "torus")
LIMIT = 180  # seconds of the processor, of a run
#: MPICH's choice of algorithms. In SimGrid 3.32, its allreduce and bcast ask at the first call on a
#: communicator which ranks share a host: wall time with the cube of the ranks. These two are what
#: MPICH takes for short messages. A send that nobody waits for stays in a list that each message's
#: end searches, so all sends wait for their receivers (simulation.md says what it changes).
OPTIONS = (
    "--cfg=smpi/coll-selector:mpich",
    "--cfg=smpi/allreduce:rdb",
    "--cfg=smpi/bcast:binomial_tree",
    "--cfg=smpi/send-is-detached-thresh:0",
)
EXCHANGES = ("lengths_first", "alltoallv", "grid_2", "grid_3")


@dataclass(frozen=True)
class Work:
    """What is run: with elements of each rank (for each other, in the exchange), in which ways."""

    name: str
    each: int
    ways: tuple[str, ...]


WORK = (
    Work("exchange", 1, EXCHANGES),
    Work("allgatherv", 1, ("lengths_first", "allgatherv")),
    Work("bfs", 16, EXCHANGES[:3]),
    Work("hyperbolic", 64, EXCHANGES[:3]),
    Work("geometric", 64, EXCHANGES[:3]),
    Work("sort", 1000, ("sort",)),
    Work("exchange", 16, EXCHANGES),
)


@dataclass(frozen=True)
class Row:
    machine: str
    ranks: int
    work: str
    each: int
    way: str
    us: float  # simulated
    seconds: float  # of the processor, of the whole run


def shape(ranks: int, dimensions: int) -> list[int]:
    """Sides of a box of `ranks`, as near to each other as they can be, the longest first."""
    if dimensions == 0:
        return []
    side = next(d for d in range(1, ranks + 1) if ranks % d == 0 and d**dimensions >= ranks)
    return [side, *shape(ranks // side, dimensions - 1)]


def described(machine: str, ranks: int) -> str:
    """What SimGrid is told of it."""
    if machine == "fat tree":
        down, up = reversed(shape(ranks, 2))
        return f'lat="1us" topology="FAT_TREE" topo_parameters="2;{down},{up};1,{down};1,1"'
    if machine == "torus":
        sides = ",".join(map(str, shape(ranks, 3)))
        return f'lat="1us" topology="TORUS" topo_parameters="{sides}"'
    return 'lat="20us"' if "20" in machine else 'lat="1us"'


def build(folder: Path = BUILD) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    layer = folder / "generated"
    tool = [sys.executable, "-m", "mpiglot"]
    output(*tool, "generate", "cpp", "--target", SIMULATOR, "--no-check", "-o", layer)
    output(
        *[sys.executable, "-m", "mpiglot.ci", "cxx", SIMULATOR, "-std=c++20", "-O2", "-s"],
        *["-fno-gnu-unique", "-I", layer, "-I", HERE.parent / "include"],
        *[HERE / "simulated.cpp", "-o", folder / "simulated"],
    )
    return folder / "simulated"


def simulated(program: Path, machine: str, ranks: int, works: Iterable[Work]) -> Iterable[Row]:
    """Each way in a run of its own, which SimGrid begins with one copy of the program per rank."""
    cluster = machine.replace(", ", "-").replace(" ", "-")
    network = f'loopback_bw="100GBps" loopback_lat="100ns" {described(machine, ranks)}'
    for work in works:
        for way in work.ways:
            name = f"{machine:14}{ranks:6} {work.name:11}{work.each:5} {way:14}"
            began = processor_seconds()
            try:
                words = [*OPTIONS, str(program), work.name, str(work.each), way]
                text = smpirun(program, cluster, ranks, network, *words)
            except SystemExit:
                if processor_seconds() - began < 0.95 * LIMIT:
                    raise
                print(f"{name} no end in {LIMIT} s", flush=True)
                continue
            seconds = round(processor_seconds() - began, 1)
            print(f"{name}{float(text):12.2f} us {seconds:7} s", flush=True)
            yield Row(machine, ranks, work.name, work.each, way, float(text), seconds)


def processor_seconds() -> float:
    """Of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def keep(found: list[Row], results: Path) -> None:
    """Writes them in the place of the same ones."""
    old = json.loads(results.read_text(encoding="utf-8")) if results.exists() else []
    rows = {key(row): row for row in [*old, *map(asdict, found)]}
    lines = ",\n".join(json.dumps(rows[one]) for one in sorted(rows, key=order))
    results.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def key(row: dict[str, object]) -> tuple[object, ...]:
    return tuple(row[name] for name in ("ranks", "machine", "work", "each", "way"))


def order(one: tuple[object, ...]) -> tuple[object, ...]:
    ranks, machine, *rest = one
    return (ranks, MACHINES.index(str(machine)), *rest)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ranks", action="append", type=int, default=[])
    parser.add_argument("--machine", action="append", choices=MACHINES, default=[])
    parser.add_argument("--work", action="append", choices={w.name for w in WORK}, default=[])
    parser.add_argument("--way", action="append", default=[])
    parser.add_argument("--each", action="append", type=int, default=[])
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--program", type=Path, help="compiled before")
    parser.add_argument("--plot", action="store_true", help="only this, without --ranks")
    options = parser.parse_args()
    works = [
        replace(work, ways=tuple(way for way in work.ways if way in (options.way or work.ways)))
        for work in WORK
        if work.name in (options.work or [work.name]) and work.each in (options.each or [work.each])
    ]
    ranks = options.ranks or (() if options.plot else RANKS)
    program = options.program or (build() if ranks else None)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, hard))  # what runs longer is ended
    for number in ranks:
        for machine in options.machine or MACHINES:
            keep(list(simulated(program, machine, number, works)), options.results)
    if options.plot:
        rows = json.loads(options.results.read_text(encoding="utf-8"))
        draw(rows, options.results.with_suffix(".svg"))
        write_page(rows)


if __name__ == "__main__":
    main()
