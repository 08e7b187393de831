"""Each tool of `ci/lint` finds its kind of mistake, in the files that it is there for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from mpiglot.ci.changes import Inputs
from mpiglot.ci.lint import TOOLS, Checkout, complaining
from mpiglot.ci.parts import read
from mpiglot.provision.toolchains import find_jdk
from tests.limits import guard

ROOT = Path(__file__).parents[2]
SETTINGS = (".clang-format", ".gersemirc", ".shellcheckrc", "pyproject.toml")

WORKFLOW = """\
on: push
permissions: {}
jobs:
  one:
    runs-on: ubuntu-latest
    steps:
      - run: echo one
"""
#: A tool with a file that it has nothing to say about, and the same with a mistake.
MISTAKES = {
    "ruff check": ("mpiglot/one.py", "ONE = 1\n", "import os\n"),
    "ruff format": ("mpiglot/one.py", "ONE = 1\n", "ONE  =  1\n"),
    "mypy": ("mpiglot/one.py", "ONE: int = 1\n", 'ONE: int = "1"\n'),
    "clang-format": ("tests/one.cpp", "int one() { return 1; }\n", "int one(){ return 1; }\n"),
    "ShellCheck": ("tests/one", '#!/bin/sh\nls "$1"\n', "#!/bin/sh\nls $1\n"),
    "gersemi": ("tests/CMakeLists.txt", "set(one 1)\n", "set( one 1 )\n"),
    "gofmt": ("tests/one.go", "package one\n\nvar one = 1\n", "package one\n\nvar one=1\n"),
    "zizmor": (
        ".github/workflows/one.yml",
        WORKFLOW,
        f"{WORKFLOW}      - uses: actions/setup-python@v7\n",
    ),
    "actionlint": (
        ".github/workflows/one.yml",
        WORKFLOW,
        WORKFLOW.replace("echo one", "echo one\n        if: needs.two.result == 'success'"),
    ),
}


@pytest.fixture(scope="module")
def here() -> Checkout:
    return Checkout.of(ROOT)


def read_by(checkout: Checkout, name: str, *only: str) -> list[str]:
    (tool,) = (tool for tool in TOOLS if tool.name == name)
    return tool.chosen(checkout, only)


def checkout_with(folder: Path, file: str, text: str) -> Checkout:
    """A folder with one file, the settings of this checkout, and packages if it is for mypy."""
    for setting in SETTINGS:
        shutil.copy(ROOT / setting, folder)
    for package in ("mpiglot", "tests", "benchmarks") if file.endswith(".py") else ():
        (folder / package).mkdir(exist_ok=True)
        (folder / package / "__init__.py").touch()
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(text, encoding="utf-8")
    return Checkout.of(folder, ROOT / ".tools")


def test_there_is_a_mistake_for_each_tool() -> None:
    assert list(MISTAKES) == [tool.name for tool in TOOLS]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_tool_finds_its_mistake_and_no_other_tool_does(name: str, tmp_path: Path) -> None:
    file, right, wrong = MISTAKES[name]
    assert complaining(checkout_with(tmp_path, file, right)) == []
    assert complaining(checkout_with(tmp_path, file, wrong)) == [name]
    assert complaining(checkout_with(tmp_path, file, wrong), ["README.md"]) == []


def test_the_commands_of_a_step_are_read_as_those_of_a_script(tmp_path: Path) -> None:
    text = WORKFLOW.replace("echo one", "ls $HOME")
    found = complaining(checkout_with(tmp_path, ".github/workflows/one.yml", text))
    assert found == ["actionlint"]


def test_values_of_others_do_not_become_commands(tmp_path: Path) -> None:
    text = WORKFLOW.replace("echo one", "echo ${{ github.event.head_commit.message }}")
    found = complaining(checkout_with(tmp_path, ".github/workflows/one.yml", text))
    assert "zizmor" in found


def test_generated_files_are_left_out(here: Checkout) -> None:
    names = read_by(here, "clang-format")
    assert "cpp_runtime/include/mpiglot/operations/scan.hpp" in names
    assert "cpp_runtime/include/mpiglot/operations/members/scan.hpp" not in names
    assert {"go_runtime/low/load.c", "tests/conformance/counter.c"} <= set(names)
    assert "go_runtime/low/calls_pt2pt.h" not in names


def test_scripts_are_known_by_their_first_line(here: Checkout) -> None:
    names = read_by(here, "ShellCheck")
    assert {
        "ci/lint",
        "ci/lib.sh",
        "java_runtime/build-common.sh",
        "templates/pmpi/build.jinja",
    } <= {*names}
    assert not [name for name in names if name.endswith((".py", ".md", ".json"))]
    assert "java_runtime/zip-jar" not in names  # Python


def test_only_files_that_are_named_are_read_unless_settings_change(here: Checkout) -> None:
    assert read_by(here, "ShellCheck", "ci/lint", "ci/lint.py") == ["ci/lint"]
    assert read_by(here, "gersemi", "ci/lint") == []
    for settings in (".shellcheckrc", "ci/requirements.lock"):
        assert read_by(here, "ShellCheck", settings) == read_by(here, "ShellCheck")


def test_a_change_of_any_file_that_is_read_runs_lint(here: Checkout) -> None:
    inputs = Inputs(read(ROOT / "ci" / "parts.json"))
    every = {file for tool in TOOLS for file in read_by(here, tool.name)}
    every |= {file for tool in TOOLS for file in tool.settings}
    assert every - set(inputs.of("lint", every)) == set()


def test_go_vet_reads_each_module(here: Checkout) -> None:
    (part,) = (part for part in read(ROOT / "ci" / "parts.json") if part.name == "Go build")
    vetted = {words[words.index("-C") + 1] for words in part.commands if "vet" in words}
    modules = {str(Path(file).parent) for file in here.files if Path(file).name == "go.mod"}
    assert vetted == modules


JDK = find_jdk({})


@pytest.mark.skipif(JDK is None, reason="there is no JDK that is new enough in /usr/lib/jvm")
@pytest.mark.skipif(
    JDK is not None and not (JDK / "bin" / "jar").exists(),
    reason="the compiler is Eclipse's, whose warnings are others",
)
def test_java_with_a_warning_does_not_compile(tmp_path: Path) -> None:
    sources = tmp_path / "src" / "main" / "java"
    for folder in (sources, tmp_path / "src" / "main" / "resources", tmp_path / "src/upper/java"):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "java_runtime" / "build-common.sh", tmp_path)
    code = "here=$1 generated=$1 out=$1 written=; mkdir -p low/src/main/java; . ./build-common.sh"

    def built(declaration: str) -> subprocess.CompletedProcess[str]:
        text = f"class One {{ {declaration} one; }}\n"
        (sources / "One.java").write_text(text, encoding="utf-8")
        return subprocess.run(
            ["sh", "-euc", code, "sh", str(tmp_path)],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "JAVA_HOME": str(JDK)},
            capture_output=True,
            text=True,
            timeout=guard(60),
            check=False,
        )

    assert built("Iterable<String>").returncode == 0
    refused = built("Iterable")
    assert refused.returncode != 0
    assert "[rawtypes]" in refused.stderr
