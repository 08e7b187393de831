"""The command `mpiglot`."""

from __future__ import annotations

from mpiglot.cli import main

if __name__ == "__main__":
    main()
