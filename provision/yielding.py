"""A library to preload at the gate: with it MPICH's waiting ranks give the processor away.

Open MPI and Intel MPI have settings for that (`parser/vendors.json`), MPICH has none that works.
It is only for the gate of `ci/test`, which says so in MPIGLOT_TIER: not for the matrix run, which
tests what users run, nor for commands by hand and benchmarks, where the variable is absent.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from mpiglot.provision.obtain import checkout

VARIABLE = "LD_PRELOAD"


def with_yielding(base: Mapping[str, str], vendor: str) -> dict[str, str]:
    """What this vendor's programs need of an environment, after what is preloaded there already."""
    if vendor != "mpich" or base.get("MPIGLOT_TIER") not in ("gate", "quick", "changed"):
        return {}
    built = library()
    if built is None:
        return {}
    others = [one for one in base.get(VARIABLE, "").split(":") if one and one != str(built)]
    return {VARIABLE: ":".join([*others, str(built)])}


@cache
def library() -> Path | None:
    """The library, in the checkout's `build`; None where there is no checkout or compiler."""
    root = checkout()
    if root is None:
        return None
    source = root / "provision" / "yielding.c"
    if any(separator in str(root) for separator in ": "):
        return None
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:12]
    built = root / "build" / "yielding" / f"libyielding-{digest}.so"
    if not built.is_file() and not _compiled(source, built):
        return None
    return built


def _compiled(source: Path, built: Path) -> bool:
    """Compiles beside `built` and renames: others may do the same at the same time."""
    built.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=built.parent) as folder:
        made = Path(folder) / built.name
        command = ["cc", "-O2", "-shared", "-fPIC", str(source), "-o", str(made), "-ldl"]
        environment = {name: text for name, text in os.environ.items() if name != VARIABLE}
        try:
            subprocess.run(command, env=environment, capture_output=True, timeout=120, check=True)
        except (OSError, subprocess.SubprocessError):
            return False
        made.replace(built)
    return True
