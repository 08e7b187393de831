"""The Go generator: complete, deterministic, without lists of functions, formatted."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from mpiglot.blueprints.model import Blueprint, Catalogue, load
from mpiglot.generators import holders
from mpiglot.generators.atlas import build_atlas
from mpiglot.generators.go import c as go_c
from mpiglot.generators.go import checks as go_checks
from mpiglot.generators.go import generator as go
from mpiglot.generators.go import names as go_names
from mpiglot.generators.go import tables as go_tables
from mpiglot.generators.handwritten import by_hand
from mpiglot.generators.holders import Holding
from mpiglot.generators.model import Atlas, Plan, PlannedFunction, Request, Response
from mpiglot.generators.plan import build_plan
from tests.limits import guard

ROOT = Path(__file__).parents[2]
KNOWN = ROOT / "blueprints" / "known"


@lru_cache(maxsize=1)
def request_for_all() -> Request:
    catalogue = load(Catalogue, ROOT / "blueprints" / "catalogue.json")
    named = [(p.stem, load(Blueprint, p)) for p in sorted(KNOWN.glob("*.json"))]
    atlas = build_atlas(catalogue, named)
    return Request("go", atlas, build_plan(atlas))


@lru_cache(maxsize=1)
def response() -> Response:
    return go.generate(request_for_all())


def text_of(name: str) -> str:
    return next(f.content for f in response().files if f.path == name)


def planned(name: str) -> PlannedFunction:
    return next(f for f in request_for_all().plan.functions if f.name == name)


def lowered(name: str) -> go_checks.CFunction:
    handles = [t.name for t in request_for_all().atlas.types if t.handle]
    return go_c.lower(planned(name), handles, [])


# --------------------------------------------------------------------------- the whole


def test_two_runs_give_the_same_bytes() -> None:
    again = go.generate(request_for_all())
    assert [(f.path, f.content) for f in again.files] == [
        (f.path, f.content) for f in response().files
    ]


def test_the_order_of_the_plan_does_not_reorder_chapters() -> None:
    request = request_for_all()
    turned = Plan(list(reversed(request.plan.functions)))
    paths = [f.path for f in go.generate(replace(request, plan=turned)).files]
    assert paths == [f.path for f in response().files]


def test_every_planned_function_is_there_or_has_a_reason() -> None:
    wanted = {f.name for f in request_for_all().plan.functions if f.decision == "generate"}
    called = set()
    for file in response().files:
        if file.path.endswith(".go"):
            called |= set(re.findall(r"C\.mpg_(MPIX?_\w+)\(", file.content))
    explained = {w.split(":")[0] for w in response().warnings}
    assert wanted - called - explained == set()
    assert len(wanted & called) > 500


def test_few_functions_have_no_form() -> None:
    functions = {f.name for f in request_for_all().plan.functions if f.decision == "generate"}
    left_out = sorted(w for w in response().warnings if w.split(":")[0] in functions)
    assert len(left_out) <= 8, left_out


def test_every_file_but_the_handwritten_ones_says_that_it_is_generated() -> None:
    written = {path for path, _ in by_hand("go_runtime/low", ".c", ".go", ".h", ".mod")}
    assert {"run.go", "load.c", "mpiglot.h", "go.mod"} <= written
    for file in response().files:
        first = file.content.splitlines()[0]
        says = re.fullmatch(r"// Code generated .* DO NOT EDIT\.", first)
        assert (says is None) == (file.path in written), file.path


def test_templates_of_go_are_templates() -> None:
    found = [p.name for p in (ROOT / "templates" / "go").rglob("*") if p.suffix != ".jinja"]
    assert found == []


def test_no_generated_name_is_defined_twice() -> None:
    defined: list[str] = []
    for file in response().files:
        if file.path.endswith(".go"):
            defined += re.findall(r"^func ([A-Z]\w*)\(", file.content, re.MULTILINE)
            defined += re.findall(r"^\t([A-Z]\w*) (?:Class )?= -?\d+$", file.content, re.MULTILINE)
    assert len(defined) == len(set(defined))


@pytest.mark.skipif(not shutil.which("gofmt"), reason="there is no gofmt")
def test_generated_files_are_formatted(tmp_path: Path) -> None:
    for file in response().files:
        (tmp_path / file.path).write_text(file.content, encoding="utf-8")
    run = subprocess.run(
        ["gofmt", "-l", str(tmp_path)], capture_output=True, text=True, timeout=guard(60)
    )
    assert (run.stdout, run.stderr) == ("", "")


# --------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("c_name", "go_name"),
    [
        ("MPI_Comm_rank", "CommRank"),
        ("MPI_ANY_SOURCE", "AnySource"),
        ("MPI_T_cvar_get_info", "TCvarGetInfo"),
        ("MPIX_Comm_agree", "XCommAgree"),
        ("MPI_2INT", "TwoInt"),
        ("MPI_INT64_T", "Int64T"),
        ("MPI_ERR_TRUNCATE", "ErrTruncate"),
    ],
)
def test_names_are_go_names(c_name: str, go_name: str) -> None:
    assert go_names.exported(c_name) == go_name


def test_parameters_are_no_keywords_and_differ() -> None:
    names = go_names.parameters(["type", "array_of_requests", "requests", "range", "comm_old"])
    assert names["type"] == "typeArg"
    assert names["range"] == "rangeArg"
    assert names["comm_old"] == "commOld"
    assert len(set(names.values())) == 5


# --------------------------------------------------------------------------- calls


def test_outputs_come_back_by_value() -> None:
    c = lowered("MPI_Comm_rank")
    assert (c.result, c.parameters) == ("mpg_r1", ["uint64_t comm"])
    assert c.guard == "running"
    assert c.small is not None
    assert c.small.cast == "int (*)(MPI_Comm, void *)"


def test_the_small_function_is_called_while_the_count_fits() -> None:
    c = lowered("MPI_Send")
    assert (c.fits, c.large_name, c.prefer_large) == ("mpg_fits(count)", "MPI_Send_c", False)
    assert c.checks == ["mpg_fits(dest)", "mpg_fits(tag)"]


def test_counts_of_arrays_decide_together() -> None:
    c = lowered("MPI_Alltoallv")
    assert c.fits.count("mpg_all_fit") == 4


def test_wide_results_prefer_the_large_function() -> None:
    assert lowered("MPI_Type_size").prefer_large


def test_what_a_pending_operation_uses_is_kept() -> None:
    c = lowered("MPI_Ialltoallw")
    assert c.kept
    assert c.blocks == "v1"
    assert lowered("MPI_Isend").blocks == ""  # nothing is converted, and both results fit registers
    assert "k.pin(first(sendtypes))" in text_of("collectives.go")
    assert not lowered("MPI_Alltoallw").kept


def test_what_is_asked_before_a_call_is_what_the_standard_says() -> None:
    """Infos may be used at any time since MPI 4, names of processors never."""
    expected = {
        "MPI_Get_version": "",
        "MPI_T_init_thread": "",
        "MPI_Session_init": "",
        "MPI_Info_create": "early",
        "MPI_Error_string": "early",
        "MPI_Get_processor_name": "running",
        "MPI_Dims_create": "running",
        "MPI_Barrier": "running",
    }
    assert {name: lowered(name).guard for name in expected} == expected


# --------------------------------------------------------------------------- tables


def tables(atlas: Atlas | None = None) -> go_tables.Tables:
    atlas = atlas or request_for_all().atlas
    handles = {t.name: go_names.exported(t.name) for t in atlas.types if t.handle}
    return go_tables.build(atlas, handles, [])


def test_integers_have_the_values_of_the_standard_abi() -> None:
    constants = text_of("constants.go")
    assert "\tAnySource = -1\n" in constants
    assert "\tUnequal = 204\n" in constants
    assert "\tErrTruncate Class = 15\n" in constants


def test_constants_know_the_value_on_every_library() -> None:
    made = tables()
    any_source = next(c for c in made.integers if c.c_name == "MPI_ANY_SOURCE")
    values = {
        library.target.name: next(v.value for v in any_source.choices if v.mask & (1 << i))
        for i, library in enumerate(made.libraries)
    }
    assert values["mpich-4.0.2"] == -2
    assert values["openmpi-4.1.4"] == -1
    assert values["mpich-5.0.2-abi"] == -1


def test_the_constants_on_which_abi_libraries_disagree_come_from_the_library() -> None:
    made = tables()
    fatal = next(c for c in made.handles if c.c_name == "MPI_ERRORS_RETURN")
    values = {
        library.target.name: next(v.value for v in fatal.choices if v.mask & (1 << i))
        for i, library in enumerate(made.libraries)
        if library.target.abi == "abi"
    }
    assert values["mpich-5.0.2-abi"] == 0x143
    assert values["intelmpi-2021.19.0-abi"] == 0x142


def test_integer_handles_are_never_negative_words() -> None:
    for c in tables().handles:
        assert all(0 <= v.value < 2**64 for v in c.choices), c.c_name


def test_there_is_a_profile_for_each_representation_of_handles() -> None:
    made = tables()
    assert len(made.profiles) == 2
    integer = next(p for p in made.profiles if "MPI_Comm" in p.integers)
    assert "MPI_File" in integer.pointers
    assert "MPI_T_enum" in integer.pointers


def test_a_library_that_cannot_be_loaded_is_left_out_and_named() -> None:
    assert any(w.startswith("simgrid") for w in response().warnings)
    assert "simgrid" not in text_of("tables.go")


def test_a_status_of_unknown_layout_leaves_the_library_out() -> None:
    request = request_for_all()
    types = [
        replace(t, representations=[replace(r, fields=[]) for r in t.representations])
        if t.name == "MPI_Status"
        else t
        for t in request.atlas.types
    ]
    made = tables(replace(request.atlas, types=types))
    assert made.libraries == []
    assert any("status" in w for w in made.warnings)


def test_texts_of_blueprints_are_quoted() -> None:
    request = request_for_all()
    evil = 'Evil "+panic("x")+" MPI 4.0.2'
    targets = [
        replace(t, library_version=evil) if t.name == "mpich-4.0.2" else t
        for t in request.atlas.targets
    ]
    answer = go.generate(replace(request, atlas=replace(request.atlas, targets=targets)))
    table = next(f.content for f in answer.files if f.path == "tables.go")
    assert r'text: "Evil \"+panic(\"x\")+\" MPI"' in table


# --------------------------------------------------------------------------- who can call functions


def test_types_and_results_tell_what_holds_a_function_of_the_program() -> None:
    request = request_for_all()
    found = holders.find(request.plan.functions, request.atlas)
    assert found.carriers == {"MPI_Op", "MPI_Errhandler"}
    assert found.objects == {"MPI_Comm", "MPI_File", "MPI_Session", "MPI_Win"}
    expected = {
        "MPI_Op_create_c": Holding(made="op"),
        "MPI_Op_free": Holding(released="op"),
        "MPI_Op_commutative": Holding(),
        "MPI_Allreduce": Holding(used=("op",)),
        "MPI_Reduce_init": Holding(used=("op", "comm"), request="request"),
        "MPI_Barrier": Holding(),
        "MPI_Ibarrier": Holding(used=("comm",), request="request"),
        "MPI_Comm_disconnect": Holding(released="comm"),
        "MPI_Win_set_errhandler": Holding(given="errhandler", attached="win"),
        "MPI_Session_init": Holding(given="errhandler", attached="session"),
        "MPI_File_get_errhandler": Holding(told="errhandler", asked="file"),
        "MPI_File_open": Holding(child="fh", parents=("comm",), none="MPI_FILE_NULL"),
        "MPI_Comm_idup": Holding(parents=("comm",), for_ever=True),
        "MPI_Group_from_session_pset": Holding(parents=("session",), for_ever=True),
        "MPI_Comm_get_info": Holding(),
    }
    assert {name: found.of(name) for name in expected} == expected
