"""The examination: find, build, run two ranks, and follow every failure to what caused it."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.doctor import complaints, library, machine, transports, variables
from mpiglot.doctor.choosing import pick
from mpiglot.doctor.cxx import CxxWrapper
from mpiglot.doctor.launchers import Launchers, outcome
from mpiglot.doctor.model import Diagnosis, Finding, Trial, complaint
from mpiglot.doctor.running import Runner
from mpiglot.doctor.shell import Shell
from mpiglot.doctor.trial import build, try_run
from mpiglot.parser.find import environment
from mpiglot.parser.installation import Installation
from mpiglot.parser.process import Result

BUILD_LIMIT = 60.0
MOST_RANKS = 256


def examine(
    spec: str | None = None,
    *,
    launcher: str | None = None,
    ranks: int = 2,
    limit: float = 30.0,
    env: Mapping[str, str] | None = None,
) -> Diagnosis:
    """Examines the MPI that `spec` names (default: the one that `mpicc` means here).

    Programs are built and run in the caller's environment as it is; what had to be changed for
    them to run is a finding.
    """
    if not 1 <= ranks <= MOST_RANKS:
        raise UsageError(f"--ranks wants 1 to {MOST_RANKS}: they all run on this machine")
    shell = Shell(dict(os.environ if env is None else env), Diagnosis())
    kept, passed_over = _working_folder()
    with kept as folder:
        program = Path(folder) / "program"
        shell.add(*passed_over)
        chosen = pick(spec, shell)
        if chosen is not None:
            _Examination(shell, chosen, program, ranks, limit).all(spec, launcher)
    return shell.diagnosis


def _working_folder() -> tuple[tempfile.TemporaryDirectory[str], list[Finding]]:
    """A folder in which programs may be built and started, and a note on a TMPDIR that is none."""
    notes: list[Finding] = []
    for place in (None, Path.home() / ".cache", Path.cwd()):
        try:
            folder = tempfile.TemporaryDirectory(prefix="mpiglot-doctor-", dir=place)
        except OSError:
            continue
        if machine.executable(Path(folder.name)):
            return folder, notes
        folder.cleanup()
        notes.append(machine.not_executable(Path(folder.name).parent))
    raise EnvironmentProblem("there is no folder to build a program in; set TMPDIR to one")


class _Examination:
    """One examination, step by step."""

    def __init__(
        self, shell: Shell, chosen: Installation, program: Path, ranks: int, limit: float
    ) -> None:
        self.shell = shell
        self.chosen = chosen
        self.program = program
        self.launchers = Launchers(chosen, shell.given)
        self.memory = 0
        self.runner = Runner(chosen, shell, self.launchers, program, ranks, limit)

    def all(self, spec: str | None, launcher: str | None) -> None:
        """Every step in its order."""
        diagnosis = self.shell.diagnosis
        diagnosis.chosen = self.chosen
        use = self.launchers.named(launcher) if launcher else self.chosen.launcher
        self.shell.add(*variables.stale(self.shell.given, self.chosen))
        if not self.build():
            self.shell.add(library.wrong_architecture(self.chosen, self.program))
            return
        diagnosis.built = True
        missing = library.missing_libraries(self.program, self.shell.env, self.chosen)
        self.shell.add(*missing)
        if use is None:
            self.shell.add(self.launchers.none_found())
            use = self.launchers.plain("mpiexec") or self.of_job()
        diagnosis.launcher = use
        if use is None:
            return
        self.memory = machine.free_shared_memory()
        trial = self.runner.right(use)
        self.look_at(trial)
        if launcher is None:
            self.plain_launchers(spec)
        self.leftovers()
        plain = spec is None and not self.shell.given.get("MPICC")
        CxxWrapper(self.shell, self.chosen, self.program.parent).examine(plain)

    def of_job(self) -> Path | None:
        """A batch system's launcher that starts programs of this MPI: tried."""
        for line in complaints.launchers_of_jobs(self.shell.given.get("PATH")):
            path = self.launchers.named(line)
            if self.runner.foreign(path).verdict != "right":
                continue
            finding = next(one for one in self.shell.diagnosis.findings if one.id == "no-launcher")
            finding.severity = "info"
            finding.message = f"{finding.message.rstrip('.')}, but `{line}` starts its programs."
            finding.fix = f"{line} -n {self.runner.ranks} ./program"
            return path
        return None

    # ------------------------------------------------------------------------------------- building

    def build(self) -> bool:
        """Builds the test program, following a failure to the variable that causes it."""
        first = self._build(self.shell.env)
        if first.ok:
            return True
        needed = environment(self.chosen, root=False, oversubscribe=False)
        absent = {name: needed[name] for name in needed if name not in self.shell.given}
        if absent and self._build({**self.shell.env, **absent}).ok:
            self.shell.put_right(absent)
            self.shell.add(
                Finding(
                    "variables-missing",
                    "error",
                    f"{self.chosen.wrapper} does not find its own mpi.h without "
                    f"{' and '.join(absent)}.",
                    variables.export(absent),
                    tuple(absent),
                )
            )
            return self._build(self.shell.env).ok

        def works(removed: Sequence[str]) -> bool:
            return self._build(self.shell.changed(removed, needed)).ok

        names = variables.culprits(variables.suspects(self.shell.env), works)
        if names:
            effect = f"{self.chosen.wrapper} cannot compile ({_said(first)})"
            self.shell.blame(names, effect, needed, "variable-breaks-building")
            return self._build(self.shell.env).ok
        words = Trial(self.chosen.command, 1, first.code, first.out + first.err, 0.0, [])
        known = complaints.explain(words, self.chosen, self.shell.env, building=True)
        if known is not None:
            self.shell.add(known)
            return False
        program = "'#include <mpi.h>\\nint main(void) { return 0; }\\n'"
        command = shlex.join([*self.chosen.command, "-v", "try.c"])
        self.shell.add(
            Finding(
                "compile-failed",
                "error",
                f"{self.chosen.wrapper} cannot compile an MPI program: {_said(first)}.",
                f"printf {program} > try.c\n{command}   # shows what the wrapper calls",
            )
        )
        return False

    def _build(self, env: Mapping[str, str]) -> Result:
        try:
            return build(self.chosen, self.program, env, BUILD_LIMIT)
        except EnvironmentProblem as problem:
            return Result(1, "", str(problem))

    # ----------------------------------------------------------------------------------- looking at

    def look_at(self, trial: Trial) -> None:
        """Findings about the final run, and about what it shows of library and machine."""
        diagnosis = self.shell.diagnosis
        diagnosis.run = trial
        failed = trial.verdict != "right"
        failure = f"the program {outcome(trial)} ({trial.complaint()})" if failed else ""
        report = trial.reports[0] if trial.reports else None
        diagnosis.abi = library.family(report) if report else ""
        if failed:
            self.shell.add(library.wrong_architecture(self.chosen, self.program))
        known = complaints.explain(trial, self.chosen, self.shell.env)
        if failed:
            self.shell.add(*machine.loopback())
        if not failed or not any(one.severity == "error" for one in diagnosis.findings):
            self.shell.add(known)
        blamed = "" if known is not None and failed else failure
        instead = complaints.shared_memory_of_container(self.shell.env)
        self.shell.add(
            *machine.shared_memory(self.runner.ranks, blamed, self.memory, instead=instead)
        )
        self.shell.add(*machine.host_name(failed))
        if not any(one.id == "library-missing" for one in diagnosis.findings):
            self.shell.add(*transports.not_there(self.chosen, self.shell.given, failed))
        explained = any(one.severity == "error" for one in diagnosis.findings)
        if failed and not explained:
            self.shell.add(self.launchers.failure(trial))
        self.shell.add(library.abi_header(self.chosen))
        self.shell.add(transports.between_hosts(trial, self.chosen))
        self.shell.add(transports.ucx(trial, self.chosen, self.shell.given))
        self.shell.add(*library.passed_over(self.chosen, self.shell.given, trial))

    # --------------------------------------------------------------------- what one would type

    def plain_launchers(self, spec: str | None) -> None:
        """Whether plain `mpiexec` and `mpirun` start programs of this MPI."""
        usual = self.launchers.is_usual(spec)
        for launcher in self.launchers.foreign_plain():
            if usual:
                trial = self.runner.foreign(launcher)
                self.shell.add(self.launchers.other(launcher, trial))
            else:
                self.shell.add(self.launchers.advice(launcher))
        self.shell.add(self.launchers.unsafe())

    def leftovers(self) -> None:
        """Variables that a launcher left in the shell; tried with a program started by itself."""
        names = [one for one in variables.of_launchers(self.shell.given) if one in self.shell.env]
        if not names or self.shell.about(names) is not None:
            return
        finding = variables.leftover(names)
        limit = self.runner.limit
        if finding.severity != "info":
            alone = try_run([], self.program, 1, self.shell.env, limit)
            clean = variables.without(self.shell.env, names)
            if alone.verdict != "right" and (
                try_run([], self.program, 1, clean, limit).verdict == "right"
            ):
                finding.severity = "error"
                finding.message += (
                    " Tried: because of them a program that is started without launcher fails."
                )
        self.shell.add(finding)


def _said(result: Result) -> str:
    return complaint(result.err or result.out) or f"exit code {result.code}"
