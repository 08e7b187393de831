"""`mpiglot probe` as a user meets it: output, cache, choices, and every way it can go wrong."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mpiglot.blueprints.check import load_checked
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.probe import probe
from mpiglot.parser.start import Starter
from mpiglot.parser.wrapper import read
from tests.limits import guard
from tests.parser import fake_mpi as fake

TIMEOUT = 120
COMMAND = [sys.executable, "-m", "mpiglot", "probe"]


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """The environment of a run: a cache of its own."""
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def plain(tmp_path: Path) -> fake.FakeMpi:
    return fake.build(tmp_path / "plain", fake.PLAIN_HEADER, fake.PLAIN_LIBRARY)


def run(env: dict[str, str], *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=guard(TIMEOUT),
        env=env,
    )


def one_sentence(done: subprocess.CompletedProcess[str], code: int = 3) -> str:
    """The complaint of a command that failed as it should: one line, nothing on stdout."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr
    return lines[0]


# ---------------------------------------------------------------------------------- what it does


def test_the_blueprint_goes_to_standard_output_and_nothing_else_does(
    env: dict[str, str], plain: fake.FakeMpi
) -> None:
    done = run(env, "--mpicc", plain.mpicc)
    data = json.loads(done.stdout)
    assert done.returncode == 0
    assert {f["name"] for f in data["functions"]} >= {"MPI_Init", "MPI_Comm_rank"}
    assert data["mpi"]["library_version"] == "Fake MPI 1.0"
    assert data["mpi"]["soname"] == "libfake.so"
    assert data["measured"] == "run" if "measured" in data else True
    assert "10 functions" in done.stderr


def test_a_written_blueprint_passes_the_check_and_portable_drops_paths(
    env: dict[str, str], plain: fake.FakeMpi, tmp_path: Path
) -> None:
    full, portable = tmp_path / "full.json", tmp_path / "portable.json"
    assert run(env, plain.mpicc, "-o", full).returncode == 0  # named as doctor and env take it
    assert run(env, "--mpicc", plain.mpicc, "-o", portable, "--portable").returncode == 0
    load_checked(full)
    load_checked(portable)
    assert str(plain.prefix) in full.read_text()
    assert str(plain.prefix) not in portable.read_text()


def test_the_summary_as_json_says_where_the_blueprint_is(
    env: dict[str, str], plain: fake.FakeMpi, tmp_path: Path
) -> None:
    target = tmp_path / "b.json"
    done = run(env, "--mpicc", plain.mpicc, "-o", target, "--json")
    summary = json.loads(done.stdout)
    assert summary["file"] == str(target)
    assert summary["functions"] == 10 and summary["cached"] is False


def test_the_second_run_measures_nothing_and_gives_the_same_bytes(
    env: dict[str, str], plain: fake.FakeMpi, tmp_path: Path
) -> None:
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    run(env, "--mpicc", plain.mpicc, "-o", first)
    done = run(env, "--mpicc", plain.mpicc, "-o", second, "--json")
    assert json.loads(done.stdout)["cached"] is True
    assert first.read_bytes() == second.read_bytes()
    done = run(env, "--mpicc", plain.mpicc, "-o", second, "--json", "--no-cache")
    assert json.loads(done.stdout)["cached"] is False
    assert first.read_bytes() == second.read_bytes()


def test_a_changed_header_or_library_is_measured_again(
    env: dict[str, str], plain: fake.FakeMpi
) -> None:
    run(env, "--mpicc", plain.mpicc)
    text = plain.header.read_text().replace("0x44000000", "0x44000001")
    plain.header.write_text(text)
    done = run(env, "--mpicc", plain.mpicc)
    world = next(c for c in json.loads(done.stdout)["constants"] if c["name"] == "MPI_COMM_WORLD")
    assert world["value"] == 0x44000001
    without = fake.PLAIN_LIBRARY.replace("MPI_Get_library_version", "other")
    fake.build(plain.prefix, text, "#include <mpi.h>\n" + without)
    status = {
        f["name"]: f["status"]
        for f in json.loads(run(env, "--mpicc", plain.mpicc).stdout)["functions"]
    }
    assert status["MPI_Init"] == "links" and status["MPI_Get_library_version"] == "declared"


@pytest.mark.parametrize("damage", ["", "{", '{"text": 1}', "[]", "null", "\x00\x01"])
def test_a_damaged_cache_entry_counts_as_absent(
    env: dict[str, str], plain: fake.FakeMpi, damage: str
) -> None:
    good = run(env, "--mpicc", plain.mpicc).stdout
    (entry,) = (Path(env["XDG_CACHE_HOME"]) / "mpiglot").iterdir()
    entry.write_text(damage)
    assert run(env, "--mpicc", plain.mpicc).stdout == good


def test_a_cache_entry_with_another_text_is_not_believed(
    env: dict[str, str], plain: fake.FakeMpi
) -> None:
    good = run(env, "--mpicc", plain.mpicc).stdout
    (entry,) = (Path(env["XDG_CACHE_HOME"]) / "mpiglot").iterdir()
    data = json.loads(entry.read_text())
    data["text"] = data["text"].replace("MPI_Init", "MPI_Exit")
    entry.write_text(json.dumps(data))
    assert run(env, "--mpicc", plain.mpicc).stdout == good


def test_a_cache_that_cannot_be_written_is_no_obstacle(
    env: dict[str, str], plain: fake.FakeMpi, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert run(env, "--mpicc", plain.mpicc).returncode == 0


def test_both_headers_of_an_installation_are_written_with_all(
    env: dict[str, str], plain: fake.FakeMpi, tmp_path: Path
) -> None:
    abi = plain.header.read_text().replace("int MPI_Comm;", "struct MPI_ABI_Comm *MPI_Comm;")
    abi = abi.replace("#define MPI_VERSION 3", "#define MPI_VERSION 5\n#define MPI_ABI_VERSION 1")
    (plain.prefix / "include" / "mpi_abi.h").write_text(abi)
    header = plain.header.read_text()
    plain.header.write_text(f'#ifdef MPI_ABI\n#include "mpi_abi.h"\n#else\n{header}\n#endif\n')
    twin = plain.mpicc.with_name("mpicc_abi")
    twin.write_text(plain.mpicc.read_text().replace(" -I", " -DMPI_ABI -I", 1))
    twin.chmod(0o755)
    folder = tmp_path / "both"
    done = run(env, "--mpicc", plain.mpicc, "--all", "-o", folder, "--json")
    assert [s["abi"] for s in json.loads(done.stdout)] == ["unknown", "abi"]
    kinds = {}
    for path in folder.iterdir():
        blueprint = load_checked(path)
        kinds[blueprint.mpi.abi] = next(t.kind for t in blueprint.types if t.name == "MPI_Comm")
    assert kinds == {"unknown": "integer", "abi": "pointer"}
    native = json.loads(run(env, "--mpicc", twin, "--header", "native").stdout)
    assert native["mpi"]["abi"] == "unknown"
    chosen = json.loads(run(env, "--mpicc", plain.mpicc, "--header", "abi").stdout)
    assert chosen["mpi"]["abi"] == "abi"


def test_extensions_come_from_mpi_ext_where_it_exists(env: dict[str, str], tmp_path: Path) -> None:
    mpi = fake.build(
        tmp_path / "ext",
        fake.PLAIN_HEADER,
        fake.PLAIN_LIBRARY + "int MPIX_Extra(int n) { return n; }\n",
        extensions="#define MPIX_EXTRA 7\nint MPIX_Extra(int n);\n",
    )
    data = json.loads(run(env, "--mpicc", mpi.mpicc).stdout)
    extra = next(f for f in data["functions"] if f["name"] == "MPIX_Extra")
    assert (extra["status"], extra["source"]) == ("links", "inferred")
    assert any(c["name"] == "MPIX_EXTRA" and c["value"] == 7 for c in data["constants"])


def test_a_wrapper_without_show_is_used_as_the_compiler(
    env: dict[str, str], tmp_path: Path
) -> None:
    mpi = fake.build(tmp_path / "m", fake.PLAIN_HEADER, fake.PLAIN_LIBRARY, wrapper=fake.NO_SHOW)
    data = json.loads(run(env, "--mpicc", mpi.mpicc).stdout)
    assert data["mpi"]["library_version"] == "Fake MPI 1.0"
    assert all(f["status"] == "links" for f in data["functions"])


def test_a_header_without_a_library_gives_the_compilers_values_and_says_so(
    env: dict[str, str], plain: fake.FakeMpi
) -> None:
    alone = f"gcc -I{plain.prefix / 'include'}"
    said = one_sentence(run(env, "--mpicc", alone))
    assert "gcc links with no MPI library; with --accept-unlinked" in said
    done = run(env, "--mpicc", alone, "--accept-unlinked")
    data = json.loads(done.stdout)
    assert data["measured"] == "compiled" and "links with no MPI library" in done.stderr
    constants = {c["name"]: c["value"] for c in data["constants"]}
    assert constants["MPI_COMM_WORLD"] == 0x44000000
    assert data["types"][0]["size"] == 4
    assert {f["status"] for f in data["functions"]} == {"links"}


def test_values_are_read_from_the_object_file_where_nothing_links(
    env: dict[str, str], plain: fake.FakeMpi
) -> None:
    measured = json.loads(run(env, "--mpicc", plain.mpicc).stdout)
    without = f"gcc -I{plain.prefix / 'include'} -lthere_is_no_such_library"
    said = one_sentence(run(env, "--mpicc", without))
    assert "cannot find -lthere_is_no_such_library" in said and "--accept-unlinked" in said
    done = run(env, "--mpicc", without, "--accept-unlinked")
    compiled = json.loads(done.stdout)
    assert compiled["measured"] == "compiled" and "no program can be linked" in done.stderr
    assert compiled["constants"] == measured["constants"]
    assert compiled["types"] == measured["types"]


def test_a_library_whose_functions_abort_is_measured_all_the_same(
    env: dict[str, str], tmp_path: Path
) -> None:
    library = "#include <stdlib.h>\n#include <mpi.h>\n" + "".join(
        f"{line.rstrip(';')} {{ abort(); }}\n"
        for line in fake.PLAIN_HEADER.splitlines()
        if line.startswith("int MPI_")
    )
    mpi = fake.build(tmp_path / "stub", fake.PLAIN_HEADER, library)
    done = run(env, "--mpicc", mpi.mpicc)
    data = json.loads(done.stdout)
    assert "MPI_Get_library_version does not work" in done.stderr
    assert {f["status"] for f in data["functions"]} == {"links"}
    assert "library_version" not in data["mpi"]


def test_the_version_a_header_claims_is_kept_apart_from_what_it_has(
    env: dict[str, str], tmp_path: Path
) -> None:
    header = fake.PLAIN_HEADER.replace("MPI_VERSION 3", "MPI_VERSION 9")
    mpi = fake.build(tmp_path / "liar", header, fake.PLAIN_LIBRARY)
    said = json.loads(run(env, "--mpicc", mpi.mpicc).stdout)["mpi"]
    assert said["standard_reported"] == "9.1"
    assert said.get("standard", "") != "9.1"


# ------------------------------------------------------------------------------- what goes wrong


def test_a_compiler_that_is_not_there(env: dict[str, str], tmp_path: Path) -> None:
    mpi = fake.build(tmp_path / "m", fake.PLAIN_HEADER, compiler="no-such-compiler")
    assert "no-such-compiler" in one_sentence(run(env, "--mpicc", mpi.mpicc))


def test_a_compiler_that_a_variable_names_and_that_is_not_there(
    env: dict[str, str], tmp_path: Path
) -> None:
    """Also where another MPI, or a C++ wrapper beside it, would do: the variable is to blame."""
    mpi = fake.build(tmp_path / "m", fake.PLAIN_HEADER, compiler="${MPICH_CC:-gcc}")
    cxx = mpi.mpicc.with_name("mpicxx")
    cxx.write_text(mpi.mpicc.read_text().replace("${MPICH_CC:-gcc}", "g++"))
    cxx.chmod(0o755)
    text = mpi.mpicc.read_text().replace("$show ${MPICH_CC:-gcc}", "$show $CC")
    mpi.mpicc.write_text(text.replace("case", "CC=${MPICH_CC:-gcc}\ncase", 1))
    broken = {**env, "MPICH_CC": "nosuch", "PATH": f"{mpi.mpicc.parent}:{env['PATH']}"}
    for arguments in (["--mpicc", mpi.mpicc], ["--mpicc", mpi.prefix], []):
        said = one_sentence(run(broken, *arguments))
        assert "calls the compiler 'nosuch'" in said and "`unset MPICH_CC`" in said


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("echo 'this is not the header'", "is no MPI compiler wrapper"),
        ("yes gcc", "printed more than 64 MiB"),
        ("echo 'gcc -I/nowhere'", "leads to no mpi.h"),
    ],
)
def test_a_program_that_is_no_wrapper(
    env: dict[str, str], tmp_path: Path, body: str, sentence: str
) -> None:
    wrapper = tmp_path / "mpicc"
    wrapper.write_text(f"#!/bin/sh\n{body}\n")
    wrapper.chmod(0o755)
    assert sentence in one_sentence(run(env, "--mpicc", wrapper))


@pytest.mark.parametrize(
    ("launcher", "sentence"),
    [
        ("no-such-launcher -n 1", "there is no launcher 'no-such-launcher -n 1'"),
        ("false", "does not run under `false`, which ended with exit code 1"),
    ],
)
def test_a_launcher_that_starts_nothing(
    env: dict[str, str], plain: fake.FakeMpi, launcher: str, sentence: str
) -> None:
    assert sentence in one_sentence(run(env, "--mpicc", plain.mpicc, "--launcher", launcher))


def test_a_launcher_that_is_no_command(env: dict[str, str], plain: fake.FakeMpi) -> None:
    one_sentence(run(env, "--mpicc", plain.mpicc, "--launcher", "'"), code=2)


def test_a_wrapper_that_is_not_there(env: dict[str, str]) -> None:
    assert "no-such-mpicc" in one_sentence(run(env, "--mpicc", "/nowhere/no-such-mpicc"))


def test_a_wrapper_that_is_no_compiler_at_all(env: dict[str, str], tmp_path: Path) -> None:
    wrapper = tmp_path / "mpicc"
    wrapper.write_text("#!/bin/sh\necho this is not a compiler >&2\nexit 7\n")
    wrapper.chmod(0o755)
    assert "this is not a compiler" in one_sentence(run(env, "--mpicc", wrapper))


def test_no_mpi_at_all(env: dict[str, str], tmp_path: Path) -> None:
    env = {k: v for k, v in env.items() if k not in ("MPICC", "MPI_HOME", "I_MPI_ROOT")}
    env |= {"PATH": str(tmp_path), "MPIGLOT_MPI_DIR": str(tmp_path)}
    assert "MPI" in one_sentence(run(env))


@pytest.mark.parametrize(
    "header",
    ["#include <no/such/header.h>\n", "int MPI_Init(int *argc, char ***argv;\n", "#error old\n"],
)
def test_a_header_that_does_not_compile_is_named_with_file_and_line(
    env: dict[str, str], tmp_path: Path, header: str
) -> None:
    mpi = fake.build(tmp_path / "m", fake.PLAIN_HEADER, fake.PLAIN_LIBRARY)
    mpi.header.write_text(f"#define MPI_VERSION 3\n{header}int MPI_Finalize(void);\n")
    assert f"{mpi.header}:2" in one_sentence(run(env, "--mpicc", mpi.mpicc))


def test_a_header_that_declares_nothing(env: dict[str, str], tmp_path: Path) -> None:
    mpi = fake.build(tmp_path / "m", "#define MPI_VERSION 3\n")
    assert "declares no MPI function" in one_sentence(run(env, "--mpicc", mpi.mpicc))


def test_a_program_that_crashes_before_main(env: dict[str, str], tmp_path: Path) -> None:
    crash = "#include <stdlib.h>\n__attribute__((constructor)) void c(void) { abort(); }\n"
    mpi = fake.build(tmp_path / "m", fake.PLAIN_HEADER, fake.PLAIN_LIBRARY + crash)
    done = run(env, "--mpicc", mpi.mpicc)
    assert (done.returncode, json.loads(done.stdout)["measured"]) == (0, "object")
    assert "crashed (SIGABRT) before it called MPI" in done.stderr


def test_a_program_that_hangs_is_stopped(tmp_path: Path) -> None:
    hang = "#include <unistd.h>\n__attribute__((constructor)) void c(void) { for (;;) pause(); }\n"
    mpi = fake.build(tmp_path / "m", fake.PLAIN_HEADER, fake.PLAIN_LIBRARY + hang)
    start = time.monotonic()
    with pytest.raises(EnvironmentProblem, match="did not end within 2 seconds"):
        probe(read(mpi.mpicc), Starter(limit=2))
    assert time.monotonic() - start < guard(30)


def test_a_library_that_is_not_found_when_the_program_starts(
    env: dict[str, str], tmp_path: Path
) -> None:
    mpi = fake.build(tmp_path / "m", fake.PLAIN_HEADER, fake.PLAIN_LIBRARY)
    text = mpi.mpicc.read_text().replace(f"-Wl,-rpath -Wl,{mpi.prefix / 'lib'}", "")
    mpi.mpicc.write_text(text)
    found = json.loads(run(env, "--mpicc", mpi.mpicc).stdout)  # -L says where it is
    assert found["mpi"]["soname"] == "libfake.so"
    mpi.mpicc.write_text(
        text.replace(f"-L{mpi.prefix / 'lib'}", str(mpi.prefix / "lib/libfake.so"))
    )
    gone = mpi.mpicc.read_text().replace("-lfake", "")
    mpi.mpicc.write_text(gone)
    said = one_sentence(run(env, "--mpicc", mpi.mpicc))
    assert "does not find its library" in said and "LD_LIBRARY_PATH" in said


def test_two_mpis_mixed_in_one_wrapper(env: dict[str, str], tmp_path: Path) -> None:
    header = fake.PLAIN_HEADER + '#define MPICH_VERSION "4.0.2"\n'
    library = fake.PLAIN_LIBRARY.replace("Fake MPI 1.0", "Open MPI v4.1.4")
    mpi = fake.build(tmp_path / "m", header, library)
    said = one_sentence(run(env, "--mpicc", mpi.mpicc))
    assert "MPICH" in said and "Open MPI" in said and "libfake.so" in said


def test_a_library_of_another_release_is_a_warning(env: dict[str, str], tmp_path: Path) -> None:
    header = fake.PLAIN_HEADER + '#define MPICH_VERSION "4.0.2"\n'
    library = fake.PLAIN_LIBRARY.replace("Fake MPI 1.0", "MPICH Version:\\t4.3.2")
    mpi = fake.build(tmp_path / "m", header, library)
    done = run(env, "--mpicc", mpi.mpicc)
    assert done.returncode == 0
    assert "MPICH 4.0.2, but programs load 4.3.2" in done.stderr
    assert json.loads(done.stdout)["mpi"]["version"] == "4.0.2"


def test_another_library_at_run_time_is_named(env: dict[str, str], tmp_path: Path) -> None:
    right = fake.build(tmp_path / "right", fake.PLAIN_HEADER, fake.PLAIN_LIBRARY)
    other = fake.build(
        tmp_path / "other",
        fake.PLAIN_HEADER,
        "#include <mpi.h>\nint MPI_Finalize(void) { return 0; }",
    )
    preload = {**env, "LD_LIBRARY_PATH": str(other.prefix / "lib")}
    text = right.mpicc.read_text().replace("-Wl,-rpath", "-Wl,--enable-new-dtags -Wl,-rpath", 1)
    right.mpicc.write_text(text)
    said = one_sentence(run(preload, "--mpicc", right.mpicc))
    assert "loads another library" in said and "LD_LIBRARY_PATH" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["--mpicc", "a", "--mpi", "b"],
        ["a", "--mpicc", "b"],
        ["--all"],
        ["--all", "--header", "abi", "-o", "x"],
        ["--header", "both"],
        ["--no-such-option"],
    ],
)
def test_arguments_that_make_no_sense(env: dict[str, str], arguments: list[str]) -> None:
    one_sentence(run(env, *arguments), code=2)


def test_an_mpi_without_a_second_header(env: dict[str, str], plain: fake.FakeMpi) -> None:
    assert "mpi_abi.h" in one_sentence(run(env, "--mpicc", plain.mpicc, "--header", "abi"))


# ----------------------------------------------------------------------------------- the output


def test_output_that_cannot_be_written_changes_nothing(
    env: dict[str, str], plain: fake.FakeMpi, tmp_path: Path
) -> None:
    missing = tmp_path / "no" / "such" / "folder" / "b.json"
    assert str(missing) in one_sentence(run(env, "--mpicc", plain.mpicc, "-o", missing))
    assert not (tmp_path / "no").exists()
    folder = tmp_path / "folder"
    folder.mkdir()
    one_sentence(run(env, "--mpicc", plain.mpicc, "-o", folder))
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_device_that_is_always_full(env: dict[str, str], plain: fake.FakeMpi) -> None:
    assert "No space left" in one_sentence(run(env, "--mpicc", plain.mpicc, "-o", "/dev/full"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_standard_output_that_is_full(env: dict[str, str], plain: fake.FakeMpi) -> None:
    command = [*COMMAND, "--mpicc", str(plain.mpicc)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=guard(TIMEOUT), env=env
        )
    assert done.returncode == 3
    assert "No space left" in done.stderr and "Traceback" not in done.stderr


def test_a_full_disk_leaves_the_old_file_as_it_was(
    env: dict[str, str], plain: fake.FakeMpi, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(disk)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, capture_output=True, timeout=guard(20)).returncode
    ):
        pytest.skip("needs the right to mount a file system")
    try:
        target = disk / "b.json"
        target.write_text("old")
        assert "No space left" in one_sentence(run(env, "--mpicc", plain.mpicc, "-o", target))
        assert target.read_text() == "old"
        assert [p.name for p in disk.iterdir()] == ["b.json"]
    finally:
        subprocess.run(["umount", str(disk)], check=True, timeout=guard(20))


@pytest.mark.parametrize("stage", ["-E", "-c", "-fsyntax-only"])
def test_an_interrupted_run_leaves_nothing_behind(
    env: dict[str, str], plain: fake.FakeMpi, tmp_path: Path, stage: str
) -> None:
    """Whatever the compiler is at: preprocessing, compiling, or looking for constants."""
    slow, here = tmp_path / "slow", tmp_path / "here"
    slow.write_text(
        f'#!/bin/sh\ncase " $* " in\n *" -show "*) echo "$0 -Ix"; exit ;;\n'
        f' *" {stage} "*) touch {here}; exec sleep 3600 ;;\nesac\nexec {plain.mpicc} "$@"\n'
    )
    slow.chmod(0o755)
    out, scratch = tmp_path / "out", tmp_path / "scratch"
    out.mkdir()
    scratch.mkdir()
    start = time.monotonic()
    child = subprocess.Popen(
        [*COMMAND, "--mpicc", str(slow), "-o", str(out / "b.json")],
        env={**env, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _wait_for(here.exists)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    stdout, stderr = child.communicate(timeout=guard(30))
    assert (child.returncode, stdout, stderr.strip()) == (130, "", "mpiglot: interrupted.")
    assert list(out.iterdir()) == [] and list(scratch.iterdir()) == []
    assert time.monotonic() - start < guard(50), "it waited for the compiler"


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + guard(30)
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


# ------------------------------------------------------------------------------ below the floor


@pytest.mark.parametrize(
    "gone",
    ["MPI_Initialized", "MPI_Comm_size", "MPI_Abort", "MPI_COMM_WORLD", "MPI_SUCCESS"],
)
def test_what_the_floor_needs_and_a_header_lacks_is_named(
    env: dict[str, str], tmp_path: Path, gone: str
) -> None:
    header = re.sub(rf"\b{gone}\b", f"{gone}_other", fake.PLAIN_HEADER)
    mpi = fake.build(tmp_path / "m", header, fake.PLAIN_LIBRARY.replace(gone, f"{gone}_other"))
    said = one_sentence(run(env, "--mpicc", mpi.mpicc))
    assert said.endswith(f"it lacks {gone}")


def test_a_status_without_tag_is_below_the_floor(env: dict[str, str], tmp_path: Path) -> None:
    header = fake.PLAIN_HEADER.replace("MPI_SOURCE, MPI_TAG, MPI_ERROR", "MPI_SOURCE")
    mpi = fake.build(tmp_path / "m", header, fake.PLAIN_LIBRARY)
    said = one_sentence(run(env, "--mpicc", mpi.mpicc))
    assert said.endswith("it lacks MPI_ERROR in MPI_Status, MPI_TAG in MPI_Status")


def test_a_header_with_hardly_anything_is_refused_in_one_sentence(
    env: dict[str, str], tmp_path: Path
) -> None:
    mpi = fake.build(tmp_path / "m", "int MPI_Init(int *argc, char ***argv);\n", None)
    said = one_sentence(
        run(env, "--mpicc", mpi.mpicc, "--accept-unlinked", "-o", tmp_path / "b.json")
    )
    assert "lacks MPI_Abort, MPI_Comm_size, MPI_Finalize, MPI_Initialized and 4 more" in said
    assert not (tmp_path / "b.json").exists()
