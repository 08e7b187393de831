"""Generated C++ against real MPIs: everything compiles, links, and calls what the MPI has."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mpiglot.generators.cpp import generator as cpp
from mpiglot.generators.cpp.callbacks import callbacks
from mpiglot.generators.cpp.functions import FunctionWriter, Parameter, type_of
from mpiglot.generators.cpp.target import CppTarget, look_up
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.jinja import environment
from mpiglot.generators.model import PlannedFunction, Request, Response
from mpiglot.generators.policy import presence_on
from tests.generators.programs import INSTALLED
from tests.limits import guard
from tests.tiers import in_turn

WARNINGS = [
    "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wcast-qual",
    "-Wshadow", "-Wno-deprecated-declarations", "-Werror",
]  # fmt: skip
QUIET = "#pragma GCC system_header\n"  # for users; here compilers shall tell what they see
OPTIONS = ["-std=c++20", "-DMPIGLOT_DEPRECATED", "-DMPIGLOT_CALLBACK_SLOTS=2"]
# target -> C++ wrapper; those of the project's own folder may not have been obtained.
WRAPPERS = {
    "mpich-4.0.2": "mpicxx.mpich",
    "openmpi-4.1.4": "mpicxx.openmpi",
    "openmpi-4.1.8": str(INSTALLED / "openmpi-4.1.8/bin/mpicxx"),
    "mpich-5.0.2-abi": str(INSTALLED / "mpich-5.0.2/bin/mpicxx_abi"),
    "mpich-4.3.2": str(INSTALLED / "mpich-4.3.2/bin/mpicxx"),
}
TARGETS = ["mpich-4.0.2", "openmpi-4.1.4", "mpich-5.0.2-abi", "mpich-4.3.2"]


def wrapper(name: str) -> str:
    found = shutil.which(WRAPPERS[name])
    if found is None:
        pytest.skip(f"{WRAPPERS[name]} is not installed")
    return found


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, timeout=guard(280), check=False
    )


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return Inputs.of_known()


class Layers(dict[str, Path]):
    """The generated layer of each target, written out when first asked for."""

    def __init__(self, inputs: Inputs, folders: pytest.TempPathFactory) -> None:
        self.inputs, self.folders = inputs, folders

    def __missing__(self, name: str) -> Path:
        self[name] = self.folders.mktemp(name)
        write(generated(self.inputs, name), self[name], quiet=False)
        return self[name]


@pytest.fixture(scope="module")
def layers(inputs: Inputs, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return Layers(inputs, tmp_path_factory)


def write(response: Response, folder: Path, *, quiet: bool) -> None:
    for f in response.files:
        path = folder / f.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f.content if quiet else f.content.replace(QUIET, ""), encoding="utf-8")


def generated(inputs: Inputs, name: str) -> Response:
    return cpp.generate(Request("cpp", inputs.atlas, inputs.plan, target=name))


# --------------------------------------------------------------------------- everything, used once


def uses(inputs: Inputs, target: CppTarget) -> str:
    """A program that uses every function in both layers, templates included."""
    writer = FunctionWriter(target)
    forms: Any = environment().get_template("cpp/callback_parameters.jinja").module
    signatures = {
        c.c_name: [forms.shown(p).removesuffix(f" {p.name}") for p in c.others]
        for c in callbacks(target, inputs.plan)
    }
    lines = ["#include <string>", "#include <mpiglot/mpi.hpp>", "namespace mpi = mpiglot::mpi;"]
    lines += ["using namespace mpiglot::mpi;", "int captured = 0;", "int main() {"]
    for function in inputs.plan.functions:
        if function.decision != "generate":
            continue
        if not target.provider(function) and any(a.kind == "callback" for a in function.arguments):
            continue  # takes anything and throws
        seen = set()
        for wide in (False, True) if function.dispatch == "overload" else (True,):
            parameters = writer.parameters(function, wide)
            declarations = ", ".join(f"{type_of(p)} {p.name}" for p in parameters if not p.template)
            if declarations not in seen:
                name = target.function_names[function.name]
                lines += use(function, name, parameters, declarations, signatures)
            seen.add(declarations)
    lines += ["  return captured;", "}"]
    return "\n".join(lines) + "\n"


def use(
    function: PlannedFunction,
    name: str,
    parameters: list[Parameter],
    declarations: str,
    callables: dict[str, list[str]],
) -> list[str]:
    types = {a.name: a.type for a in function.arguments}
    passed = []
    for p in parameters:
        if p.template:
            own = ", ".join(callables[types[p.name]])
            passed.append(f"[&]({own}) {{ ++captured; }}")
        else:
            passed.append(p.name)
    return [
        f"  static_cast<void>([]({declarations}) {{ "
        f"static_cast<void>({layer}{name}({', '.join(passed)})); }});"
        for layer in ("mpi::", "mpi::nothrow::")
    ]


@pytest.mark.parametrize("name", in_turn(TARGETS))
def test_every_function_compiles_and_calls_the_function_of_c(
    name: str, inputs: Inputs, layers: dict[str, Path], tmp_path: Path
) -> None:
    compiler = wrapper(name)
    target = look_up(inputs.atlas, inputs.plan, name)
    source, program = tmp_path / "uses.cpp", tmp_path / "uses"
    source.write_text(uses(inputs, target), encoding="utf-8")
    options = [*OPTIONS, *WARNINGS, "-fkeep-inline-functions", "-Wno-unused-but-set-parameter"]
    done = run(compiler, *options, "-I", layers[name], source, "-o", program)
    assert done.returncode == 0, done.stderr[-3000:]

    called = set(re.findall(r"\bU (MPIX?_\w+)", run("nm", "-D", program).stdout))
    functions = {f.function.name for f in inputs.atlas.functions}
    aliases = {f.name for f in inputs.plan.functions if f.decision == "alias"}
    skipped = {f.name for f in inputs.plan.functions if f.decision == "skip"}
    macros = {
        f.function.name for f in inputs.atlas.functions if (p := presence_on(f, name)) and p.macro
    }
    linking = {f for f in functions if target.status[f] == "links"} - macros
    assert called & functions <= linking
    replaced = {  # by their twins, whose outputs are never too small
        f.name for f in inputs.plan.functions if f.dispatch == "large" and target.twin(f)
    }
    assert sorted(linking - called - skipped - aliases - replaced) == []
    assert len(called & functions) > 380


@pytest.mark.parametrize("name", in_turn(TARGETS))
def test_every_constant_is_there(name: str, inputs: Inputs, layers: dict[str, Path]) -> None:
    headers = ("constants", "error_class", "sentinels")
    text = "".join((layers[name] / f"mpiglot/mpi/{h}.hpp").read_text("utf-8") for h in headers)
    target = look_up(inputs.atlas, inputs.plan, name)
    lost = {c for c in target.constants if not re.search(rf"\b{c}\b", text)}
    assert {c for c in lost if target.constants[c][0].cls != "type"} == set()


@pytest.mark.parametrize("name", in_turn(TARGETS))
@pytest.mark.parametrize("mode", ["plain", "clang", "without exceptions", "profiling"])
def test_all_headers_compile_without_a_warning(
    name: str, mode: str, layers: dict[str, Path], tmp_path: Path
) -> None:
    compiler = wrapper(name)
    more = {
        "plain": ["-Wduplicated-branches", "-Wlogical-op"],
        "without exceptions": ["-fno-exceptions", "-fno-rtti"],
        "profiling": ["-DMPIGLOT_USE_PMPI"],
    }.get(mode, [])
    if mode == "clang":
        if shutil.which("clang++-19") is None:
            pytest.skip("clang++-19 is not installed")
        shown = run(compiler, "-show").stdout.split()
        compiler = "clang++-19"
        more = [w for w in shown if w.startswith(("-I", "-D"))]
    for header in sorted((layers[name] / "mpiglot").rglob("*.hpp")):
        include = header.relative_to(layers[name])
        if mode != "plain" and include.name != "mpi.hpp":
            continue  # each header on its own: once is enough
        if include.parent.name == "calls":
            continue  # calls.hpp has all of them
        source = tmp_path / f"{include.stem}.cpp"
        source.write_text(f"#include <{include}>\n", encoding="utf-8")
        command = [compiler, *OPTIONS, *WARNINGS, *more, "-fsyntax-only", "-I", str(layers[name])]
        done = run(*command, source)
        assert done.returncode == 0, f"{include}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("name", in_turn(["mpich-4.0.2", "openmpi-4.1.4"]))
def test_strict_projects_hear_nothing_of_what_mpi_h_is_made_of(
    name: str, inputs: Inputs, tmp_path: Path
) -> None:
    write(generated(inputs, name), tmp_path, quiet=True)
    source = tmp_path / "uses.cpp"
    source.write_text(uses(inputs, look_up(inputs.atlas, inputs.plan, name)), encoding="utf-8")
    strict = ["-Wold-style-cast", "-Wzero-as-null-pointer-constant"]
    command = [wrapper(name), *OPTIONS, *WARNINGS, *strict, "-Wno-unused-but-set-parameter"]
    done = run(*command, "-fsyntax-only", "-I", tmp_path, source)
    assert done.returncode == 0, done.stderr[-3000:]


def test_a_profiling_library_calls_pmpi_wherever_there_is_one(
    layers: dict[str, Path], tmp_path: Path
) -> None:
    source, program = tmp_path / "all.cpp", tmp_path / "all"
    source.write_text("#include <string>\n#include <mpiglot/mpi.hpp>\nint main() {}\n")
    options = [*OPTIONS, "-DMPIGLOT_USE_PMPI", "-fkeep-inline-functions"]
    layer = layers["openmpi-4.1.4"]
    done = run(wrapper("openmpi-4.1.4"), *options, "-I", layer, source, "-o", program)
    assert done.returncode == 0, done.stderr[-3000:]
    called = re.findall(r"\bU (P?MPIX?_\w+)", run("nm", "-D", program).stdout)
    assert [f for f in called if not f.startswith("P")] == ["MPIX_Query_cuda_support"]
    assert len(called) > 380


# --------------------------------------------------------------------------- the wrong MPI


def try_header(compiler: str, layer: Path, tmp_path: Path, *options: str) -> str:
    source = tmp_path / "one.cpp"
    source.write_text("#include <mpiglot/mpi.hpp>\n", encoding="utf-8")
    return run(compiler, *OPTIONS, *options, "-fsyntax-only", "-I", layer, source).stderr


@pytest.mark.parametrize(
    ("layer", "other", "title"),
    [
        ("mpich-4.0.2", "openmpi-4.1.4", "MPICH 4.0.2"),
        ("openmpi-4.1.4", "mpich-4.0.2", "Open MPI 4.1.4"),
        ("mpich-5.0.2-abi", "mpich-4.0.2", "the MPI 5.0 ABI"),
    ],
)
def test_another_mpi_is_refused_with_a_sentence(
    layer: str, other: str, title: str, layers: dict[str, Path], tmp_path: Path
) -> None:
    errors = try_header(wrapper(other), layers[layer], tmp_path)
    assert f"These mpiglot bindings were generated for {title}, but <mpi.h> is another" in errors
    assert "mpiglot generate cpp" in errors


def test_a_patch_release_of_the_same_series_is_accepted(
    layers: dict[str, Path], tmp_path: Path
) -> None:
    assert try_header(wrapper("openmpi-4.1.8"), layers["openmpi-4.1.4"], tmp_path) == ""


def test_another_series_of_the_same_mpi_is_refused(layers: dict[str, Path], tmp_path: Path) -> None:
    header = tmp_path / "mpi.h"
    header.write_text("#define MPICH_NUMVERSION 40100300\n", encoding="utf-8")
    few = "-fmax-errors=20"  # nothing else is declared there either
    errors = try_header("g++", layers["mpich-4.0.2"], tmp_path, f"-I{tmp_path}", few)
    assert "generated for MPICH 4.0.2, and <mpi.h> is of another series" in errors


@pytest.mark.parametrize(
    ("name", "constant", "value"),
    [
        ("mpich-4.0.2", "MPI_ANY_TAG", "7"),
        ("mpich-4.0.2", "MPI_INT", "((MPI_Datatype)0x4c000101)"),
        ("mpich-4.0.2", "MPI_IN_PLACE", "((void*)7)"),
        ("openmpi-4.1.4", "MPI_INT", "MPI_CHAR"),
        ("openmpi-4.1.4", "MPI_COMM_DUP_FN", "MPI_COMM_NULL_COPY_FN"),
    ],
)
def test_a_constant_that_differs_is_named(
    name: str, constant: str, value: str, layers: dict[str, Path], tmp_path: Path
) -> None:
    change = tmp_path / "change.h"
    change.write_text(
        "#define MPICH_SKIP_MPICXX 1\n#define OMPI_SKIP_MPICXX 1\n#include <mpi.h>\n"
        f"#undef {constant}\n#define {constant} {value}\n",
        encoding="utf-8",
    )
    errors = try_header(wrapper(name), layers[name], tmp_path, "-include", str(change))
    said = f"{constant} differs from the MPI that these mpiglot bindings were generated"
    assert errors.count("differs from the MPI") == errors.count(said) > 0


def test_an_integer_type_of_the_same_size_is_another_one(
    layers: dict[str, Path], tmp_path: Path
) -> None:
    """Debian's MPICH 4.0.2 has MPI_Count as long; as its authors make it, it is long long."""
    change = tmp_path / "change.h"
    change.write_text(
        "#define MPICH_SKIP_MPICXX 1\n#include <mpi.h>\n#define MPI_Count long long\n",
        encoding="utf-8",
    )
    name = "mpich-4.0.2"
    errors = try_header(wrapper(name), layers[name], tmp_path, "-include", str(change))
    assert "__is_same(MPI_Count, long) differs from the MPI that these mpiglot" in errors


def test_a_callable_that_answers_with_a_bool_is_told_that_true_is_an_error(
    layers: dict[str, Path], tmp_path: Path
) -> None:
    source = tmp_path / "answers.cpp"
    source.write_text(
        "#include <mpiglot/mpi/attributes.hpp>\n"
        "namespace mpi = mpiglot::mpi;\n"
        "const int key = mpi::comm_create_keyval(mpi::comm_dup_fn,\n"
        "    [](mpi::comm_handle, int, void*) { return true; });\n"
    )
    name = "openmpi-4.1.4"
    said = run(wrapper(name), *OPTIONS, "-fsyntax-only", "-I", layers[name], source).stderr
    assert "the callable must return an error code of MPI or nothing: `true` would be an" in said


def test_a_callable_that_takes_something_else_is_told_what_it_is_called_with(
    layers: dict[str, Path], tmp_path: Path
) -> None:
    source = tmp_path / "adds.cpp"
    source.write_text(
        "#include <mpiglot/mpi/collectives.hpp>\n"
        "const auto op = mpiglot::mpi::op_create([](int a, int b) { return a + b; }, true);\n"
    )
    name = "openmpi-4.1.4"
    said = run(wrapper(name), *OPTIONS, "-fsyntax-only", "-I", layers[name], source).stderr
    assert (
        "MPI_User_function: the callable must take "
        "(void* invec, void* inoutvec, int len, datatype_handle datatype)"
    ) in said


@pytest.mark.parametrize("version", ["2021.18.1", "2021.19.0"])
def test_the_abi_header_of_intel_is_accepted_though_eight_of_its_values_differ(
    version: str, layers: dict[str, Path], tmp_path: Path
) -> None:
    include = INSTALLED / f"intelmpi-{version}/include"
    if not (include / "mpi_abi.h").exists():
        pytest.skip(f"Intel MPI {version} is not installed")
    errors = try_header("g++", layers["mpich-5.0.2-abi"], tmp_path, f"-I{include}", *WARNINGS)
    assert errors == ""
