"""Launchers: which belong to the MPI at hand, and what becomes of programs under others."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

from mpiglot.doctor.model import Finding, Trial
from mpiglot.parser.installation import (
    Installation,
    LauncherIdentity,
    canonical,
    identify_launcher,
)
from mpiglot.parser.start import command_of
from mpiglot.parser.vendors import rules, same_version, vendor


class Launchers:
    """The launchers of one machine, seen from one installation."""

    def __init__(self, chosen: Installation, env: Mapping[str, str]) -> None:
        self.chosen = chosen
        self.env = env
        self._known: dict[Path, LauncherIdentity | None] = {}
        self._options: dict[Path, list[str]] = {}

    def identity(self, path: Path) -> LauncherIdentity | None:
        """Whose launcher this is, asked once."""
        if path not in self._known:
            self._known[path] = identify_launcher(path, self.env)
        return self._known[path]

    def named(self, text: str) -> Path:
        """The launcher that the user names; its options are kept for `command`."""
        word, *options = command_of(text, self.env.get("PATH"))
        path = Path(shutil.which(word, path=self.env.get("PATH")) or word).absolute()
        self._options[path] = options
        return path

    def command(self, ranks: int, folder: Path, path: Path) -> list[str]:
        """What starts `ranks` ranks of the program to be appended, with the user's options."""
        first, *rest = self.chosen.launch(ranks, folder, path)
        return [first, *self._options.get(path, []), *rest]

    def plain(self, name: str) -> Path | None:
        """What this name means on PATH."""
        found = shutil.which(name, path=self.env.get("PATH"))
        return Path(found) if found else None

    def own(self, path: Path) -> bool:
        """Whether a launcher is of the same vendor and version as the installation."""
        if any(path.resolve() == one.resolve() for one in self.chosen.launchers):
            return True
        who = self.identity(path)
        if who is None:
            return False
        return who.vendor == self.chosen.vendor and same_version(who.version, self.chosen.version)

    def foreign_plain(self) -> list[Path]:
        """What `mpiexec` and `mpirun` mean on PATH where that is another MPI's, each once."""
        result: dict[Path, Path] = {}
        for name in rules()["plain_launchers"]:
            path = self.plain(name)
            if path is not None and self.identity(path) is not None and not self.own(path):
                result.setdefault(path.resolve(), path)
        return list(result.values())

    def is_usual(self, spec: str | None) -> bool:
        """Whether the installation is what plain `mpicc` (or `mpicxx`) means here.

        Then plain `mpiexec` should start its programs; with another one, named on purpose, nobody
        would expect that.
        """
        if spec is None and not self.env.get("MPICC"):
            return True
        for name in ("mpicc", "mpicxx", "mpic++", "mpiCC"):
            path = self.plain(name)
            if path is not None and canonical(path) == canonical(self.chosen.wrapper):
                return spec is None or "/" not in spec or Path(spec).absolute() == path
        return False

    # ------------------------------------------------------------------------------------- findings

    def title(self, path: Path) -> str:
        """Vendor and version of a launcher, for a message."""
        who = self.identity(path)
        rule = vendor(who.vendor) if who else None
        return f"{rule.title} {who.version}" if who and rule else "another MPI"

    def type_own(self, ranks: int = 2) -> str:
        """The line that starts a program with the installation's own launcher."""
        own = self.chosen.launcher
        if own is None:
            return ""
        short = self.plain(own.name)
        word = own.name if short is not None and short.resolve() == own.resolve() else str(own)
        rule = vendor(self.chosen.vendor)
        pattern: list[str] = rule.data["launch"] if rule else ["{launcher}", "-n", "{ranks}"]
        words = [part.format(launcher=word, ranks=ranks, folder=".") for part in pattern]
        return shlex.join([*words, "./program"])

    def none_found(self) -> Finding:
        """No launcher of the installation's own."""
        return Finding(
            "no-launcher",
            "warning",
            f"No launcher that belongs to {self.chosen.release} was found "
            f"beside {self.chosen.wrapper}.",
            f"find {shlex.quote(str(self.chosen.prefix))} / -name 'mpiexec*' -perm -u+x 2>/dev/null"
            "   # then --launcher PATH",
        )

    def other(self, path: Path, trial: Trial) -> Finding | None:
        """What becomes of the installation's programs under another MPI's launcher."""
        who = self.identity(path)
        chosen = self.chosen
        belongs = f"{path} belongs to {self.title(path)}, not to {chosen.release}"
        if who is None:
            belongs = f"{path} is no launcher that is known here"
        fix = self.type_own(trial.ranks)
        if trial.verdict == "right" and who is None:
            return None  # srun and the like
        if trial.verdict == "right":
            kin = who is not None and who.vendor == chosen.vendor
            moved = trial.reports[0].library if trial.reports else ""
            stays = not moved or chosen.library is None or _same(moved, chosen.library)
            if kin and stays:
                return Finding(
                    "launcher-other-release", "info", f"{belongs}, but the programs run.", fix
                )
            extra = "" if stays else f" It makes them load {moved}."
            return Finding(
                "launcher-other",
                "warning",
                f"{belongs}; the test program ran, which holds only for this machine and "
                f"network.{extra}",
                fix,
            )
        if trial.verdict == "alone":
            return Finding("launcher-other", "error", f"{belongs}: {_alone(trial)}.", fix)
        said = f": {trial.complaint()}" if trial.complaint() else ""
        return Finding(
            "launcher-other",
            "error",
            f"{belongs}: the program {outcome(trial)} under it, and runs under its own{said}.",
            fix,
        )

    def advice(self, path: Path) -> Finding:
        """A note for somebody who chose another MPI than the machine's usual one."""
        return Finding(
            "use-own-launcher",
            "info",
            f"Plain {path.name} is {self.title(path)}'s; programs of {self.chosen.title} "
            f"{self.chosen.version} want their own.",
            self.type_own(),
        )

    def unsafe(self) -> Finding | None:
        """A note on Intel's mpirun, which takes whatever mpiexec.hydra stands first on PATH."""
        rule = vendor(self.chosen.vendor)
        own = self.chosen.launcher
        if rule is None or own is None:
            return None
        for name, taken in rule.data.get("unsafe_launchers", {}).items():
            script = own.parent / name
            found = self.plain(taken)
            if found is None or self.own(found) or not script.exists():
                continue
            return Finding(
                "launcher-takes-other",
                "info",
                f"{script} starts whichever {taken} stands first on PATH, which is {found} of "
                f"{self.title(found)}; with it jobs of several ranks may die in MPI_Init.",
                self.type_own(),
            )
        return None

    def failure(self, trial: Trial) -> Finding:
        """A run that fails for a reason that was not found."""
        more = _LOGS.get(self.chosen.vendor, "FI_LOG_LEVEL=info")
        command = f"env {more} {shlex.join([*trial.command[:-1], './program'])}"
        said = f": {trial.complaint()}" if trial.complaint() else ""
        if trial.verdict == "alone":
            return Finding(
                "ranks-alone",
                "error",
                f"{_alone(trial)}, under {trial.command[0]}.",
                self.type_own(),
            )
        if trial.verdict == "hung":
            return Finding(
                "program-hangs",
                "error",
                f"The program {outcome(trial)}: it was stopped after {trial.seconds:.0f} s{said}.",
                f"{command}   # says more; `gdb -p` shows what a rank waits for",
            )
        if trial.verdict == "not-started":
            if trial.signal:
                return self._killed(trial)
            return Finding(
                "program-not-started",
                "error",
                f"{trial.command[0]} started no rank{said}.",
                "./program   # alone, without the launcher: fails it, too, the MPI is to blame",
            )
        return Finding(
            "program-fails", "error", f"The program {outcome(trial)}{_by(trial)}{said}.", command
        )

    def _killed(self, trial: Trial) -> Finding:
        """The launcher itself was ended by a signal."""
        launcher = shlex.quote(trial.command[0])
        fix = _AFTER_SIGNAL.get(trial.signal, f"ldd {launcher}   # libraries of another release?")
        return Finding(
            "launcher-killed",
            "error",
            f"{trial.command[0]} was ended by {trial.signal} before a rank started.",
            fix,
        )


# The variable that makes each MPI say more than it did when it failed.
_LOGS = {"openmpi": "OMPI_MCA_btl_base_verbose=30", "intelmpi": "I_MPI_DEBUG=10"}
_AFTER_SIGNAL = {
    "SIGKILL": "sudo dmesg | grep -iE 'out of memory|killed process'   # or a limit",
    "SIGXCPU": "ulimit -t unlimited",
    "SIGXFSZ": "ulimit -f unlimited",
    "SIGTERM": "unset MPIEXEC_TIMEOUT   # or the time limit of the job",
}


def _by(trial: Trial) -> str:
    return f", ended by {trial.signal}" if trial.signal and trial.verdict == "died" else ""


def _alone(trial: Trial) -> str:
    return f"each of the {trial.ranks} ranks is alone ({trial.ranks} times rank 0 of 1)"


def outcome(trial: Trial) -> str:
    """What became of a program, as the end of a sentence about it."""
    return {
        "hung": f"hangs {_where(trial)}",
        "wrong": "gets wrong messages",
        "not-started": "does not start",
    }.get(trial.verdict, f"dies {_where(trial)}")


def _where(trial: Trial) -> str:
    return {
        "none": "before a rank starts",
        "started": "at its first MPI call",
        "identified": "in MPI_Init",
        "initialized": "while ranks exchange messages",
        "exchanged": "in MPI_Finalize",
        "finalized": "after MPI_Finalize",
    }[trial.stage]


def _same(one: str, other: Path) -> bool:
    return Path(one).resolve() == other.resolve()
