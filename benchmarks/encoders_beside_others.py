"""Encoding and decoding of trees, strings, hash maps and records, without messages: beside memcpy
by hand, cereal where it is installed, and zpp_bits and bitsery where their headers are.

    benchmarks/encoders/run [--mpi NAME] [--compiler NAME] [--zpp-bits FOLDER] [--bitsery FOLDER]

Instructions of one turn in thousands (callgrind of valgrind), and the least CPU time of some turns
in microseconds; those of other ways by ours. `encode` makes a buffer, `encode-kept` has one that
was used before.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.subject import ROOT, built, installed, processor
from benchmarks.tables import run, table

SCENES = (
    "tree-32767", "tree-20000", "strings-100000", "string-map-50000", "number-map-50000",
    "records-100000",
)  # fmt: skip
PARTS = ("encode", "encode-kept", "decode")


@dataclass(frozen=True)
class Cost:
    """One part of one way for one scene."""

    instructions: int
    seconds: float
    faults: int
    size: int


@dataclass(frozen=True)
class Program:
    """The benchmark, the ways that it has, and the environment that it runs in."""

    path: Path
    ways: tuple[str, ...]
    environment: dict[str, str]

    def cost(self, scene: str, way: str, part: str, turns: int, folder: Path) -> Cost:
        words = run(self.path, scene, way, part, str(turns), environment=self.environment).split()
        counted = self.instructions(scene, way, part, folder)
        return Cost(counted, float(words[0]), int(words[1]), int(words[2]))

    def instructions(self, scene: str, way: str, part: str, folder: Path) -> int:
        """Those of one turn, and of nothing around it."""
        done = subprocess.run(
            [
                "valgrind", "--tool=callgrind", "--toggle-collect=measured_part",
                f"--callgrind-out-file={folder / 'counted'}",
                str(self.path), scene, way, part, "1",
            ],
            capture_output=True, text=True, timeout=300, env=self.environment, check=True,
        )  # fmt: skip
        found = re.search(r"Collected : (\d+)", done.stderr)
        if found is None:
            raise SystemExit(f"callgrind says nothing of its count:\n{done.stderr[-2000:]}")
        return int(found[1])


def build(
    mpi: str, compiler: str, folder: Path, zpp_bits: Path | None, bitsery: Path | None
) -> Program:
    """The program, with the libraries that are here."""
    ways = ["ours", "sorted", "memcpy"]
    settings = ["-std=c++20", "-O3"]
    if zpp_bits is not None:
        ways.append("zpp_bits")
        settings += ["-DENCODERS_ZPP_BITS=1", f"-I{zpp_bits}"]
    if bitsery is not None:
        ways.append("bitsery")
        settings += ["-DENCODERS_BITSERY=1", f"-I{bitsery}"]
    if Path("/usr/include/cereal/cereal.hpp").exists():
        ways.append("cereal")
        settings.append("-DENCODERS_CEREAL=1")
    source = ROOT / "benchmarks/encoders/encoders.cpp"
    path = built(mpi, source, compiler, folder, *settings)
    environment = next(environment for _, environment in installed([mpi]))
    return Program(path, tuple(ways), environment)


def rows(program: Program, turns: int, folder: Path) -> list[list[str]]:
    """A row a scene and part: our instructions, then each way's count and time by ours."""
    made = []
    for scene in SCENES:
        for part in PARTS:
            costs = {way: program.cost(scene, way, part, turns, folder) for way in program.ways}
            ours = costs["ours"]
            cells = [f"{scene} {part}", f"{ours.instructions / 1000:.0f}"]
            cells += [f"{ours.seconds * 1e6:.0f}", f"{ours.faults}", f"{ours.size}"]
            for way in program.ways[1:]:
                cells.append(f"{costs[way].instructions / ours.instructions:.2f}")
                cells.append(f"{costs[way].seconds / ours.seconds:.2f}")
            made.append(cells)
    return made


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/encoders/run", description=__doc__)
    parser.add_argument("--mpi", default="mpich-4.0.2", help="whose header is compiled against")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--zpp-bits", type=Path, help="the folder of zpp_bits.h")
    parser.add_argument("--bitsery", type=Path, help="the folder above bitsery/bitsery.h")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(options.mpi, options.compiler, folder, options.zpp_bits, options.bitsery)
        head = ["", "instructions (1000)", "microseconds", "page faults", "bytes"]
        for way in program.ways[1:]:
            head += [f"{way}: instructions", "time"]
        about = f"{processor()}; {run(options.compiler, '--version').splitlines()[0]}"
        print(table(about, head, rows(program, options.turns, folder)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
