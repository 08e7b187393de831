"""Environment variables that were left behind, point nowhere, or break the run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mpiglot.doctor.model import Finding
from mpiglot.parser.installation import Installation
from mpiglot.parser.vendors import Vendor, rules, vendors

# Most suspicious first: what may change how a program is built, loaded or started.
_SUSPECTS = re.compile(
    r"LD_PRELOAD$|LD_LIBRARY_PATH$|OPAL_|OMPI_|ORTE_|PRTE_|PMIX_|PMI_|PMI2_|HYDI_|HYDRA_|I_MPI_"
    r"|MPICH_|MPIR_|MPIEXEC_|MV2_|MPI_|SMPI_|FI_|UCX_|CPATH$|C_INCLUDE_PATH$|CPLUS_INCLUDE_PATH$"
    r"|LIBRARY_PATH$|GCC_EXEC_PREFIX$|COMPILER_PATH$|SLURM_|PBS_|PALS_|SGE_|PE_HOSTFILE$"
    r"|NSLOTS$|JOB_ID$|LSB_|LSF_|FLUX_|TMPDIR$"
)

# What launchers give to the ranks they start; nothing else sets these.
_OF_LAUNCHERS = re.compile(
    r"OMPI_COMM_WORLD_|OMPI_UNIVERSE_SIZE$|OMPI_MCA_(ess$|ess_base_)|OMPI_(APP|FILE|FIRST)_"
    r"|OMPI_MCA_orte_(app_num$|bound_at_launch$|ess_|hnp_uri$|jobfam_session_dir$|launch$"
    r"|local_daemon_uri$|num_nodes$|precondition_transports$|top_session_dir$)"
    r"|PMIX_(RANK|NAMESPACE|SERVER_)|PMI_(RANK|SIZE|FD|PORT|ID|JOBID|SPAWNED)$"
    r"|HYDI_CONTROL_FD$|I_MPI_HYDRA_TOPOLIB$|MPI_LOCALRANKID$|MPI_LOCALNRANKS$|MV2_COMM_WORLD_"
)


def suspects(env: Mapping[str, str]) -> list[str]:
    """The variables that may have to do with a failure."""
    return sorted(name for name in env if _SUSPECTS.match(name))


def of_launchers(env: Mapping[str, str]) -> list[str]:
    """The variables that only a launcher sets, for the ranks it starts."""
    return sorted(name for name in env if _OF_LAUNCHERS.match(name))


def leftover(names: Sequence[str]) -> Finding:
    """That this shell has variables which a launcher sets: left behind, or inside a job."""
    listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    launcher = _ancestor()
    if launcher is not None:
        return Finding(
            "inside-a-job",
            "info",
            f"This command was itself started by {launcher} (which set {listed}).",
            "mpiglot doctor   # from a shell outside the job",
            tuple(names),
        )
    return Finding(
        "leftover-launcher-variables",
        "warning",
        f"This shell has variables that only a launcher sets, for the ranks it starts: {listed}; "
        "programs that read them take themselves for ranks of that job.",
        unset(names),
        tuple(names),
    )


_LAUNCHERS = re.compile(
    r"(hydra_|mpiexec|mpirun|orterun|orted|prterun|prted|slurmstepd|srun|aprun|jsrun|flux)"
)


def _ancestor() -> str | None:
    """The launcher that this process descends from."""
    process = os.getppid()
    for _ in range(64):
        try:
            status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        except OSError:
            return None
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        if _LAUNCHERS.match(fields.get("Name", "")):
            return fields["Name"]
        process = int(fields.get("PPid", "0"))
        if process <= 1:
            return None
    return None


def without(env: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """The environment without these variables."""
    return {name: value for name, value in env.items() if name not in names}


def for_choosing(env: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would only make wrappers fail while they are looked at."""
    disturbing = {one.data["root_variable"] for one in vendors() if "root_variable" in one.data}
    disturbing -= set(rules()["home_variables"])
    disturbing |= {"LD_PRELOAD", "LD_LIBRARY_PATH"}
    for one in vendors():
        for names in one.data["compilers"].values():
            disturbing.update(names)
    return without(env, sorted(disturbing))


def culprits(names: Sequence[str], works: Callable[[Sequence[str]], bool]) -> list[str]:
    """The fewest of these variables whose removal makes it work; none if all do not suffice.

    `works` is asked with the names to remove, as rarely as can be: a try that hangs takes long.
    """
    kept = list(names)
    if not kept or not works(kept):
        return []
    while len(kept) > 1:
        middle = len(kept) // 2
        if works(kept[:middle]):
            kept = kept[:middle]
        elif works(kept[middle:]):
            kept = kept[middle:]
        else:
            break
    for name in list(kept) if len(kept) > 1 else []:
        fewer = [one for one in kept if one != name]
        if fewer and works(fewer):
            kept = fewer
    return kept


def unset(names: Sequence[str]) -> str:
    """What to type to remove variables."""
    return f"unset {' '.join(names)}"


def export(values: Mapping[str, str]) -> str:
    """What to type to set variables."""
    return "export " + " ".join(f"{name}={shlex.quote(value)}" for name, value in values.items())


def stale(env: Mapping[str, str], chosen: Installation | None) -> list[Finding]:
    """Variables that name a folder or compiler that is not there, or another installation's."""
    return [*_folders(env, chosen), *_compilers(env, chosen)]


def _folders(env: Mapping[str, str], chosen: Installation | None) -> list[Finding]:
    findings = []
    roots = [one.data["root_variable"] for one in vendors() if "root_variable" in one.data]
    names = dict.fromkeys([*roots, *rules()["home_variables"], "MPIGLOT_MPI_DIR"])
    for name in names:
        value = env.get(name)
        if not value:
            continue
        if not Path(value).is_dir():
            findings.append(
                Finding(
                    "variable-names-missing-folder",
                    "warning",
                    f"{name} names {value}, which is not there.",
                    _right_root(name, chosen) or unset([name]),
                    (name,),
                )
            )
        elif chosen is not None and name in chosen.wrapper_variables:
            if Path(value).resolve() == chosen.prefix.resolve():
                continue
            findings.append(
                Finding(
                    "variable-names-other-installation",
                    "warning",
                    f"{name} names {value}, but {chosen.wrapper} belongs to {chosen.prefix}: "
                    "the wrapper and the launcher follow the variable.",
                    _right_root(name, chosen) or unset([name]),
                    (name,),
                )
            )
    return findings


def _right_root(name: str, chosen: Installation | None) -> str | None:
    """The line that sets a root variable of the chosen installation as it needs it."""
    if chosen is not None and name in chosen.wrapper_variables:
        return export({name: chosen.wrapper_variables[name]})
    return None


def _compilers(env: Mapping[str, str], chosen: Installation | None) -> list[Finding]:
    users: dict[str, list[Vendor]] = {}
    for one in vendors():
        for names in one.data["compilers"].values():
            for name in names:
                users.setdefault(name, []).append(one)
    findings = []
    for name, users_of_it in users.items():
        command = env.get(name, "").split()
        if not command or shutil.which(command[0], path=env.get("PATH")) is not None:
            continue
        mine = chosen is not None and any(one.key == chosen.vendor for one in users_of_it)
        titles = " or ".join(one.title for one in reversed(users_of_it))
        findings.append(
            Finding(
                "compiler-variable",
                "warning",
                f"{name} names the compiler {command[0]!r}, which is not there; the wrappers "
                f"{'' if mine else f'of {titles} '}fail.",
                unset([name]),
                (name,),
            )
        )
    return findings
