"""What `mpiglot doctor` finds: plain data, and its documented JSON form."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from mpiglot.parser.installation import Installation

_NOISE = re.compile(r"\d+\s+\S*/|BAD TERMINATION|PID \d|CLEANING UP|YOU CAN IGNORE|EXIT CODE: 9$")
_TELLING = [
    re.compile(r"failed to load|unsupported|does not support|no usable|refuse|denied", re.I),
    re.compile(r"not found|cannot open|unable|no such|execvp error", re.I),
    re.compile(r"caught signal|killed by signal|bus error|exit string", re.I),
    re.compile(r"error|fail", re.I),
]

Severity = Literal["error", "warning", "info"]

SCHEMA_VERSION = 1

# Every kind of finding; docs/guide/known-issues.md explains each under its name.
IDS = frozenset(
    {
        "no-mpi",
        "wrapper-unusable",
        "mpicc-variable",
        "compile-failed",
        "wrong-architecture",
        "no-launcher",
        "launcher-other",
        "launcher-other-release",
        "launcher-takes-other",
        "use-own-launcher",
        "ranks-alone",
        "library-other",
        "library-of-other-abi",
        "library-elsewhere",
        "library-missing",
        "library-passed-over",
        "two-libraries",
        "header-other",
        "compilers-differ",
        "cxx-wrapper-fails",
        "variables-missing",
        "variable-names-missing-folder",
        "variable-names-other-installation",
        "compiler-variable",
        "variable-breaks-building",
        "variable-breaks-running",
        "user-settings-break-running",
        "leftover-launcher-variables",
        "inside-a-job",
        "permission-root",
        "permission-oversubscribe",
        "program-not-started",
        "program-fails",
        "program-hangs",
        "shared-memory-missing",
        "shared-memory-small",
        "shared-memory-read-only",
        "host-name-unknown",
        "loopback-missing",
        "host-file-missing",
        "host-unknown",
        "host-unreachable",
        "finalize-between-hosts",
        "ports-closed",
        "memory-lock-small",
        "open-files-few",
        "processes-few",
        "address-space-small",
        "file-size-small",
        "memory-ran-out",
        "selinux-forbids",
        "disk-full",
        "folder-not-executable",
        "binding-refused",
        "remote-launcher-missing",
        "cma-forbidden",
        "slurm-refuses",
        "batch-variables",
        "launcher-killed",
        "ucx-signal-handler",
        "abi-header-differs",
    }
)


def complaint(output: str) -> str:
    """The sentence of a program's messages that says best what went wrong."""
    lines = [line.strip("-=*# \t") for line in output.splitlines()]
    lines = [line for line in lines if line and not _NOISE.match(line)]
    if not lines:
        return ""
    number = next((at for one in _TELLING for at, line in enumerate(lines) if one.search(line)), 0)
    text = lines[number]
    if lines[number + 1 :] and re.match("[a-z]", lines[number + 1]):
        text = f"{text} {lines[number + 1]}"
    return " ".join(text.split()).split(". ")[0].rstrip(".:")[:300]


@dataclass(slots=True)
class Finding:
    """One thing that is not as it should be (or, as `info`, that is good to know)."""

    id: str
    severity: Severity
    message: str
    fix: str = ""
    """Exactly what to type, one command a line; empty where nothing needs to be done."""
    variables: tuple[str, ...] = ()
    """The environment variables it is about."""

    def __post_init__(self) -> None:
        if self.id not in IDS:
            raise ValueError(f"no such kind of finding: {self.id}")

    @property
    def commands(self) -> list[str]:
        """The commands of the fix, without the remarks behind them."""
        return [line.split("   # ")[0] for line in self.fix.splitlines()]

    def to_json(self) -> dict[str, Any]:
        """The documented form."""
        result: dict[str, Any] = {
            "id": self.id,
            "severity": self.severity,
            "message": self.message,
            "fix": self.fix,
            "commands": self.commands,
        }
        if self.variables:
            result["variables"] = list(self.variables)
        return result


@dataclass(slots=True)
class RankReport:
    """What one rank wrote about itself; a rank that died early leaves fields empty."""

    stage: str = "none"
    """How far it came: none, started, identified, initialized, exchanged, finalized."""
    rank: int | None = None
    size: int | None = None
    host: str = ""
    process: int | None = None
    built: str = ""
    """Vendor and version of the header it was compiled with."""
    library: str = ""
    library_version: str = ""
    version: str = ""
    """What MPI_Get_version says."""
    thread_level: str = ""
    exchange: str = ""
    symbols: str = ""
    loaded: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The documented form."""
        return {
            "rank": self.rank,
            "size": self.size,
            "stage": self.stage,
            "host": self.host,
            "library": self.library,
            "library_version": self.library_version,
            "version": self.version,
            "thread_level": self.thread_level,
            "loaded": self.loaded,
            "variables": self.variables,
        }


@dataclass(slots=True)
class Trial:
    """One run of the test program."""

    command: list[str]
    ranks: int
    code: int | None
    """The launcher's exit code, None where the time limit ended it."""
    output: str
    seconds: float
    reports: list[RankReport]
    out_of_memory: int = 0
    """How many processes the kernel ended meanwhile for want of memory."""

    @property
    def verdict(self) -> str:
        """right, alone (every rank by itself), hung, wrong, died or not-started."""
        if self.code is None:
            return "hung"
        if not self.reports:
            return "not-started"
        if self.ranks > 1 and all(one.size == 1 and one.rank == 0 for one in self.reports):
            return "alone"
        numbers = sorted(one.rank if one.rank is not None else -1 for one in self.reports)
        whole = all(one.stage == "finalized" and one.size == self.ranks for one in self.reports)
        if self.code != 0 or not whole or numbers != list(range(self.ranks)):
            return "died"
        if any(one.exchange != "right" for one in self.reports):
            return "wrong"
        return "right"

    @property
    def stage(self) -> str:
        """The stage that the slowest rank reached."""
        order = ["none", "started", "identified", "initialized", "exchanged", "finalized"]
        return min((one.stage for one in self.reports), key=order.index, default="none")

    @property
    def signal(self) -> str:
        """The signal that ended the launcher (a shell before it adds 128), or nothing."""
        number = 0 if self.code is None else -self.code if self.code < 0 else self.code - 128
        try:
            return signal.Signals(number).name
        except ValueError:
            return ""

    def complaint(self) -> str:
        """The sentence of the output that says best what went wrong."""
        return complaint(self.output)

    def to_json(self) -> dict[str, Any]:
        """The documented form; the launcher's output only where something went wrong."""
        result: dict[str, Any] = {
            "command": self.command,
            "verdict": self.verdict,
            "exit_code": self.code,
            "seconds": round(self.seconds, 2),
            "ranks": [one.to_json() for one in self.reports],
        }
        if self.verdict != "right":
            result["output"] = self.output[:4000]
        return result


@dataclass(slots=True)
class Diagnosis:
    """Everything `mpiglot doctor` has to say."""

    installations: list[Installation] = field(default_factory=list)
    chosen: Installation | None = None
    launcher: Path | None = None
    run: Trial | None = None
    abi: str = ""
    """The ABI family of the library that the program really loaded."""
    set_here: dict[str, str] = field(default_factory=dict)
    """Variables that had to be set for the run."""
    unset_here: list[str] = field(default_factory=list)
    """Variables that had to be removed for the run."""
    findings: list[Finding] = field(default_factory=list)
    built: bool = False
    """Whether a program could be built at all."""

    @property
    def exit_code(self) -> int:
        """0 nothing found (notes allowed), 1 findings, 3 nothing can be built here."""
        if not self.built:
            return 3
        return 1 if any(one.severity != "info" for one in self.findings) else 0

    def to_json(self) -> dict[str, Any]:
        """The documented form (docs/guide/known-issues.md)."""
        return {
            "schema_version": SCHEMA_VERSION,
            "chosen": self.chosen.name if self.chosen else None,
            "why": self.chosen.why if self.chosen else "",
            "installation": _installation(self.chosen) if self.chosen else None,
            "launcher": str(self.launcher) if self.launcher else None,
            "abi": self.abi,
            "run": self.run.to_json() if self.run else None,
            "set": dict(self.set_here),
            "unset": list(self.unset_here),
            "findings": [one.to_json() for one in self.findings],
            "installations": [_installation(one) for one in self.installations],
        }


def _installation(one: Installation) -> dict[str, Any]:
    result: dict[str, Any] = {
        "name": one.name,
        "vendor": one.title,
        "version": one.version,
        "abi": one.abi,
        "wrapper": str(one.wrapper),
        "arguments": list(one.arguments),
        "wrappers": [str(path) for path in one.wrappers],
        "prefix": str(one.prefix),
        "header": str(one.header) if one.header else None,
        "library": str(one.library) if one.library else None,
        "soname": one.soname,
        "compiler": one.compiler,
        "launchers": [str(path) for path in one.launchers],
        "found": one.found,
        "problem": one.problem,
    }
    if one.unusable:
        result["unusable"] = _paths(one.unusable)
    return result


def _paths(entries: Mapping[Path, str]) -> dict[str, str]:
    return {str(path): reason for path, reason in entries.items()}
