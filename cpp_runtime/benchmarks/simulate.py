"""Exchanges, a search, an allgatherv and a sort on many ranks of machines that SimGrid simulates.

    simulate.py [--ranks N]... [--plot]

Only the network is simulated: latencies, links that messages share, and the algorithms that SimGrid
has for collectives of MPI. Computing, copies and the time that MPI itself takes are nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import prod
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "simulate"
RESULTS = ROOT / "docs" / "figures" / "simulated.json"
NAME = "simgrid-3.32"
RANKS = (16, 64, 256, 1024)
LIMIT = 180.0  # seconds of a run
#: What is run, with elements of each rank (for each other, in the exchange).
WORK = (("exchange", 1), ("exchange", 16), ("allgatherv", 1), ("bfs", 64), ("sort", 1000))
#: A fat tree of two levels, a torus of three dimensions, for each number of ranks.
TREES = {16: (4, 4), 64: (8, 8), 256: (16, 16), 1024: (32, 32)}
TORI = {16: (4, 2, 2), 64: (4, 4, 4), 256: (8, 8, 4), 1024: (16, 8, 8)}


@dataclass(frozen=True)
class Row:
    machine: str
    ranks: int
    work: str
    each: int
    way: str
    us: float
    wall: float


def machines(ranks: int) -> dict[str, str]:
    """What SimGrid is told of each machine."""
    down, up = TREES[ranks]
    assert prod(TORI[ranks]) == down * up == ranks
    tree = f'topology="FAT_TREE" topo_parameters="2;{down},{up};1,{down};1,1"'
    torus = f'topology="TORUS" topo_parameters="{",".join(map(str, TORI[ranks]))}"'
    return {
        "switch, 1 us": 'lat="1us"',
        "switch, 20 us": 'lat="20us"',
        "fat tree": f'lat="1us" {tree}',
        "torus": f'lat="1us" {torus}',
    }


def output(*command: str | Path, limit: float = 900) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=limit,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build() -> Path:
    BUILD.mkdir(parents=True, exist_ok=True)
    tool = [sys.executable, "-m", "mpiglot"]
    layer = BUILD / "generated"
    output(*tool, "generate", "cpp", "--target", NAME, "--no-check", "-o", layer)
    output(
        *[sys.executable, "-m", "mpiglot.ci", "cxx", NAME, "-std=c++20", "-O2"],
        *["-fno-gnu-unique", "-I", layer, "-I", HERE.parent / "include"],
        *[HERE / "simulated.cpp", "-o", BUILD / "simulated"],
    )
    return BUILD / "simulated"


def simulated(program: Path, ranks: int) -> Iterable[Row]:
    hosts = BUILD / f"hosts-{ranks}"
    hosts.write_text("".join(f"node-{i}\n" for i in range(ranks)), encoding="utf-8")
    for number, (machine, words) in enumerate(machines(ranks).items()):
        platform = BUILD / f"machine-{number}-{ranks}.xml"
        platform.write_text(
            '<?xml version="1.0"?>\n'
            '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
            '<platform version="4.1"><cluster id="c" prefix="node-" suffix="" '
            f'radical="0-{ranks - 1}" speed="100Gf" bw="12.5GBps" loopback_bw="100GBps" '
            f'loopback_lat="100ns" {words}/></platform>\n',
            encoding="utf-8",
        )
        for work, each in WORK:
            try:
                text = output(
                    *["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hosts],
                    *["--cfg=smpi/coll-selector:mpich", "--cfg=smpi/simulate-computation:no"],
                    *["--log=root.thres:error", program, work, str(each)],
                    limit=LIMIT,
                )
            except subprocess.TimeoutExpired:
                print(f"{work} {each}, {ranks} ranks, {machine}: no end in {LIMIT:g} s")
                continue
            for line in text.splitlines():
                way, us, wall = line.split()
                yield Row(machine, ranks, work, each, way, float(us), float(wall))
                print(f"{machine:14}{ranks:6} {work:11}{each:5} {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ranks", action="append", type=int, choices=RANKS, default=[])
    options = parser.parse_args()
    program = build()
    found = [row for ranks in options.ranks or RANKS for row in simulated(program, ranks)]
    old = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    new = {row.ranks for row in found}
    kept = [row for row in old if row["ranks"] not in new]
    rows = sorted([*kept, *map(asdict, found)], key=lambda row: row["ranks"])
    lines = ",\n".join(json.dumps(row) for row in rows)
    RESULTS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
