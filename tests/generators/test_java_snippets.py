"""What docs/guide/migration.md and the pages of docs/guide/java say to programs in Java is Java.

Blocks of docs/guide/java are statements, which are compiled and see the fields of SCOPE. So is each
piece of code in the second column of a table that has `<!-- snippet: table -->` before it. The
block of migration.md with `<!-- snippet: java -->` before it is a whole program, which runs.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.generators.java_programs import SOON, java_of, javac, needs_java
from tests.generators.programs import ROOT, run
from tests.packages.outside import snippets

pytestmark = needs_java

PAGE = ROOT / "docs" / "guide" / "migration.md"
JAVA = sorted((ROOT / "docs" / "guide" / "java").glob("*.md"))
SCOPE = """\
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.LockType;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.mpi.*;
import java.io.ObjectInputFilter;
import java.lang.foreign.MemorySegment;
import java.nio.FloatBuffer;
import java.util.*;
import java.util.concurrent.*;

class Lines {
    Mpi mpi;
    Comm world, peer;
    Cart cart;
    Group group;
    Message message;
    Request request;
    List<Request> requests;
    Persistent persistent;
    Window<Element.Ints> window;
    Status status;
    PackedBuffer packed;
    Datatype<Element.Ints> type;
    MemorySegment segment;
    byte[] bytes;
    int[] buf, all, counts, displs, dims, ranks;
    boolean[] periods, flags;
    double[] grid;
    double[][] matrix;
    FloatBuffer floats;
    Codec<String> codec;
    String text;
    int offset, count, source, dest, tag, root, color, key, leader, size;
"""


def statements(page: str) -> list[str]:
    found = []
    for table in re.findall(r"^<!-- snippet: table -->\n((?:\|.*\n)+)", page, re.M):
        for row in table.splitlines()[2:]:
            cells = [cell.replace("\0", "|") for cell in row.replace(r"\|", "\0").split("|")[1:-1]]
            assert len(cells) == 3, row
            pieces = re.findall(r"`([^`]+)`", cells[1])
            assert pieces, row
            found += pieces
    return found


def test_lines_of_tables_and_blocks_compile(jars: Path, tmp_path: Path) -> None:
    lines = [line for page in (PAGE, *JAVA) for line in statements(page.read_text("utf-8"))]
    blocks = [block for page in JAVA for block in snippets(page, "java")]
    assert (len(lines) > 80, len(blocks) > 5) == (True, True)
    bodies = [*(line if line.endswith("}") else f"{line};" for line in lines), *blocks]
    methods = [
        f"    void line{number}() throws Exception {{ {body} }}\n"
        for number, body in enumerate(bodies)
    ]
    source = tmp_path / "Lines.java"
    source.write_text(SCOPE + "".join(methods) + "}\n", encoding="utf-8")
    made = javac(jars, "-cp", jars / "mpiglot.jar", "-d", tmp_path, source)
    assert made.returncode == 0, made.stderr


def test_the_program_for_users_of_mpj_express_runs(jars: Path, tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (text,) = re.findall(r"^<!-- snippet: java -->\n```java\n(.*?)^```$", page, re.M | re.S)
    source = tmp_path / "Ring.java"
    source.write_text(text, encoding="utf-8")
    made = javac(jars, "-cp", jars / "mpiglot.jar", "-d", tmp_path, source)
    assert made.returncode == 0, made.stderr
    done = run(
        "mpiexec.mpich", "-n", "3", java_of(jars), *SOON, "--enable-native-access=ALL-UNNAMED",
        "-cp", f"{jars}/mpiglot.jar:{tmp_path}", "Ring",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(done.stdout.splitlines()) == ["0: 2 of 3", "1: 0 of 3", "2: 1 of 3"]
