"""show, diff and atlas: what they answer, where they print it, how they end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mpiglot.generators.inputs import known
from tests.limits import guard

Run = Callable[..., Any]
Tiny = Callable[..., Path]


# --------------------------------------------------------------------------- show, a whole MPI


def test_show_counts_functions_by_chapter_and_status(mpiglot: Run) -> None:
    done = mpiglot("show", "mpich-4.0.2")
    assert done.code == 0
    assert done.err == ""
    assert "MPICH 4.0.2, MPI 4.0" in done.out
    rows = {line.split()[0]: line.split() for line in done.out.splitlines() if line.strip()}
    assert rows["collectives"][1] == "135"
    assert "MPI_Comm                     int, 4 bytes" in done.out


def test_show_numbers_agree_with_the_blueprint(mpiglot: Run) -> None:
    data = mpiglot("show", "openmpi-4.1.4", "--json").json()
    blueprint = json.loads(known()["openmpi-4.1.4"].read_text())
    linking = [f for f in blueprint["functions"] if f["status"] == "links"]
    assert sum(row.get("links", 0) for row in data["functions"].values()) == len(linking)
    assert sum(data["constants"].values()) == len(blueprint["constants"])


def test_show_tells_what_is_skipped_aliased_and_unavailable_and_why(mpiglot: Run) -> None:
    rows = mpiglot("show", "mpich-4.0.2", "--json").json()["not_generated"]
    verdicts = {row["name"]: (row["decision"], row["reason"]) for row in rows}
    assert verdicts["MPI_Address"] == ("skip", "removed from the standard in MPI 3.0")
    assert verdicts["MPI_Send_c"][0] == "alias"
    assert verdicts["MPI_Buffer_flush"][0] == "unavailable"
    assert "MPI 4.1" in verdicts["MPI_Buffer_flush"][1]
    assert verdicts["MPI_Status_c2f08"][0] == "unavailable"
    assert "no such symbol" in verdicts["MPI_Status_c2f08"][1]
    assert "MPI_Send" not in verdicts
    assert all(reason for _, reason in verdicts.values())


def test_an_extension_under_its_old_name_makes_the_standard_function_available(
    mpiglot: Run,
) -> None:
    rows = mpiglot("show", "openmpi-4.1.4", "--json").json()["not_generated"]
    names = {row["name"]: row for row in rows}
    assert names["MPIX_Allreduce_init"]["decision"] == "alias"
    assert "MPI_Allreduce_init" not in names


def test_show_reads_a_file_and_standard_input(mpiglot: Run, program: Run, tiny: Tiny) -> None:
    path = tiny()
    from_file = mpiglot("show", path, "--json").json()
    assert from_file["name"] == "tiny-1.0"
    piped = program("show", "-", "--json", stdin=path.read_text())
    assert piped.code == 0
    assert piped.json() == from_file


def test_show_without_an_mpi_is_an_environment_problem(program: Run, tmp_path: Path) -> None:
    env = {"PATH": "/nonexistent", "HOME": str(tmp_path), "MPICC": "", "MPIGLOT_MPI_DIR": "/none"}
    done = program("show", env=env)
    assert done.code == 3
    assert done.out == ""
    assert len(done.err.splitlines()) == 1


# --------------------------------------------------------------------------- show, one name


def test_show_explains_a_function(mpiglot: Run) -> None:
    done = mpiglot("show", "mpich-4.0.2", "MPI_Gatherv")
    assert done.code == 0
    assert "const int recvcounts[]" in done.out
    line = next(x for x in done.out.splitlines() if x.startswith("  recvbuf "))
    for word in ("out", "buffer", "recvcounts elements of recvtype at displs", "root only"):
        assert word in line
    assert "since MPI 1.0" in done.out
    assert "comm_size(comm) times recvcount elements" in mpiglot("show", "MPI_Allgather").out
    assert "large-count twin: MPI_Gatherv_c" in done.out
    assert "openmpi-4.1.4" in done.out


def test_show_tells_what_is_known_to_be_wrong_with_a_function(mpiglot: Run) -> None:
    text = mpiglot("show", "MPI_Gather_init").out
    at = text.index("Known defects")
    assert "persistent-gather (wrong data; when: always; right: MPI_Gatherv_init;" in text[at:]
    assert "The root's buffer stays as it was when the operation is started." in text[at:]
    assert "mpich-4.0.2, mpich-4.1.3, intelmpi-2021.14.2" in text[at:]
    found = mpiglot("show", "MPI_Gather_init", "--json").json()["defects"]
    instead = {one["id"]: one.get("instead") for one in found}
    assert instead["persistent-gather"] == "MPI_Gatherv_init"
    assert "Known defects" not in mpiglot("show", "MPI_Comm_rank").out
    assert "iread-beyond-the-end" in mpiglot("show", "MPI_File_iread_at").out


def test_show_tells_which_known_mpis_have_a_function(mpiglot: Run) -> None:
    data = mpiglot("show", "mpich-4.0.2", "MPI_Buffer_flush", "--json").json()
    assert "mpich-4.0.2" in data["absent"]
    assert data["known"]["mpich-4.3.2"]["status"] == "links"
    assert set(data["known"]) | set(data["absent"]) == set(known())


def test_show_names_the_older_name_a_missing_function_has(mpiglot: Run) -> None:
    data = mpiglot("show", "openmpi-4.1.4", "MPI_Allreduce_init", "--json").json()
    assert data["stand_ins"]["openmpi-4.1.4"] == "MPIX_Allreduce_init"
    assert "mpich-3.4.3" in data["absent"]
    assert "mpich-3.4.3" not in data["stand_ins"]
    text = mpiglot("show", "openmpi-4.1.4", "MPI_Allreduce_init").out
    assert "openmpi-4.1.4 does not have it" in text
    assert "as MPIX_Allreduce_init openmpi-4.1.4" in " ".join(text.split())


def test_only_what_an_mpi_has_is_reported_as_left_out_of_it(mpiglot: Run) -> None:
    for name in ("openmpi-4.1.4", "simgrid-3.32"):
        rows = mpiglot("show", name, "--json").json()["not_generated"]
        blueprint = json.loads(known()[name].read_text())
        there = {f["name"] for f in blueprint["functions"]}
        assert {r["name"] for r in rows if r["decision"] != "unavailable"} <= there


def test_show_explains_a_constant_by_its_values(mpiglot: Run) -> None:
    data = mpiglot("show", "mpich-4.0.2", "MPI_ANY_SOURCE", "--json").json()
    assert data["kind"] == "constant"
    assert data["abi_value"] == -1
    assert data["known"]["mpich-4.0.2"]["value"] == -2
    assert data["known"]["openmpi-4.1.4"]["value"] == -1
    text = mpiglot("show", "mpich-4.0.2", "MPI_ANY_SOURCE").out
    assert "source" in text


def test_show_writes_handles_in_hexadecimal(mpiglot: Run) -> None:
    assert "0x44000000" in mpiglot("show", "mpich-4.0.2", "MPI_COMM_WORLD").out


def test_show_explains_types_and_function_types(mpiglot: Run) -> None:
    assert "4 bytes" in mpiglot("show", "mpich-4.0.2", "MPI_Comm").out
    text = mpiglot("show", "mpich-4.0.2", "MPI_Comm_copy_attr_function").out
    assert "typedef int MPI_Comm_copy_attr_function(" in text


def test_show_explains_a_value_set_by_its_constants(mpiglot: Run) -> None:
    data = mpiglot("show", "openmpi-4.1.4", "thread_level", "--json").json()
    rows = {row["name"]: (row["abi_value"], row["value"]) for row in data["constants"]}
    assert rows["MPI_THREAD_MULTIPLE"] == (4096, 3)
    assert "MPI_Init_thread.required" in data["used_by"]
    text = mpiglot("show", "openmpi-4.1.4", "thread_level").out
    assert "MPI_THREAD_SERIALIZED" in text
    assert "openmpi-4.1.4" in text


def test_what_an_extension_means_is_said_to_be_inferred(mpiglot: Run) -> None:
    assert "inferred" in mpiglot("show", "mpich-4.0.2", "MPIX_Comm_agree").out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("MPI_Gaterv", "MPI_Gatherv"), ("mpi_send", "MPI_Send"), ("send", "MPI_Send")],
)
def test_an_unknown_name_gets_the_closest_ones(mpiglot: Run, typed: str, meant: str) -> None:
    done = mpiglot("show", "mpich-4.0.2", typed)
    assert done.code == 2
    assert done.out == ""
    assert meant in done.err


def test_an_unknown_mpi_gets_the_closest_ones(mpiglot: Run) -> None:
    done = mpiglot("show", "mpich-4.0.3", "MPI_Send")
    assert done.code == 2
    assert "mpich-4.0.2" in done.err


# --------------------------------------------------------------------------- diff


def test_a_blueprint_does_not_differ_from_itself(mpiglot: Run) -> None:
    done = mpiglot("diff", "mpich-4.0.2", "mpich-4.0.2")
    assert done.code == 0
    assert "No differences that a program can notice." in done.out


def test_two_spellings_of_a_type_are_no_difference(mpiglot: Run, tiny: Tiny) -> None:
    data = json.loads(tiny().read_text())
    function, callback = data["functions"][0], "MPI_User_function"

    def with_type(name: str, c_type: str, *callbacks: str) -> Path:
        function["parameters"][1]["type"] = c_type
        types = [
            {"name": c, "returns": "void", "parameters": [{"name": "a", "type": "int *"}]}
            for c in callbacks
        ]
        return tiny(name, functions=data["functions"], callbacks=types)

    def code(before: str, after: str) -> int:
        a, b = with_type("a.json", before, callback), with_type("b.json", after, callback)
        return int(mpiglot("diff", a, b).code)

    assert code("int []", "int *") == 0
    assert code("int [][3]", "int (*)[3]") == 0
    assert code("int *restrict", "int *") == 0
    assert code(f"{callback} *", "void (*)(int [])") == 1  # written in place: not looked into
    assert code("const int []", "int []") == 1
    assert code("int *", "long *") == 1
    renamed = with_type("b.json", "MPI_New_function *", callback, "MPI_New_function")
    before = with_type("a.json", f"{callback} *", callback)
    changes = mpiglot("diff", before, renamed, "--json").json()["changes"]
    assert [(c["kind"], c["name"]) for c in changes] == [("added", "MPI_New_function")]


def test_another_version_alone_is_told_and_is_no_difference(mpiglot: Run) -> None:
    done = mpiglot("diff", "intelmpi-2021.18.1", "intelmpi-2021.19.0")
    assert done.code == 0
    assert "~ version: 2021.18.1 -> 2021.19.0" in done.out
    assert "No differences that a program can notice." in done.out


def test_diff_since_compares_each_release_with_the_one_before(mpiglot: Run) -> None:
    done = mpiglot("diff", "--since", "4.0.2", "--json")
    assert done.code == 1
    pairs = [(one["before"]["name"], one["after"]["name"]) for one in done.json()]
    assert pairs == [
        ("mpich-4.0.2", "mpich-4.1.3"),
        ("mpich-4.1.3", "mpich-4.3.2"),
        ("mpich-4.3.2", "mpich-5.0.2"),
    ]
    assert mpiglot("diff", "--since", "intelmpi-2021.18.1").code == 0
    assert mpiglot("diff", "--since", "mpich-4.3.2", "--format", "markdown").out.count("\n## ") == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--since", "9.9"], "9.9 is no known MPI"),
        (["--since", "2021.19.0"], "is a release of several"),
        (["--since", "openmpi-5.0.11"], "is the newest known release"),
        (["--since", "4.0.2", "mpich-4.0.2"], "takes no further blueprints"),
        (["mpich-4.0.2"], "diff takes two blueprints"),
        ([], "diff takes two blueprints"),
    ],
)
def test_diff_says_what_it_takes(mpiglot: Run, words: list[str], sentence: str) -> None:
    done = mpiglot("diff", *words)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_diff_finds_everything_a_program_could_notice(mpiglot: Run, tiny: Tiny) -> None:
    before = tiny("a.json")
    after = json.loads(before.read_text())
    after["mpi"]["standard"] = "4.0"
    after["types"][0] |= {"kind": "pointer", "size": 8, "alignment": 8, "underlying": "void *"}
    after["constants"][0]["value"] = -1
    after["functions"][0]["status"] = "declared"
    after["functions"][0]["parameters"][1]["type"] = "long *"
    after["functions"].append(
        {"name": "MPI_New", "returns": "int", "parameters": [], "status": "links"}
    )
    done = mpiglot("diff", before, tiny("b.json", **after), "--json")
    assert done.code == 1
    found = {
        (c["subject"], c["name"], c.get("what", c["kind"])): (c.get("before"), c.get("after"))
        for c in done.json()["changes"]
    }
    assert found == {
        ("installation", "standard", "changed"): ("3.1", "4.0"),
        ("functions", "MPI_Comm_rank", "status"): ("links", "declared"),
        ("functions", "MPI_Comm_rank", "prototype"): (
            "int (MPI_Comm, int *)",
            "int (MPI_Comm, long *)",
        ),
        ("functions", "MPI_New", "added"): (None, "int MPI_New(void)"),
        ("constants", "MPI_ANY_SOURCE", "value"): ("-2", "-1"),
        ("types", "MPI_Comm", "handle kind"): ("integer (int)", "pointer (void *)"),
        ("types", "MPI_Comm", "size"): ("4 bytes", "8 bytes"),
        ("types", "MPI_Comm", "alignment"): ("4 bytes", "8 bytes"),
    }


def test_diff_is_the_mirror_image_the_other_way_round(mpiglot: Run) -> None:
    there = mpiglot("diff", "mpich-4.0.2", "openmpi-4.1.4", "--json").json()["changes"]
    back = mpiglot("diff", "openmpi-4.1.4", "mpich-4.0.2", "--json").json()["changes"]
    other = {"added": "removed", "removed": "added", "changed": "changed"}

    def key(c: dict[str, str], turned: bool) -> tuple[str | None, ...]:
        ends = (c.get("before"), c.get("after"))
        kind = other[c["kind"]] if turned else c["kind"]
        return (c["subject"], c["name"], c.get("what"), kind, *(ends[::-1] if turned else ends))

    assert {key(c, False) for c in there} == {key(c, True) for c in back}


def test_diff_markdown_has_the_table_first_and_folds_the_rest(mpiglot: Run) -> None:
    done = mpiglot("diff", "mpich-4.0.2", "openmpi-4.1.4", "--format", "markdown")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("## mpich-4.0.2")
    assert done.out.index("| functions |") < done.out.index("<details>")
    assert lines.count("<details>") == lines.count("</details>") > 3
    rows = [line for line in lines if line.startswith("| <code>")]
    assert rows
    assert all(line.count("|") == 5 for line in rows)


def test_what_a_header_contains_does_not_become_markup(mpiglot: Run, tiny: Tiny) -> None:
    constant = json.loads(tiny().read_text())["constants"][0]
    text = constant | {"class": "string", "type": "const char *", "value": "|<b>`x`"}
    done = mpiglot("diff", tiny("a.json"), tiny("b.json", constants=[text]), "--format", "markdown")
    assert done.code == 1
    assert "<b>" not in done.out
    assert "`" not in done.out


# --------------------------------------------------------------------------- atlas


def test_the_atlas_of_all_known_mpis_has_no_conflict_that_matters(mpiglot: Run) -> None:
    done = mpiglot("atlas", *known(), "--json")
    data = done.json()
    assert done.code == 0, [c for c in data["conflicts"] if c["matters"]]
    assert len(data["targets"]) == len(known())
    assert data["functions"] >= 740


def test_a_conflict_is_listed_and_makes_the_exit_code_1(mpiglot: Run, tiny: Tiny) -> None:
    functions = json.loads(tiny().read_text())["functions"]
    functions[0]["parameters"][1]["type"] = "MPI_Count *"
    done = mpiglot("atlas", tiny("odd.json", functions=functions), "mpich-4.0.2")
    assert done.code == 1
    assert "MPI_Comm_rank, parameter 2 type" in done.out
    assert "tiny-1.0" in done.out


def test_the_atlas_is_written_whole_and_is_what_its_schema_says(
    mpiglot: Run, tmp_path: Path
) -> None:
    from mpiglot.exchange.schema import complaint

    path = tmp_path / "atlas.json"
    done = mpiglot("atlas", "mpich-4.0.2", "openmpi-4.1.4", "-o", path)
    data = json.loads(path.read_text())
    assert complaint("atlas", data) is None
    assert [t["name"] for t in data["targets"]] == ["mpich-4.0.2", "openmpi-4.1.4"]
    assert str(path) in done.err
    assert str(path) not in done.out


def test_the_atlas_goes_to_standard_output_if_asked(mpiglot: Run, tmp_path: Path) -> None:
    done = mpiglot("atlas", "mpich-4.0.2", "-o", "-")
    assert done.code == 0
    assert [t["name"] for t in done.json()["targets"]] == ["mpich-4.0.2"]


def test_a_full_device_is_an_environment_problem_and_stays_a_device(mpiglot: Run) -> None:
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("no /dev/full here")
    done = mpiglot("atlas", "mpich-4.0.2", "-o", full)
    assert done.code == 3
    assert "No space left" in done.err
    assert full.is_char_device()


def test_a_link_to_a_file_stays_a_link(mpiglot: Run, tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("")
    link.symlink_to(real)
    assert mpiglot("atlas", "mpich-4.0.2", "-o", link).code == 0
    assert link.is_symlink()
    assert json.loads(real.read_text())["targets"]


def test_the_same_mpi_twice_is_refused(mpiglot: Run) -> None:
    done = mpiglot("atlas", "mpich-4.0.2", "mpich-4.0.2")
    assert done.code == 2
    assert "more than once" in done.err


def test_an_atlas_that_cannot_be_written_is_one_sentence(mpiglot: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = mpiglot("atlas", "mpich-4.0.2", "-o", tmp_path / "file" / "atlas.json")
    assert done.code == 3
    assert len(done.err.splitlines()) == 1


# --------------------------------------------------------------------------- all of them


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "mpich-4.0.2"),
        ("show", "mpich-4.0.2", "MPI_Send"),
        ("show", "mpich-4.0.2", "MPI_COMM_WORLD"),
        ("diff", "mpich-4.0.2", "openmpi-4.1.4"),
        ("atlas", "mpich-4.0.2", "openmpi-4.1.4"),
    ],
)
def test_json_answers_parse_and_nothing_else_is_said(
    program: Run, arguments: tuple[str, ...]
) -> None:
    done = program(*arguments, "--json")
    assert done.code in (0, 1)
    assert done.json()
    assert done.err == ""


def test_a_reader_that_goes_away_early_is_no_error_of_ours() -> None:
    command = [sys.executable, "-m", "mpiglot", "diff", "mpich-4.0.2", "openmpi-4.1.4", "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        process.wait(timeout=guard(60))


@pytest.mark.parametrize("command", ["show", "diff", "atlas", "generate", "check", "api"])
def test_help_names_every_command(mpiglot: Run, command: str) -> None:
    done = mpiglot(command, "--help")
    assert done.code == 0
    assert done.out.startswith("Usage: ")
