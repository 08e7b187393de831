"""Benchmarks of JMH on one process of each MPI, as benchmarks/jmh/run starts them.

python -m benchmarks.one_rank_by_jmh JAVA CLASSPATH [--mpi NAME ...] [-- OPTION-OF-JMH ...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

from benchmarks.subject import MPIS, installed


def main(words: Sequence[str]) -> int:
    """The command."""
    split = list(words).index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(prog="benchmarks/jmh/run", description=__doc__)
    parser.add_argument("java")
    parser.add_argument("classpath")
    parser.add_argument("--mpi", action="append")
    options = parser.parse_args(words[:split])
    command = [options.java, "-cp", options.classpath, "org.openjdk.jmh.Main", *words[split + 1 :]]
    for installation, environment in installed(options.mpi or MPIS):
        print(f"\n{installation.mpi.name}\n", flush=True)
        code = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
