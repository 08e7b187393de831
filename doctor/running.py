"""Running the test program until it runs right, each obstacle a finding that was tried."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpiglot.doctor import complaints, library, transports, variables
from mpiglot.doctor.launchers import Launchers, outcome
from mpiglot.doctor.model import Finding, Trial
from mpiglot.doctor.shell import Shell
from mpiglot.doctor.trial import build, missing_permission, try_run
from mpiglot.parser.find import environment
from mpiglot.parser.installation import Installation
from mpiglot.parser.vendors import run_variables, vendor

TRY_LIMIT = 10.0


@dataclass
class Runner:
    """Runs one program of one installation in one shell."""

    chosen: Installation
    shell: Shell
    launchers: Launchers
    program: Path
    ranks: int
    limit: float

    def once(
        self,
        launcher: Path,
        env: Mapping[str, str] | None = None,
        limit: float | None = None,
    ) -> Trial:
        """One run with a launcher, in the shell's environment as it is now."""
        launch = self.launchers.command(self.ranks, self.program.parent, launcher)
        given = self.shell.env if env is None else env
        return try_run(launch, self.program, self.ranks, given, limit or self.limit)

    def foreign(self, launcher: Path) -> Trial:
        """A run under a launcher that need not be the installation's; hanging is no surprise."""
        return self.permitted(launcher, min(self.limit, TRY_LIMIT))

    def right(self, launcher: Path) -> Trial:
        """The run that succeeds, after what it took to get there was put down; else the last."""
        own = self.launchers.own(launcher)
        trial = self.permitted(launcher) if own else self.foreign(launcher)
        self.look_at_header(trial)
        if self.rebuilt:
            trial = self.once(launcher)
        other = library.other_library(trial, self.chosen, self.program, self.shell.env)
        if other is not None and not other.variables and not other.fix:
            other.fix = self.launchers.type_own(self.ranks)
        if own or (other is not None and other.variables):
            self.shell.add(other)
        self.shell.add(library.two_libraries(trial))
        if not own and trial.verdict != "right" and self.chosen.launcher is not None:
            env = self.shell.env
            better = self.permitted(self.chosen.launcher)
            if better.verdict != "right":
                better = self.without_culprits(self.chosen.launcher, better)
            if better.verdict == "right":
                # With what was put right meanwhile the other launcher may do, too.
                if self.shell.env is env or self.foreign(launcher).verdict != "right":
                    self.shell.add(self.launchers.other(launcher, trial))
                self.shell.diagnosis.launcher = self.chosen.launcher
                return better
        if trial.verdict != "right":
            self.shell.add(*transports.not_there(self.chosen, self.shell.given, True))
            return self.without_culprits(launcher, trial)
        if not own:
            self.shell.add(self.launchers.other(launcher, trial))
        return trial

    # ---------------------------------------------------------------------------------- permissions

    def permitted(self, launcher: Path, limit: float | None = None) -> Trial:
        """Runs the program; a permission that the launcher wants is a finding, and is granted."""
        trial = self.once(launcher, limit=limit)
        asked: set[str] = set()
        while (kind := missing_permission(trial)) is not None and kind not in asked:
            asked.add(kind)
            grant = self._permission(launcher, kind)
            if not grant:
                break
            self.shell.put_right(grant)
            if kind == "root":
                message = f"{launcher} refuses to run as root."
            else:
                message = (
                    f"{launcher} refuses {self.ranks} ranks on this machine: it counts "
                    f"{_processors()} and takes each for one slot."
                )
            self.shell.add(Finding(f"permission-{kind}", "error", message, variables.export(grant)))
            trial = self.once(launcher, limit=limit)
        return trial

    def _permission(self, launcher: Path, kind: str) -> dict[str, str]:
        """The variables that grant a permission to the vendor and version of this launcher."""
        who = self.launchers.identity(launcher)
        key, version = (
            (who.vendor, who.version) if who else (self.chosen.vendor, self.chosen.version)
        )
        without = run_variables(key, version, "", root=False, oversubscribe=False)
        granted = run_variables(
            key, version, "", root=kind == "root", oversubscribe=kind == "oversubscribe"
        )
        return {
            name: value
            for name, value in granted.items()
            if name not in without and "yield" not in name
        }

    # ------------------------------------------------------------------------------------- culprits

    def without_culprits(self, launcher: Path, trial: Trial) -> Trial:
        """Looks for what makes the run fail; the run without it, else the given one."""
        needed = environment(self.chosen)
        env = self.shell.env

        def works(removed: Sequence[str]) -> bool:
            changed = self.shell.changed(removed, needed)
            return self.once(launcher, changed, min(self.limit, TRY_LIMIT)).verdict == "right"

        known = complaints.explain(trial, self.chosen, env)
        effect = f"the program {outcome(trial)}"
        if trial.verdict == "alone":
            effect = "every rank is alone"
        said = known.message.rstrip(".") if known else trial.complaint()
        if said:
            effect = f"{effect} ({said})"
        leftovers = variables.of_launchers(env)
        if leftovers and works(leftovers):
            self.shell.add(variables.leftover(leftovers))
            self.shell.blame(leftovers, effect, {}, "")
            return self.once(launcher)
        names = [one for one in variables.suspects(env) if env[one] != needed.get(one)]
        found = variables.culprits(names, works)
        if found:
            job = complaints.job_of(found)
            kind = "batch-variables" if job else "variable-breaks-running"
            self.shell.blame(found, effect, needed, kind)
            named = self.shell.about(found)
            if job and named is not None:
                named.message = f"This shell has variables of a {job} job. {named.message}"
            return self.once(launcher)
        return self._without_user_files(launcher, trial, effect)

    def _without_user_files(self, launcher: Path, trial: Trial, effect: str) -> Trial:
        """The same for settings in the user's home, which are as easily forgotten."""
        rule = vendor(self.chosen.vendor)
        home = Path(self.shell.env.get("HOME", "/nonexistent"))
        wanted: list[str] = list(rule.data.get("user_files", ())) if rule else []
        files = [home / name for name in wanted if (home / name).is_file()]
        if not files:
            return trial
        changed = {**self.shell.env, "HOME": str(self.program.parent)}
        better = self.once(launcher, changed)
        if better.verdict != "right":
            return trial
        listed = " and ".join(map(str, files))
        fix = "\n".join(f"mv {shlex.quote(str(one))} {shlex.quote(f'{one}.off')}" for one in files)
        message = f"With the settings in {listed} {effect}; without, it works."
        self.shell.add(Finding("user-settings-break-running", "error", message, fix))
        self.shell.env = changed
        return better

    # --------------------------------------------------------------------------------------- header

    rebuilt: bool = False

    def look_at_header(self, trial: Trial) -> None:
        """Puts down that the mpi.h of another installation was taken, and builds it anew."""
        finding = library.other_header(trial, self.chosen)
        if finding is None:
            return
        right = dict(self.chosen.wrapper_variables)
        wrong = [name for name, value in right.items() if self.shell.given.get(name) != value]
        known = self.shell.about(wrong) if wrong else None
        if known is None:
            show = shlex.join([*self.chosen.command, "-show"])
            finding.fix = f"{show}   # its first -I should lead to {self.chosen.header}"
            self.shell.add(finding)
            return
        known.severity = "error"
        known.message = f"{known.message} Tried: {finding.message}"
        self.shell.put_right(right)
        self.rebuilt = build(self.chosen, self.program, self.shell.env, 60.0).ok


def _processors() -> str:
    count = os.cpu_count() or 1
    return f"{count} processors" if count > 1 else "one processor"
