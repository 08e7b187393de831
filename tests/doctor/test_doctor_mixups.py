"""Each mix-up, set up for real with the MPIs of the matrix, is named with what to type."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mpiglot.doctor import Diagnosis, Finding, examine
from mpiglot.doctor.library import abi_header
from mpiglot.parser.installation import Installation
from tests.doctor.doctor_fakes import script, typed, with_program

Mpi = Callable[[str], Installation]
Home = Callable[[Installation], dict[str, str]]
Found = Callable[[Diagnosis], dict[str, str]]


def one(diagnosis: Diagnosis, wanted: str) -> Finding:
    found = [finding for finding in diagnosis.findings if finding.id == wanted]
    assert found, [finding.id for finding in diagnosis.findings]
    return found[0]


def kinds(diagnosis: Diagnosis) -> list[str]:
    return [finding.id for finding in diagnosis.findings]


# ------------------------------------------------------------------------------------- launchers


@pytest.mark.parametrize(
    ("name", "launcher", "own"),
    [
        ("mpich-4.0.2", "openmpi-4.1.4", "mpiexec.mpich -n 2 ./program"),
        ("openmpi-4.1.4", "mpich-4.0.2", "mpiexec.openmpi -n 2 ./program"),
        ("openmpi-5.0.11", "mpich-5.0.2", "/bin/mpiexec -n 2 ./program"),
        ("intelmpi-2021.19.0", "openmpi-4.1.4", "/bin/mpiexec.hydra -n 2 ./program"),
        ("openmpi-4.1.4", "intelmpi-2021.19.0", "mpiexec.openmpi -n 2 ./program"),
    ],
)
def test_a_launcher_under_which_every_rank_is_alone(
    name: str, launcher: str, own: str, mpi: Mpi, at_home: Home, findings: Found
) -> None:
    chosen, other = mpi(name), mpi(launcher)
    env = {**at_home(other), **at_home(chosen)}
    diagnosis = examine(str(chosen.wrapper), launcher=str(other.launcher), env=env)
    assert findings(diagnosis) == {"launcher-other": "error"}
    finding = one(diagnosis, "launcher-other")
    assert "2 times rank 0 of 1" in finding.message
    assert finding.fix.endswith(own)
    assert diagnosis.exit_code == 1


def test_a_launcher_under_which_ranks_die(mpi: Mpi, at_home: Home, findings: Found) -> None:
    chosen, other = mpi("mpich-5.0.2"), mpi("openmpi-5.0.11")
    env = {**at_home(other), **at_home(chosen)}
    diagnosis = examine(str(chosen.wrapper), launcher=str(other.launcher), env=env)
    assert findings(diagnosis) == {"launcher-other": "error"}
    assert "dies in MPI_Init" in one(diagnosis, "launcher-other").message


def test_intels_mpirun_that_takes_another_hydra(mpi: Mpi, at_home: Home, findings: Found) -> None:
    mpi("mpich-4.0.2")
    intel = mpi("intelmpi-2021.19.0")
    mpirun = intel.prefix / "bin" / "mpirun"
    diagnosis = examine(str(intel.wrapper), launcher=str(mpirun), env=at_home(intel))
    assert list(findings(diagnosis)) == ["launcher-other"]
    finding = one(diagnosis, "launcher-other")
    assert "MPICH 4.0.2" in finding.message
    assert finding.fix == f"{intel.launcher} -n 2 ./program"


def test_intels_mpirun_is_warned_of_before_it_is_used(
    mpi: Mpi, at_home: Home, tmp_path: Path
) -> None:
    mpi("mpich-4.0.2")
    intel = mpi("intelmpi-2021.19.0")
    env = at_home(intel)
    diagnosis = examine(str(intel.wrapper), env=env)
    assert one(diagnosis, "launcher-takes-other").severity == "info"
    with_program(intel.command, env, tmp_path)
    assert typed(diagnosis, "launcher-takes-other", env, tmp_path).code == 0


def test_a_launcher_of_another_release_that_does_no_harm(
    mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    chosen, other = mpi("mpich-4.0.2"), mpi("mpich-5.0.2")
    env = {**at_home(other), **at_home(chosen)}
    diagnosis = examine(str(chosen.wrapper), launcher=str(other.launcher), env=env)
    assert findings(diagnosis) == {}
    with_program(chosen.command, env, tmp_path)
    assert typed(diagnosis, "launcher-other-release", env, tmp_path).code == 0


def test_plain_mpiexec_of_another_mpi_in_front_on_path(
    mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    other = mpi("mpich-5.0.2")
    env = at_home(mpi("openmpi-4.1.4"))
    script(tmp_path / "front" / "mpiexec", f'#!/bin/sh\nexec {other.launcher} "$@"\n')
    env["PATH"] = f"{tmp_path / 'front'}:{env['PATH']}"
    diagnosis = examine("mpicc", env=env)
    assert findings(diagnosis) == {"launcher-other": "error"}
    assert str(tmp_path / "front" / "mpiexec") in one(diagnosis, "launcher-other").message
    assert diagnosis.run is not None
    assert diagnosis.run.verdict == "right"


def test_a_launcher_of_another_release_that_swaps_the_library(
    mpi: Mpi, at_home: Home, findings: Found
) -> None:
    chosen, other = mpi("openmpi-4.1.4"), mpi("openmpi-5.0.11")
    env = {**at_home(other), **at_home(chosen)}
    diagnosis = examine(str(chosen.wrapper), launcher=str(other.launcher), env=env)
    assert findings(diagnosis) == {"launcher-other": "warning"}
    assert "libmpi.so.40" in one(diagnosis, "launcher-other").message


# ------------------------------------------------------------------------------------- libraries


@pytest.mark.parametrize(
    ("name", "in_front", "title"),
    [
        ("mpich-5.0.2", "intelmpi-2021.19.0", "Intel MPI 2021.19.0"),
        ("mpich-5.0.2", "mpich-3.4.3", "MPICH 3.4.3"),
        ("intelmpi-2021.19.0", "mpich-5.0.2", "MPICH 5.0.2"),
        ("openmpi-4.1.4", "openmpi-5.0.11", "Open MPI 5.0.11"),
        ("mpich-5.0.2-abi", "intelmpi-2021.19.0-abi", "Intel MPI 2021.19.0"),
    ],
)
def test_ld_library_path_that_puts_another_library_in_front(
    name: str, in_front: str, title: str, mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    chosen, other = mpi(name), mpi(in_front)
    assert other.library is not None
    env = {**at_home(chosen), "LD_LIBRARY_PATH": f"/somewhere:{other.library.parent}"}
    if name.endswith("-abi"):
        env["MPIGLOT_MPI_DIR"] = str(chosen.prefix.parent)
    diagnosis = examine(str(chosen.wrapper), env=env)
    assert list(findings(diagnosis)) == ["library-other"]
    finding = one(diagnosis, "library-other")
    assert title in finding.message
    assert "LD_LIBRARY_PATH" in finding.message
    assert finding.fix == "export LD_LIBRARY_PATH=/somewhere"
    again = examine(str(chosen.wrapper), env=typed(diagnosis, "library-other", env, tmp_path).env)
    assert findings(again) == {}


def test_debians_mpich_program_that_loads_intels_library(
    mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    chosen, intel = mpi("mpich-4.0.2"), mpi("intelmpi-2021.19.0")
    assert intel.library is not None
    (tmp_path / "libmpich.so.12").symlink_to(intel.library)
    env = {**at_home(chosen), "LD_LIBRARY_PATH": str(tmp_path)}
    diagnosis = examine(str(chosen.wrapper), env=env)
    assert "library-other" in findings(diagnosis)
    finding = one(diagnosis, "library-other")
    assert "Intel MPI 2021.19.0" in finding.message
    assert finding.fix == "unset LD_LIBRARY_PATH"


@pytest.mark.parametrize(
    ("name", "preloaded"), [("mpich-4.0.2", "openmpi-4.1.4"), ("openmpi-4.1.4", "mpich-4.0.2")]
)
def test_ld_preload_of_the_other_abi_crashes_and_is_blamed_for_it(
    name: str, preloaded: str, mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    chosen, other = mpi(name), mpi(preloaded)
    env = {**at_home(chosen), "LD_PRELOAD": str(other.library)}
    diagnosis = examine(str(chosen.wrapper), env=env)
    assert findings(diagnosis) == {"library-of-other-abi": "error", "two-libraries": "error"}
    finding = one(diagnosis, "library-of-other-abi")
    assert finding.fix == "unset LD_PRELOAD"
    assert "Tried: because of it the program dies" in finding.message
    assert diagnosis.unset_here == ["LD_PRELOAD"]
    assert diagnosis.run is not None
    assert diagnosis.run.verdict == "right"
    with_program(chosen.command, at_home(chosen), tmp_path)
    shown = typed(diagnosis, "two-libraries", env, tmp_path).out
    assert str(other.library) in shown
    assert (chosen.soname or "?") in shown
    after = typed(diagnosis, "library-of-other-abi", env, tmp_path).env
    assert findings(examine(str(chosen.wrapper), env=after)) == {}


def test_a_tool_that_is_preloaded_is_not_taken_for_another_mpi(
    mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    """A PMPI tool defines MPI_Init itself; the library behind it is what counts."""
    chosen = mpi("mpich-4.0.2")
    source = tmp_path / "tool.c"
    source.write_text(
        "#include <mpi.h>\nint MPI_Init_thread(int *a, char ***b, int c, int *d)"
        " { return PMPI_Init_thread(a, b, c, d); }\n"
        "int MPI_Init(int *a, char ***b) { return PMPI_Init(a, b); }\n"
    )
    env = at_home(chosen)
    tool = tmp_path / "tool.so"
    command = [str(chosen.wrapper), "-shared", "-fPIC", str(source), "-o", str(tool)]
    assert os.spawnve(os.P_WAIT, command[0], command, env) == 0
    diagnosis = examine(str(chosen.wrapper), env={**env, "LD_PRELOAD": str(tool)})
    assert findings(diagnosis) == {}


def test_ld_library_path_with_a_library_that_is_not_loaded_is_only_noted(
    mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    chosen, other = mpi("openmpi-4.1.4"), mpi("mpich-5.0.2")
    assert other.library is not None
    folder = other.library.parent
    env = {**at_home(chosen), "LD_LIBRARY_PATH": f"{folder}:/somewhere"}
    diagnosis = examine(str(chosen.wrapper), env=env)
    assert findings(diagnosis) == {}
    assert one(diagnosis, "library-passed-over").fix == "export LD_LIBRARY_PATH=/somewhere"
    after = typed(diagnosis, "library-passed-over", env, tmp_path).env
    assert "library-passed-over" not in kinds(examine(str(chosen.wrapper), env=after))


# ------------------------------------------------------------------------------------- variables


def test_intel_without_its_root_variable(
    mpi: Mpi, shell: dict[str, str], findings: Found, tmp_path: Path
) -> None:
    intel = mpi("intelmpi-2021.19.0")
    diagnosis = examine(str(intel.wrapper), env=shell)
    assert findings(diagnosis) == {"variables-missing": "error"}
    assert one(diagnosis, "variables-missing").fix == f"export I_MPI_ROOT={intel.prefix}"
    assert diagnosis.run is not None
    assert diagnosis.run.verdict == "right"
    after = typed(diagnosis, "variables-missing", shell, tmp_path).env
    assert findings(examine(str(intel.wrapper), env=after)) == {}


def test_intels_root_variable_that_names_nothing(
    mpi: Mpi, shell: dict[str, str], findings: Found
) -> None:
    intel = mpi("intelmpi-2021.19.0")
    diagnosis = examine(str(intel.wrapper), env={**shell, "I_MPI_ROOT": "/nowhere"})
    assert findings(diagnosis) == {"variable-names-missing-folder": "error"}
    finding = one(diagnosis, "variable-names-missing-folder")
    assert finding.fix == f"export I_MPI_ROOT={intel.prefix}"
    assert "Tried" in finding.message


def test_intels_root_variable_that_names_another_release(
    mpi: Mpi, shell: dict[str, str], findings: Found, tmp_path: Path
) -> None:
    intel, other = mpi("intelmpi-2021.19.0"), mpi("intelmpi-2021.14.2")
    env = {**shell, "I_MPI_ROOT": str(other.prefix)}
    diagnosis = examine(str(intel.wrapper), env=env)
    assert findings(diagnosis) == {"variable-names-other-installation": "error"}
    assert "mpi.h of Intel MPI 2021.14.2" in diagnosis.findings[0].message
    after = typed(diagnosis, "variable-names-other-installation", env, tmp_path).env
    assert findings(examine(str(intel.wrapper), env=after)) == {}


def test_a_stale_root_variable_is_named_even_where_it_does_no_harm_yet(
    mpi: Mpi, at_home: Home, findings: Found
) -> None:
    env = {**at_home(mpi("openmpi-4.1.4")), "I_MPI_ROOT": "/nowhere"}
    diagnosis = examine("mpicc.openmpi", env=env)
    assert findings(diagnosis) == {"variable-names-missing-folder": "warning"}


@pytest.mark.parametrize("value", ["/nowhere", "openmpi-5.0.11"])
def test_opal_prefix_that_leads_open_mpi_astray(
    value: str, mpi: Mpi, at_home: Home, findings: Found
) -> None:
    folder = value if value.startswith("/") else str(mpi(value).prefix)
    env = {**at_home(mpi("openmpi-4.1.4")), "OPAL_PREFIX": folder}
    diagnosis = examine("mpicc.openmpi", env=env)
    assert list(findings(diagnosis).values()) == ["error"]
    finding = diagnosis.findings[0]
    assert finding.variables == ("OPAL_PREFIX",)
    assert finding.fix == "unset OPAL_PREFIX"
    assert diagnosis.run is not None
    assert diagnosis.run.verdict == "right"


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openmpi-4.1.4", "OMPI_CC"),
        ("mpich-4.0.2", "MPICH_CC"),
        ("intelmpi-2021.19.0", "I_MPI_CC"),
    ],
)
def test_a_variable_that_names_a_missing_compiler(
    name: str, variable: str, mpi: Mpi, at_home: Home, findings: Found
) -> None:
    chosen = mpi(name)
    diagnosis = examine(str(chosen.wrapper), env={**at_home(chosen), variable: "nosuchcc"})
    assert findings(diagnosis) == {"compiler-variable": "error"}
    assert one(diagnosis, "compiler-variable").fix == f"unset {variable}"


@pytest.mark.parametrize(
    ("name", "variable", "value"),
    [
        ("openmpi-4.1.4", "OMPI_MCA_btl", "nosuch"),
        ("openmpi-4.1.4", "OMPI_MCA_pml", "nosuch"),
        ("mpich-4.0.2", "UCX_TLS", "nosuch"),
    ],
)
def test_a_setting_that_breaks_the_run_is_found_by_trying(
    name: str, variable: str, value: str, mpi: Mpi, at_home: Home, findings: Found
) -> None:
    chosen = mpi(name)
    env = {**at_home(chosen), variable: value, "FI_HARMLESS": "1", "OMPI_MCA_harmless": "1"}
    diagnosis = examine(str(chosen.wrapper), env=env)
    assert findings(diagnosis) == {"variable-breaks-running": "error"}
    assert one(diagnosis, "variable-breaks-running").fix == f"unset {variable}"


def test_settings_in_the_home_folder_that_break_the_run(
    mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    env = at_home(mpi("openmpi-4.1.4"))
    settings = Path(env["HOME"]) / ".openmpi" / "mca-params.conf"
    settings.parent.mkdir()
    settings.write_text("btl = nosuch\n")
    diagnosis = examine("mpicc.openmpi", env=env)
    assert findings(diagnosis) == {"user-settings-break-running": "error"}
    assert str(settings) in one(diagnosis, "user-settings-break-running").fix
    after = typed(diagnosis, "user-settings-break-running", env, tmp_path).env
    assert findings(examine("mpicc.openmpi", env=after)) == {}


def test_ucx_that_takes_a_signal_from_java(mpi: Mpi, at_home: Home, tmp_path: Path) -> None:
    env = at_home(mpi("mpich-4.0.2"))
    env.pop("UCX_ERROR_SIGNALS", None)
    diagnosis = examine("mpicc.mpich", env=env)
    assert one(diagnosis, "ucx-signal-handler").severity == "info"
    after = typed(diagnosis, "ucx-signal-handler", env, tmp_path).env
    assert "ucx-signal-handler" not in kinds(examine("mpicc.mpich", env=after))


def test_variables_that_a_launcher_left_behind_and_that_matter(
    mpi: Mpi, at_home: Home, findings: Found
) -> None:
    left = {"PMI_RANK": "0", "PMI_SIZE": "4", "PMI_FD": "9"}
    diagnosis = examine("mpicc.mpich", env={**at_home(mpi("mpich-4.0.2")), **left})
    assert findings(diagnosis) == {"leftover-launcher-variables": "error"}
    assert one(diagnosis, "leftover-launcher-variables").fix == "unset PMI_FD PMI_RANK PMI_SIZE"


def test_variables_that_a_launcher_left_behind_and_that_stop_its_next_run(
    mpi: Mpi, at_home: Home, findings: Found
) -> None:
    left = {"OMPI_MCA_ess": "env", "OMPI_MCA_orte_ess_jobid": "1", "OMPI_MCA_orte_ess_vpid": "0"}
    diagnosis = examine("mpicc.openmpi", env={**at_home(mpi("openmpi-4.1.4")), **left})
    assert findings(diagnosis) == {"leftover-launcher-variables": "error"}
    assert one(diagnosis, "leftover-launcher-variables").fix == f"unset {' '.join(sorted(left))}"


@pytest.mark.parametrize("name", ["mpich-4.0.2", "openmpi-4.1.4"])
def test_variables_of_a_foreign_launcher_left_behind(
    name: str, mpi: Mpi, at_home: Home, findings: Found
) -> None:
    left = {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0", "PMIX_RANK": "0"}
    chosen = mpi(name)
    diagnosis = examine(str(chosen.wrapper), env={**at_home(chosen), **left})
    assert list(findings(diagnosis)) == ["leftover-launcher-variables"]
    for variable in left:
        assert variable in one(diagnosis, "leftover-launcher-variables").fix


def test_mpicc_that_names_nothing(mpi: Mpi, at_home: Home, findings: Found) -> None:
    env = {**at_home(mpi("openmpi-4.1.4")), "MPICC": "/nowhere/mpicc"}
    diagnosis = examine(env=env)
    assert findings(diagnosis) == {"mpicc-variable": "error"}
    assert diagnosis.chosen is not None


# ----------------------------------------------------------------------------------- permissions


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is refused")
@pytest.mark.parametrize("name", ["openmpi-4.1.4", "openmpi-5.0.11"])
def test_open_mpi_that_refuses_root(
    name: str, mpi: Mpi, shell: dict[str, str], findings: Found, tmp_path: Path
) -> None:
    diagnosis = examine(str(mpi(name).wrapper), env=shell)
    assert findings(diagnosis) == {"permission-root": "error"}
    wanted = "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
    assert one(diagnosis, "permission-root").fix == wanted
    assert diagnosis.run is not None
    assert diagnosis.run.verdict == "right"
    after = typed(diagnosis, "permission-root", shell, tmp_path).env
    assert findings(examine(str(mpi(name).wrapper), env=after)) == {}


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("openmpi-4.1.4", "export OMPI_MCA_rmaps_base_oversubscribe=1"),
        ("openmpi-5.0.11", "export PRTE_MCA_rmaps_default_mapping_policy=slot:oversubscribe"),
    ],
)
def test_open_mpi_that_refuses_more_ranks_than_processors(
    name: str, fix: str, mpi: Mpi, at_home: Home, findings: Found, tmp_path: Path
) -> None:
    ranks = (os.cpu_count() or 1) + 1
    if ranks > 17:
        pytest.skip("too many processors to oversubscribe them in a test")
    chosen = mpi(name)
    env = {name: value for name, value in at_home(chosen).items() if "oversub" not in value}
    env.pop("OMPI_MCA_rmaps_base_oversubscribe", None)
    diagnosis = examine(str(chosen.wrapper), ranks=ranks, env=env)
    assert findings(diagnosis) == {"permission-oversubscribe": "error"}
    assert one(diagnosis, "permission-oversubscribe").fix == fix
    assert diagnosis.run is not None
    assert diagnosis.run.verdict == "right"
    after = typed(diagnosis, "permission-oversubscribe", env, tmp_path).env
    assert findings(examine(str(chosen.wrapper), ranks=ranks, env=after)) == {}


# ---------------------------------------------------------------------------------- standard ABI


def examined(name: str, mpi: Mpi, at_home: Home) -> Diagnosis:
    chosen = mpi(name)
    if not name.startswith("intelmpi"):
        return examine(str(chosen.wrapper), env=at_home(chosen))
    env = {**at_home(chosen), "MPIGLOT_MPI_DIR": str(Path(chosen.why.split()[-2]).parent)}
    return examine(name, env=env)


def test_the_abi_header_that_deviates_from_the_forums_is_noted(mpi: Mpi, at_home: Home) -> None:
    note = one(examined("intelmpi-2021.19.0-abi", mpi, at_home), "abi-header-differs")
    assert note.severity == "info"
    assert set(re.findall(r"(MPI_\w+) -?\d+ \(standard", note.message)) == {
        *("MPI_ERRORS_ABORT", "MPI_ERRORS_RETURN", "MPI_SEEK_SET", "MPI_SEEK_CUR", "MPI_SEEK_END"),
        *("MPI_UNIVERSE_SIZE", "MPI_APPNUM", "MPI_LASTUSEDCODE"),
    }
    assert "MPI_SEEK_SET 401 (standard 403)" in note.message


def test_the_abi_header_with_the_forums_values_is_not_noted(mpi: Mpi, at_home: Home) -> None:
    diagnosis = examined("mpich-5.0.2-abi", mpi, at_home)
    assert diagnosis.chosen is not None
    assert diagnosis.chosen.abi == "abi"
    assert "abi-header-differs" not in [finding.id for finding in diagnosis.findings]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("#define MPI_WIN_NULL ((MPI_Win)0x00000111)", "MPI_WIN_NULL 273 (standard 272)"),
        ("  MPI_ANY_SOURCE = -2,", "MPI_ANY_SOURCE -2 (standard -1)"),
        ("#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-2)", "MPI_DISPLACEMENT_CURRENT -2 "),
        ("#  define MPI_MAX_OBJECT_NAME 64 /* 128 */", "MPI_MAX_OBJECT_NAME 64 (standard 128)"),
        ("#define MPI_ANY_TAG (-5)", "MPI_ANY_TAG -5 "),
        ("#define MPI_WIN_NULL ((MPI_Win)0x00000110)", ""),
        ("#define MPI_OTHER 5", ""),
    ],
)
def test_every_constant_of_an_abi_header_is_compared(line: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mpi_abi.h").write_text(f"/* of a test */\n{line}\n")
    place = Installation(tmp_path / "mpicc", abi="abi", header=tmp_path / "mpi.h")
    note = abi_header(place)
    assert said in note.message if note else not said
    assert bool(note) == bool(said)
