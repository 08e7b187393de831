"""Where an MPI's prototype is narrower than the standard's, no value is cut off."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints import model
from mpiglot.generators.cpp import generator as cpp
from mpiglot.generators.go import generator as go
from mpiglot.generators.inputs import Inputs, Named, known
from mpiglot.generators.java import generator as java
from mpiglot.generators.model import Request
from tests.limits import guard

ROOT = Path(__file__).parents[2]
HEADERS = Path("/usr/include/x86_64-linux-gnu/mpich")
BIG = 2**32 + 5

Change = Callable[[dict[str, Any]], None]


def found(data: dict[str, Any], name: str) -> dict[str, Any]:
    return next(f for f in data["functions"] if f["name"] == name)


def typed(data: dict[str, Any], name: str, parameter: str, c_type: str) -> None:
    next(p for p in found(data, name)["parameters"] if p["name"] == parameter)["type"] = c_type


def small_counts(data: dict[str, Any]) -> None:
    """As in the Forum's stub header, but without the `_c` forms."""
    for name in ("MPI_Psend_init", "MPI_Precv_init"):
        typed(data, name, "count", "int")


def small_counts_and_twins(data: dict[str, Any]) -> None:
    for name in ("MPI_Psend_init", "MPI_Precv_init"):
        twin = json.loads(json.dumps(found(data, name)))
        data["functions"].append({**twin, "name": f"{name}_c", "small_count": name})
    small_counts(data)


def inputs(change: Change) -> Inputs:
    """All known MPIs, and Debian's MPICH with another prototype."""
    data = json.loads(known()["mpich-4.0.2"].read_text(encoding="utf-8"))
    change(data)
    data["functions"].sort(key=lambda f: str(f["name"]))
    odd = Named("mpich-4.0.2", model.from_json(model.Blueprint, data), json.dumps(data))
    return Inputs.of_known(odd)


def files(generator: Any, given: Inputs, target: str | None = None) -> dict[str, str]:
    request = Request("any", given.atlas, given.plan, target=target)
    return {f.path: f.content for f in generator.generate(request).files}


def header(folder: Path, twins: bool) -> None:
    """Debian's header with counts of `int` in the prototypes of partitioned communication."""
    for path in HEADERS.glob("*.h"):
        text = path.read_text(encoding="utf-8")
        declared = re.findall(r"^int P?MPI_P(?:send|recv)_init\([^;]*;", text, re.MULTILINE)
        for old in declared:
            new = old.replace("MPI_Count count", "int count")
            text = text.replace(
                old, new + ("\n" + old.replace("_init(", "_init_c(") if twins else "")
            )
        (folder / path.name).write_text(text, encoding="utf-8")


PROGRAM = """
#include <mpiglot/mpi/constants.hpp>
#include <mpiglot/mpi/partitioned.hpp>
#include <cstdio>
static long long got = -1;
static int calls = 0;
extern "C" int %(called)s(const void*, int, %(type)s count, MPI_Datatype, int, int, MPI_Comm,
                          MPI_Info, MPI_Request*) {
  got = count;
  ++calls;
  return MPI_SUCCESS;
}
int main() {
  namespace mpi = mpiglot::mpi;
  for (const long long count : {7LL, %(big)dLL}) {
    const auto made = mpi::nothrow::psend_init(nullptr, 1, count, mpi::int_, 0, 0, mpi::comm_world,
                                               mpi::info_null);
    std::printf("%%d %%d %%lld\\n", made.code == MPI_ERR_COUNT, calls, got);
  }
}
"""


@pytest.mark.skipif(not (HEADERS / "mpi_proto.h").exists(), reason="needs Debian's MPICH")
@pytest.mark.parametrize(
    ("twins", "called", "expected"),
    [
        (False, "MPI_Psend_init", ["0 1 7", "1 1 7"]),
        (True, "MPI_Psend_init_c", ["0 1 7", f"0 2 {BIG}"]),
    ],
    ids=["checked", "twin"],
)
def test_a_count_beyond_int_goes_to_the_twin_or_is_refused(
    twins: bool, called: str, expected: list[str], tmp_path: Path
) -> None:
    given = inputs(small_counts_and_twins if twins else small_counts)
    for path, text in files(cpp, given, "mpich-4.0.2").items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    header(tmp_path, twins)
    source = tmp_path / "counts.cpp"
    c_type = "MPI_Count" if twins else "int"
    source.write_text(PROGRAM % {"called": called, "type": c_type, "big": BIG}, encoding="utf-8")
    compiler = shutil.which("g++") or "c++"
    options = ["-std=c++20", "-O1", "-DMPICH_SKIP_MPICXX", "-I", str(tmp_path)]
    command = [compiler, *options, str(source), "-o", str(tmp_path / "counts"), "-lmpich"]
    made = subprocess.run(command, capture_output=True, text=True, timeout=guard(250), check=False)
    assert made.returncode == 0, made.stderr[-3000:]
    said = subprocess.run(
        [tmp_path / "counts"], capture_output=True, text=True, timeout=guard(60), check=True
    )
    assert said.stdout.splitlines() == expected


def test_go_and_java_check_the_count_for_the_small_function() -> None:
    narrower = inputs(small_counts)
    made = {**files(go, narrower), **files(java, narrower)}
    for wanted in (True, False):
        texts = {
            name: next(
                made[path] if wanted else (ROOT / folder / path).read_text("utf-8")
                for path in made
                if path.endswith(name)
            )
            for folder, name in (
                ("go_runtime/low", "body_partitioned.h"),
                ("generated/java", "PartitionedCommunication.java"),
            )
        }
        body = re.search(
            r"mpg_r1 MPG_F\(MPI_Psend_init\).*?\n}\n", texts["body_partitioned.h"], re.S
        )
        assert body is not None
        assert body[0].index("if (G) {") < body[0].index("} else if (F && fits) {")
        assert ("int fits = mpg_fits(count);" in body[0]) is wanted
        check = 'Call.narrow(count, "MPI_Psend_init")'
        assert (check in texts["PartitionedCommunication.java"]) is wanted
        assert "PsendInitC.PRESENT" in texts["PartitionedCommunication.java"]


def unservable(data: dict[str, Any]) -> None:
    found(data, "MPI_Bcast")["parameters"].pop()
    found(data, "MPI_Ssend")["returns"] = "void"
    typed(data, "MPI_Get_address", "address", "int *")
    typed(data, "MPI_Barrier", "comm", "MPI_Group")


def test_a_prototype_that_no_call_can_serve_is_left_out_with_the_reason() -> None:
    given = inputs(unservable)
    response = cpp.generate(Request("cpp", given.atlas, given.plan, target="mpich-4.0.2"))
    text = "".join(f.content for f in response.files)
    for name, reason in (
        ("MPI_Bcast", "its arity is 4 here, which is not the standard's"),
        ("MPI_Ssend", "its returns is void here, which is not the standard's"),
        ("MPI_Get_address", "address is int * here, and MPI_Aint * in the standard"),
        ("MPI_Barrier", "comm is MPI_Group here, and MPI_Comm in the standard"),
    ):
        assert f"{name}: {reason}" in response.warnings
        assert not re.search(rf"MPIGLOT_(MPI|WAITING)\({name}\)", text)
    assert "MPIGLOT_WAITING(MPI_Recv)" in text
