"""Fetches what `tools.json` names among the jars of Java: python -m mpiglot.provision.jars kotlin

Prints the jars as a class path.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision.obtain import checkout
from mpiglot.provision.toolchains import obtain_jars


def main() -> int:
    """The command."""
    try:
        tools = (checkout() or Path.cwd()) / ".tools"
        found = obtain_jars(tools, sys.argv[1], lambda text: print(text, file=sys.stderr))
    except EnvironmentProblem as problem:
        print(problem, file=sys.stderr)
        return 3
    print(os.pathsep.join(map(str, found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
