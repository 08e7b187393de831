"""`ci/lint` sees the handwritten C and C++, and nothing that is generated."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from mpiglot.ci.lint import handwritten
from tests.limits import guard

ROOT = Path(__file__).parents[2]


def test_generated_files_are_left_out() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in handwritten(ROOT)}
    assert "cpp_runtime/include/mpiglot/operations/scan.hpp" in names
    assert "cpp_runtime/include/mpiglot/operations/members/scan.hpp" not in names
    assert {"go_runtime/low/load.c", "tests/conformance/counter.c"} <= names
    assert "go_runtime/low/calls_pt2pt.h" not in names


def test_another_format_is_refused(tmp_path: Path) -> None:
    shutil.copy(ROOT / ".clang-format", tmp_path)
    formatter = Path(sys.executable).with_name("clang-format")
    file = tmp_path / "one.cpp"

    def code(text: str) -> int:
        file.write_text(text, encoding="utf-8")
        words = [str(formatter), "--dry-run", "-Werror", str(file)]
        return subprocess.run(words, capture_output=True, timeout=guard(60), check=False).returncode

    assert code("int one() { return 1; }\n") == 0
    assert code("int one(){ return 1; }\n") != 0
