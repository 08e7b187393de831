"""The command `mpiglot`."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Runs the command line; importing it takes a moment that can be interrupted, too."""
    gc.set_threshold(500_000)  # a command is short and makes many objects, few of them in cycles
    try:
        from mpiglot.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("mpiglot: interrupted.\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
