"""The examination: find, build, run two ranks, and follow every failure to what caused it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mpiglot.errors import EnvironmentProblem, UsageError
from mpiglot.parser.doctor import library, machine, variables
from mpiglot.parser.doctor.launchers import Launchers
from mpiglot.parser.doctor.model import Diagnosis, Finding, Trial
from mpiglot.parser.doctor.trial import build, missing_permission, try_run
from mpiglot.parser.find import choose, discover, environment
from mpiglot.parser.installation import Installation
from mpiglot.parser.process import Result
from mpiglot.parser.vendors import run_variables


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
    if ranks < 1:
        raise UsageError("--ranks wants 1 or more")
    with tempfile.TemporaryDirectory(prefix="mpiglot-doctor-") as folder:
        given = dict(os.environ if env is None else env)
        examination = _Examination(given, Path(folder), ranks, limit)
        examination.all(spec, launcher)
        return examination.diagnosis


class _Examination:
    """One examination, step by step; `env` is the caller's, as far as it has been put right."""

    def __init__(self, env: dict[str, str], folder: Path, ranks: int, limit: float) -> None:
        self.given = env
        self.env = dict(env)
        self.folder = folder
        self.ranks = ranks
        self.limit = limit
        self.program = folder / "mpiglot-doctor"
        self.diagnosis = Diagnosis()

    # ------------------------------------------------------------------------------------ the order

    def all(self, spec: str | None, launcher: str | None) -> None:
        chosen = self.choose(spec)
        if chosen is None:
            return
        self.diagnosis.chosen = chosen
        for finding in variables.stale(self.given, chosen):
            self.add(finding)
        if not self.build(chosen):
            return
        self.diagnosis.built = True
        for finding in library.missing_libraries(self.program, self.env, chosen):
            self.add(finding)
        launchers = Launchers(chosen, self.given)
        use = launchers.named(launcher) if launcher else chosen.launcher
        self.diagnosis.launcher = use
        if use is None:
            self.add(launchers.none_found())
            use = launchers.plain("mpiexec")
        if use is not None:
            trial = self.run(chosen, launchers, use)
            self.look_at(trial, chosen, launchers)
        if launcher is None and use is not None:
            self.plain_launchers(chosen, launchers, spec)
        self.leftovers()
        self.other_compiler(chosen, spec)

    def add(self, *findings: Finding | None) -> None:
        """Puts findings down, each kind once for the same variables."""
        for finding in findings:
            if finding is None:
                continue
            known = [(one.id, one.message) for one in self.diagnosis.findings]
            if (finding.id, finding.message) not in known:
                self.diagnosis.findings.append(finding)

    # ------------------------------------------------------------------------------------- choosing

    def choose(self, spec: str | None) -> Installation | None:
        """The installation to examine; findings where there is none."""
        env = variables.for_choosing(self.given)
        self.diagnosis.installations = discover(env)
        if spec is None and env.get("MPICC"):
            try:
                return choose(None, env)
            except EnvironmentProblem as problem:
                message = f"{str(problem).split(';')[0]}."
                fix = variables.unset(["MPICC"])
                self.add(Finding("mpicc-variable", "error", message, fix, ("MPICC",)))
                env = variables.without(env, ["MPICC"])
        try:
            return choose(spec, env)
        except EnvironmentProblem as problem:
            usable = [one for one in self.diagnosis.installations if one.problem is None]
            if usable:
                fix = f"mpiglot doctor {usable[0].wrapper}"
                self.add(Finding("wrapper-unusable", "error", f"{problem}.", fix))
            elif self.diagnosis.installations:
                fix = "sudo apt install gcc"
                self.add(Finding("wrapper-unusable", "error", f"{problem}.", fix))
            else:
                fix = "sudo apt install mpich libmpich-dev"
                self.add(Finding("no-mpi", "error", f"{problem}.", fix))
            return None

    # ------------------------------------------------------------------------------------- building

    def build(self, chosen: Installation) -> bool:
        """Builds the test program, following a failure to the variable that causes it."""
        first = self._build(chosen, self.env)
        if first.ok:
            return True
        needed = {
            name: value
            for name, value in environment(chosen, root=False, oversubscribe=False).items()
            if self.env.get(name) != value
        }
        absent = {name: value for name, value in needed.items() if name not in self.given}
        if absent and self._build(chosen, {**self.env, **absent}).ok:
            self.put_right(absent)
            self.add(
                Finding(
                    "variables-missing",
                    "error",
                    f"{chosen.wrapper} does not find its own mpi.h without "
                    f"{' and '.join(absent)}: {first.first_line()}.",
                    variables.export(absent),
                    tuple(absent),
                )
            )
            return True

        def works(removed: Sequence[str]) -> bool:
            changed = {**variables.without(self.env, removed)}
            changed.update({name: needed[name] for name in removed if name in needed})
            return self._build(chosen, changed).ok

        names = variables.culprits(variables.suspects(self.env), works)
        if names:
            self.blame(names, f"compiling with {chosen.wrapper} fails", needed, "breaks-building")
            return True
        asked = " ".join(map(str, chosen.command))
        self.add(
            Finding(
                "compile-failed",
                "error",
                f"{chosen.wrapper} cannot compile an MPI program: {first.first_line()}",
                f"{asked} -v program.c   # shows what the wrapper calls",
            )
        )
        return False

    def _build(self, chosen: Installation, env: Mapping[str, str]) -> Result:
        try:
            return build(chosen, self.program, env, max(self.limit, 60.0))
        except EnvironmentProblem as problem:
            return Result(1, "", str(problem))

    def put_right(self, values: Mapping[str, str]) -> None:
        """Sets variables for everything that follows."""
        self.env.update(values)
        self.diagnosis.set_here.update(values)

    def blame(
        self, names: Sequence[str], effect: str, needed: Mapping[str, str], what: str
    ) -> None:
        """Puts down that these variables break something, and goes on without them."""
        right = {name: needed[name] for name in names if name in needed}
        gone = [name for name in names if name not in right]
        self.env = {**variables.without(self.env, gone), **right}
        self.diagnosis.unset_here.extend(gone)
        self.diagnosis.set_here.update(right)
        for finding in self.diagnosis.findings:
            if set(finding.variables) & set(names):
                finding.severity = "error"
                finding.message = f"{finding.message} Tried: because of it {effect}."
                return
        values = ", ".join(f"{name}={self.given[name]}" for name in names)
        lines = [variables.unset(gone)] if gone else []
        lines += [variables.export(right)] if right else []
        message = f"With {values} set {effect}; without, it works."
        self.add(Finding(f"variable-{what}", "error", message, "\n".join(lines), tuple(names)))

    # -------------------------------------------------------------------------------------- running

    def try_with(
        self, chosen: Installation, launcher: Path, env: Mapping[str, str] | None = None
    ) -> Trial:
        launch = chosen.launch(self.ranks, self.folder, launcher)
        given = self.env if env is None else env
        return try_run(launch, self.program, self.ranks, given, self.limit)

    def run(self, chosen: Installation, launchers: Launchers, launcher: Path) -> Trial:
        """Runs the program, granting permissions and removing variables until it runs right."""
        trial = self.permitted(chosen, launcher)
        self.add(library.other_library(trial, chosen, self.program, self.env))
        self.add(library.two_libraries(trial))
        if trial.verdict != "right" and not launchers.own(launcher) and chosen.launcher:
            better = self.permitted(chosen, chosen.launcher)
            if better.verdict == "right":
                self.add(launchers.other(launcher, trial))
                self.diagnosis.launcher = chosen.launcher
                return better
        if trial.verdict != "right":
            trial = self.without_culprits(chosen, launcher, trial)
        elif not launchers.own(launcher):
            self.add(launchers.other(launcher, trial))
        return trial

    def permitted(self, chosen: Installation, launcher: Path) -> Trial:
        """Runs the program; a permission that the launcher wants is a finding, and is granted."""
        trial = self.try_with(chosen, launcher)
        asked: set[str] = set()
        while (kind := missing_permission(trial)) is not None and kind not in asked:
            asked.add(kind)
            who = self._launcher_vendor(chosen, launcher)
            plain = run_variables(*who, root=False, oversubscribe=False)
            wanted = run_variables(*who, root=kind == "root", oversubscribe=kind != "root")
            grant = {name: value for name, value in wanted.items() if name not in plain}
            grant.pop("OMPI_MCA_mpi_yield_when_idle", None)
            if not grant:
                break
            self.put_right(grant)
            if kind == "root":
                message = f"{launcher} refuses to run as root."
            else:
                message = (
                    f"{launcher} refuses {self.ranks} ranks on {os.cpu_count()} processors "
                    "(it counts cores as slots)."
                )
            self.add(Finding(f"permission-{kind}", "error", message, variables.export(grant)))
            trial = self.try_with(chosen, launcher)
        return trial

    def _launcher_vendor(self, chosen: Installation, launcher: Path) -> tuple[str, str, Path]:
        who = Launchers(chosen, self.given).identity(launcher)
        if who is None:
            return chosen.vendor, chosen.version, chosen.prefix
        return who.vendor, who.version, chosen.prefix

    def without_culprits(self, chosen: Installation, launcher: Path, trial: Trial) -> Trial:
        """Looks for the variables that make the run fail; the run without them, else the given."""
        needed = environment(chosen)
        names = [n for n in variables.suspects(self.env) if self.env[n] != needed.get(n)]

        def changed(removed: Sequence[str]) -> dict[str, str]:
            right = {name: needed[name] for name in removed if name in needed}
            return {**variables.without(self.env, removed), **right}

        def works(removed: Sequence[str]) -> bool:
            return self.try_with(chosen, launcher, changed(removed)).verdict == "right"

        found = variables.culprits(names, works)
        if not found:
            return trial
        self.blame(found, _effect(trial), needed, "breaks-running")
        return self.try_with(chosen, launcher)

    # ----------------------------------------------------------------------------------- looking at

    def look_at(self, trial: Trial, chosen: Installation, launchers: Launchers) -> None:
        """Findings about the final run, and about what it shows of the library."""
        self.diagnosis.run = trial
        failed = trial.verdict != "right"
        report = trial.reports[0] if trial.reports else None
        self.diagnosis.abi = library.family(report) if report else ""
        explained = any(one.severity == "error" for one in self.diagnosis.findings)
        header = library.other_header(trial, chosen)
        if header is not None:
            self.explain_header(header)
        if failed:
            self.add(library.wrong_architecture(chosen, self.program))
            if not explained or trial.verdict == "alone":
                self.add(launchers.failure(trial))
        for finding in machine.shared_memory(self.ranks, failed) + machine.host_name(failed):
            self.add(finding)
        self.add(library.abi_header(chosen))
        if any("libucs" in Path(p).name for one in trial.reports for p in one.loaded):
            self.note_ucx(chosen)

    def explain_header(self, finding: Finding) -> None:
        """Puts down the header of another installation, with the variable that leads there."""
        for one in self.diagnosis.findings:
            if one.id == "variable-names-other-installation":
                one.severity = "error"
                one.message = f"{one.message} {finding.message}"
                return
        chosen = self.diagnosis.chosen
        fix = f"{chosen.wrapper} -show   # its first -I must be {chosen.header}" if chosen else ""
        self.add(replace(finding, fix=fix))

    def note_ucx(self, chosen: Installation) -> None:
        if "UCX_ERROR_SIGNALS" in self.given:
            return
        self.add(
            Finding(
                "ucx-signal-handler",
                "info",
                f"{chosen.title} loads UCX, whose handler for SIGSEGV takes the place of a Java "
                "virtual machine's; C, C++ and Go programs do not mind.",
                'export UCX_ERROR_SIGNALS=""   # before a Java program of your own',
            )
        )

    # --------------------------------------------------------------------- what one would type

    def plain_launchers(self, chosen: Installation, launchers: Launchers, spec: str | None) -> None:
        """Whether plain `mpiexec` and `mpirun` start programs of this MPI."""
        usual = launchers.is_usual(spec)
        for launcher in launchers.foreign_plain():
            if not usual:
                self.add(launchers.advice(launcher))
                continue
            trial = self.try_with(chosen, launcher)
            self.add(launchers.other(launcher, trial))

    def leftovers(self) -> None:
        """Variables that a launcher left in the shell; tried with a program started by itself."""
        names = [n for n in variables.of_launchers(self.given) if n in self.env]
        if not names:
            return
        if self.diagnosis.launcher is None or self.diagnosis.run is None:
            return
        effect = "Programs that read them think they are part of that job."
        severity = "warning"
        alone = try_run([], self.program, 1, self.env, self.limit)
        if alone.verdict != "right":
            clean = variables.without(self.env, names)
            if try_run([], self.program, 1, clean, self.limit).verdict == "right":
                severity = "error"
                effect = "Tried: a program started without launcher fails because of them."
        listed = ", ".join(names)
        for finding in self.diagnosis.findings:
            if set(finding.variables) & set(names):
                return
        self.add(
            Finding(
                "leftover-launcher-variables",
                "error" if severity == "error" else "warning",
                f"This shell has variables that only a launcher sets ({listed}). {effect}",
                variables.unset(names),
                tuple(names),
            )
        )

    def other_compiler(self, chosen: Installation, spec: str | None) -> None:
        """Whether plain `mpicxx` belongs to the same MPI as plain `mpicc`."""
        if spec is not None or self.given.get("MPICC"):
            return
        path = self.given.get("PATH")
        for name in ("mpicxx", "mpic++"):
            found = shutil.which(name, path=path)
            owner = self._owner(Path(found)) if found else None
            if owner is not None and found is not None and owner.header != chosen.header:
                self.add(
                    Finding(
                        "compilers-differ",
                        "warning",
                        f"{chosen.wrapper} compiles for {chosen.title} {chosen.version}, but "
                        f"{found} for {owner.title} {owner.version}: C and C++ parts do not fit together.",
                        f"{_cxx_of(chosen)} program.cpp",
                    )
                )
                return

    def _owner(self, wrapper: Path) -> Installation | None:
        real = wrapper.resolve()
        for one in self.diagnosis.installations:
            if wrapper in one.wrappers:
                return one
        for one in self.diagnosis.installations:
            if any(path.resolve() == real for path in one.wrappers) and real.name != "opal_wrapper":
                return one
        return None


def _cxx_of(chosen: Installation) -> str:
    name = chosen.wrapper.name.replace("mpicc", "mpicxx")
    return str(chosen.wrapper.with_name(name))


def _effect(trial: Trial) -> str:
    """What went wrong with a run, in a few words."""
    said = f" ({trial.complaint()})" if trial.complaint() else ""
    return {
        "alone": f"each of the {trial.ranks} ranks is alone",
        "hung": f"the program hangs after stage {trial.stage!r}",
        "wrong": "messages arrive wrong",
        "not-started": f"no rank starts{said}",
        "died": f"the program dies after stage {trial.stage!r}{said}",
    }.get(trial.verdict, "it fails")
