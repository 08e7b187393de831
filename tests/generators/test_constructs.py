"""Each construct of a strange header: probed, generated in three languages, compiled as C++."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.commands import _floor as floor
from mpiglot.commands._proof import prove, unknown_names
from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.inputs import Inputs, Named
from mpiglot.parser.floor import PATH
from mpiglot.parser.probe import probe
from mpiglot.parser.wrapper import read
from tests.generators.constructs import CONSTRUCTS, Construct
from tests.generators.test_subset import mpiglot, run
from tests.parser import fake_mpi

VERSIONS = Path(__file__).parents[2] / "docs" / "guide" / "versions.md"
PAGE = Path(__file__).parents[2] / "docs" / "guide" / "constructs.md"

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")


def build(construct: Construct, folder: Path) -> fake_mpi.FakeMpi:
    return fake_mpi.build(folder / "mpi", construct.header, construct.library)


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_each_construct_is_served_or_left_out_by_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CXX", raising=False)
    construct = CONSTRUCTS[name]
    made = build(construct, tmp_path)
    blueprint = probe(read(made.mpicc)).blueprint
    assert set(construct.omitted) <= {o.name for o in blueprint.omitted}
    inputs = Inputs([Named(name, blueprint, "")])
    for language in ("go", "java"):
        assert produce(Unit(language, None, Path()), inputs).files
    unit = Unit("cpp", name, tmp_path / "cpp")
    if construct.refused:
        with pytest.raises(EnvironmentProblem, match=construct.refused):
            prove(unit, inputs)
        return
    proof = prove(unit, inputs)
    assert sorted(proof.left_out) == sorted(construct.left_out)
    remarked = {sentence.partition(":")[0] for sentence in proof.product.warnings}
    assert {*construct.left_out, *construct.unservable} <= remarked
    proof.product.write()
    compiles(tmp_path / "cpp", made)


def compiles(layer: Path, made: fake_mpi.FakeMpi) -> None:
    """The check's own verdict is checked, too: by an object file that links."""
    source = layer / "all.cpp"
    source.write_text(
        "#include <mpiglot/mpi.hpp>\n"
        "int main(int, char**) { mpiglot::mpi::init(); mpiglot::mpi::finalize(); }\n",
        encoding="utf-8",
    )
    done = run(
        "g++", "-std=c++20", "-O0", f"-I{layer}", f"-I{made.prefix}/include", source,
        "-o", layer / "all", f"-L{made.prefix}/lib", "-lfake",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_what_is_left_out_is_said_alike_by_generate_and_show(tmp_path: Path) -> None:
    made = build(CONSTRUCTS["for_c_only"], tmp_path)
    probed = tmp_path / "b.json"
    assert mpiglot(tmp_path, "probe", "--mpicc", made.mpicc, "-o", probed).returncode == 0
    arguments = ("generate", "cpp", "--blueprint", probed, "-o", tmp_path / "cpp")
    done = mpiglot(tmp_path, *arguments)
    assert done.returncode == 1
    said = "MPI_Barrier: left out: the header declares it for C only"
    assert f"cpp: {said}" in done.stderr
    assert said in mpiglot(tmp_path, "show", probed).stdout
    one = mpiglot(tmp_path, "show", probed, "MPI_Barrier").stdout
    assert (
        "barrier(comm_handle comm) noexcept\n  (left out: the header declares it for C only)" in one
    )
    one = mpiglot(tmp_path, "show", probed, "MPIX_ONLY_IN_C").stdout
    assert "\nC++\n  left out: the header declares it for C only\n" in one
    assert mpiglot(tmp_path, *arguments, "--no-check").returncode == 0


def with_pmpi(construct: Construct) -> Construct:
    """The same header with the profiling interface, and the functions that the library asks."""
    prototype = re.compile(r"^(\w[\w ]*[ *])(MPIX?_\w+\(.*\);)$", re.MULTILINE)
    header = prototype.sub(r"\1\2 \1P\2", construct.header)
    more = "int PMPI_Finalized(int *flag); int PMPI_Initialized("
    return replace(construct, header=header.replace("int PMPI_Initialized(", more))


def test_the_pmpi_library_leaves_out_what_the_layer_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = build(with_pmpi(CONSTRUCTS["for_c_only"]), tmp_path)
    named = Named("own", probe(read(made.mpicc)).blueprint, "")
    proof = prove(Unit("pmpi", "own", tmp_path / "out"), Inputs([named]))
    assert sorted(proof.left_out) == sorted(CONSTRUCTS["for_c_only"].left_out)
    assert "pmpi/report.cpp" in [f.path for f in proof.product.files]


def test_a_mistake_in_a_source_of_the_pmpi_library_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The header's own prototype is another than the one that is defined: of `PMPI_` only."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    construct = with_pmpi(CONSTRUCTS["for_c_only"])
    gone = re.sub(r"int PMPI_Comm_size\(.*?\);", "", construct.header)
    made = build(replace(construct, header=gone), tmp_path)
    named = Named("own", probe(read(made.mpicc)).blueprint, "")
    assert prove(Unit("cpp", "own", tmp_path / "out"), Inputs([named])).left_out
    with pytest.raises(EnvironmentProblem, match=r"pmpi/\w+\.cpp:\d+: 'PMPI_Comm_size' was not"):
        prove(Unit("pmpi", "own", tmp_path / "out"), Inputs([named]))


def test_a_package_leaves_out_what_does_not_compile(tmp_path: Path) -> None:
    made = build(CONSTRUCTS["for_c_only"], tmp_path)
    probed = tmp_path / "own.json"
    assert mpiglot(tmp_path, "probe", "--mpicc", made.mpicc, "-o", probed).returncode == 0
    arguments = ("package", "cpp", "--blueprint", probed, "--target", "mpich-4.0.2")
    done = mpiglot(tmp_path, *arguments, "-o", tmp_path / "checked")
    assert done.returncode == 1, done.stderr
    assert "cpp: own: MPI_Barrier: left out: the header declares it for C only" in done.stderr
    # It has no profiling interface either.
    assert "cpp: own: without its PMPI library: the C++ for own does not compile" in done.stderr
    layers = tmp_path / "checked" / "share" / "mpiglot" / "layers"
    assert not (layers / "own" / "pmpi").exists()
    assert (layers / "mpich-4.0.2" / "pmpi" / "build").is_file()
    compiles(layers / "own", made)
    assert mpiglot(tmp_path, *arguments, "--no-check", "-o", tmp_path / "all").returncode == 0


def test_without_a_compiler_names_that_the_header_lacks_are_found(tmp_path: Path) -> None:
    made = build(CONSTRUCTS["names_of_2_1"], tmp_path)
    blueprint = probe(read(made.mpicc)).blueprint
    blueprint.toolchain.paths = {}
    named = Named("portable", blueprint, "")
    files = prove(Unit("cpp", "portable", tmp_path), Inputs([named])).product.files
    assert unknown_names(files, blueprint) == []
    blueprint.functions = [f for f in blueprint.functions if f.name != "MPI_Comm_rank"]
    found = unknown_names(files, blueprint)
    assert {c.what for c in found} == {"the header does not declare MPI_Comm_rank"}
    assert {c.path for c in found} == {"mpiglot/mpi/groups.hpp"}


def test_a_blueprint_gets_no_program_started_but_a_compiler(tmp_path: Path) -> None:
    made = build(CONSTRUCTS["names_of_2_1"], tmp_path)
    blueprint = probe(read(made.mpicc)).blueprint
    mark = tmp_path / "mark"
    blueprint.toolchain.paths["command"] = ["touch", str(mark), "gcc"]
    blueprint.toolchain.paths["flags"] += [
        "-fplugin=x.so",
        f"-fdump-tree-all={mark}",
        "-o",
        str(mark),
    ]
    inputs = Inputs([Named("hostile", blueprint, "")])
    assert prove(Unit("cpp", "hostile", tmp_path), inputs).left_out == {}
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("mark")]


def test_the_floor_is_what_generated_code_needs() -> None:
    assert PATH.read_text(encoding="utf-8") == floor.text()
    named = [name for names in json.loads(floor.text()).values() for name in names]
    assert [n for n in named if n not in CONSTRUCTS["hardly_anything"].header] == []
    page = VERSIONS.read_text(encoding="utf-8")
    assert [n for n in named if f"`{n}`" not in page] == []


def test_the_page_lists_every_construct() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows[1:] == [(c.title, c.outcome) for c in CONSTRUCTS.values()]
