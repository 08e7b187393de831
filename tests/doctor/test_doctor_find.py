"""Finding MPI: which there are, which is chosen, why, and what belongs to it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.parser.find import choose, discover, environment
from mpiglot.parser.installation import Installation, canonical
from tests.doctor.doctor_fakes import fake_launcher, fake_mpi, script, tools

Mpi = Callable[[str], Installation]


def only(*folders: Path, env: dict[str, str]) -> dict[str, str]:
    return {**env, "PATH": ":".join(map(str, folders))}


@pytest.fixture
def basics(tmp_path: Path) -> Path:
    return tools(tmp_path / "tools", "sh", "gcc", "as", "ld")


def test_wrappers_that_are_links_to_each_other_are_one_installation(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    (wrapper.parent / "mpicxx").symlink_to("mpicc")
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "mpicc").symlink_to(wrapper)
    found = discover(only(wrapper.parent, other, basics, env=shell))
    assert [one.name for one in found if one.vendor == "mpich"] == ["mpich-9.8.7"]


def test_debian_alternatives_lead_to_the_wrapper_whose_name_counts(mpi: Mpi) -> None:
    mpi("openmpi-4.1.4")
    found = shutil.which("mpicc")
    if found is None or not Path(found).is_symlink():
        pytest.skip("mpicc is no alternative here")
    assert canonical(Path(found)).name in ("mpicc.openmpi", "mpicc.mpich")


@pytest.mark.parametrize(
    ("name", "wrapper", "launcher", "abi", "library"),
    [
        ("mpich-4.0.2", "mpicc.mpich", "mpiexec.mpich", "mpich", "libmpich.so.12"),
        ("openmpi-4.1.4", "mpicc", "mpiexec.openmpi", "ompi", "libmpi.so.40"),
        ("simgrid-3.32", "smpicc", "smpirun", "smpi", "libsimgrid.so.3.32"),
        ("mpich-5.0.2", "mpicc", "mpiexec.hydra", "mpich", "libmpi.so.12"),
        ("mpich-5.0.2-abi", "mpicc_abi", "mpiexec.hydra", "abi", "libmpi_abi.so.1"),
        ("openmpi-5.0.11", "mpicc", "mpiexec", "ompi", "libmpi.so.40"),
        ("intelmpi-2021.19.0", "mpicc", "mpiexec.hydra", "mpich", "libmpi.so.12"),
        ("intelmpi-2021.19.0-abi", "mpicc", "mpiexec.hydra", "abi", "libmpi_abi.so.1"),
    ],
)
def test_an_mpi_of_the_matrix_is_known_with_what_belongs_to_it(
    mpi: Mpi, name: str, wrapper: str, launcher: str, abi: str, library: str
) -> None:
    found = mpi(name)
    assert found.name == name
    assert found.wrapper.name in (wrapper, f"{wrapper}.openmpi")
    assert found.launcher is not None
    assert found.launcher.name == launcher
    assert found.abi == abi
    assert found.soname == library
    assert found.library is not None
    assert found.library.is_file()


def test_intel_is_never_started_with_its_mpirun(mpi: Mpi) -> None:
    assert "mpirun" not in [path.name for path in mpi("intelmpi-2021.19.0").launchers]


def test_the_first_wrapper_on_path_is_chosen_and_the_reason_says_so(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    first = fake_mpi(tmp_path / "one", "mpich")
    second = fake_mpi(tmp_path / "two", "openmpi")
    chosen = choose(None, only(second.parent, first.parent, basics, env=shell))
    assert chosen.name == "openmpi-9.8.7"
    assert str(second.parent) in chosen.why


def test_a_broken_first_wrapper_is_passed_over_and_the_reason_names_it(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    broken = script(tmp_path / "broken" / "mpicc", "#!/bin/sh\necho lost >&2\nexit 7\n")
    good = fake_mpi(tmp_path / "good")
    chosen = choose(None, only(broken.parent, good.parent, basics, env=shell))
    assert chosen.wrapper == good
    assert str(broken) in chosen.why
    assert "lost" in chosen.why


def test_mpicc_comes_before_path(tmp_path: Path, shell: dict[str, str], basics: Path) -> None:
    first = fake_mpi(tmp_path / "one", "mpich")
    second = fake_mpi(tmp_path / "two", "openmpi")
    env = {**only(first.parent, basics, env=shell), "MPICC": str(second)}
    chosen = choose(None, env)
    assert chosen.wrapper == second
    assert "MPICC" in chosen.why


def test_mpicc_that_names_nothing_is_an_error_that_says_so(shell: dict[str, str]) -> None:
    with pytest.raises(EnvironmentProblem, match="MPICC is set to '/nowhere/mpicc'"):
        choose(None, {**shell, "MPICC": "/nowhere/mpicc"})


def test_mpicc_that_is_no_command_is_a_usage_error(shell: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="MPICC"):
        choose(None, {**shell, "MPICC": "mpicc 'unclosed"})


@pytest.mark.parametrize("variable", ["MPI_HOME", "I_MPI_ROOT"])
def test_a_variable_that_names_a_folder_is_used_where_path_has_none(
    tmp_path: Path, shell: dict[str, str], basics: Path, variable: str
) -> None:
    wrapper = fake_mpi(tmp_path / "there")
    chosen = choose(None, {**only(basics, env=shell), variable: str(tmp_path / "there")})
    assert chosen.wrapper == wrapper
    assert variable in chosen.why


def test_a_script_that_calls_a_wrapper_leads_to_its_installation_and_launcher(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    real = fake_mpi(tmp_path / "there")
    mine = script(tmp_path / "mine" / "bin" / "mpicc", f'#!/bin/sh\nexec {real} "$@"\n')
    found = choose(str(mine), only(basics, env=shell))
    assert found.prefix == tmp_path / "there"
    assert found.launchers == (real.with_name("mpiexec"),)


def test_a_wrapper_may_be_named_with_arguments_of_its_own(mpi: Mpi) -> None:
    mpi("intelmpi-2021.19.0-abi")
    native = mpi("intelmpi-2021.19.0")
    assert choose(f"{native.wrapper} -mpi-abi").abi == "abi"


def test_a_folder_names_an_installation(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    wrapper = fake_mpi(tmp_path / "there")
    assert choose(str(tmp_path / "there"), only(basics, env=shell)).wrapper == wrapper


def test_a_name_of_the_matrix_is_looked_up_in_the_projects_folder(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    fake_mpi(tmp_path / "mpis" / "mpich-9.8.7")
    env = {**only(basics, env=shell), "MPIGLOT_MPI_DIR": str(tmp_path / "mpis")}
    assert choose("mpich-9.8.7", env).prefix == tmp_path / "mpis" / "mpich-9.8.7"


def test_a_name_that_is_not_there_says_what_is(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    wrapper = fake_mpi(tmp_path / "there")
    with pytest.raises(EnvironmentProblem, match=r"mpich-1\.2\.3.*found are: mpich-9\.8\.7"):
        choose("mpich-1.2.3", only(wrapper.parent, basics, env=shell))


def test_no_mpi_at_all_says_what_to_install(shell: dict[str, str], basics: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="apt install mpich"):
        choose(None, only(basics, env=shell))


def test_a_wrapper_whose_compiler_is_missing_is_named_with_the_compiler(
    tmp_path: Path, shell: dict[str, str]
) -> None:
    wrapper = fake_mpi(tmp_path / "there", compiler="nosuchcc")
    bare = tools(tmp_path / "bare", "sh")
    with pytest.raises(EnvironmentProblem, match="nosuchcc"):
        choose(None, only(wrapper.parent, bare, env=shell))


def test_a_cray_compiler_counts_only_where_cray_variables_show_it(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    root = tmp_path / "cray"
    fake_mpi(root, "mpich")
    # Like Cray's: no -show (it reaches the compiler, which does not know it), no visible flags.
    text = f'#!/bin/sh\nexec gcc -I{root}/include "$@" -L{root}/lib -lmpi\n'
    wrapper = script(tmp_path / "pe" / "cc", text)
    env = only(wrapper.parent, basics, env=shell)
    with pytest.raises(EnvironmentProblem):
        choose(None, env)
    chosen = choose(None, {**env, "CRAYPE_VERSION": "2.7"})
    assert chosen.wrapper == wrapper
    assert chosen.name == "mpich-9.8.7"


def test_a_wrapper_that_hangs_does_not_hang_the_search(
    tmp_path: Path, shell: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mpiglot.parser.wrapper.run", _impatient())
    sleeping = script(tmp_path / "bin" / "mpicc", "#!/bin/sh\nexec sleep 60\n")
    bare = tools(tmp_path / "bare", "sh", "sleep")
    with pytest.raises(EnvironmentProblem, match="did not end"):
        choose(str(sleeping), only(bare, env=shell))


def _impatient() -> Callable[..., object]:
    from mpiglot.parser.process import run

    def quick(command: list[str], **options: object) -> object:
        options["limit"] = 1.0
        return run(command, **options)  # type: ignore[arg-type]

    return quick


def test_a_launcher_of_another_vendor_beside_the_wrapper_does_not_belong_to_it(
    tmp_path: Path, shell: dict[str, str], basics: Path
) -> None:
    wrapper = fake_mpi(tmp_path / "there", "mpich")
    fake_launcher(wrapper.with_name("mpiexec"), "openmpi")
    assert choose(str(wrapper), only(basics, env=shell)).launchers == ()


def test_open_mpi_needs_permissions_by_its_version() -> None:
    four = Installation(Path("/x/bin/mpicc"), vendor="openmpi", version="4.1.4")
    five = Installation(Path("/x/bin/mpicc"), vendor="openmpi", version="5.0.11")
    for one in (four, five):
        assert environment(one, root=True)["OMPI_ALLOW_RUN_AS_ROOT"] == "1"
        assert "OMPI_ALLOW_RUN_AS_ROOT" not in environment(one, root=False)
    old, new = environment(four), environment(five)
    assert old["OMPI_MCA_rmaps_base_oversubscribe"] == "1"
    assert new["PRTE_MCA_rmaps_default_mapping_policy"] == "slot:oversubscribe"
    assert "OMPI_MCA_rmaps_base_oversubscribe" not in new


def test_intel_needs_its_root() -> None:
    one = Installation(Path("/x/bin/mpicc"), vendor="intelmpi", prefix=Path("/x"))
    assert environment(one)["I_MPI_ROOT"] == "/x"
