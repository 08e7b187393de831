"""Writes `tests/data/forum_facts.json` from the Forum's machine-readable description of MPI 5.0.

    python tests/catalogue/convert_facts.py APIS_JSON

APIS_JSON is `pympistandard/data/apis.json` of the Python package pympistandard 0.2.0 (MIT), which
the MPI Forum's own LaTeX sources produce. Only facts are kept: for each function the position,
name, kind, direction and length of its parameters, and the marks constant, asynchronous,
root-only and large-count-only. The catalogue is not made from this file: the tests compare the
two, so that an error would have to be made twice.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "data" / "forum_facts.json"
MARKS = {"constant": "c", "asynchronous": "a", "root_only": "r", "large_only": "l"}


def facts(parameter: dict[str, Any]) -> list[Any]:
    marks = "".join(mark for key, mark in MARKS.items() if parameter[key])
    length = parameter["length"] or None
    return [parameter["name"], parameter["kind"], parameter["param_direction"], length, marks]


def main(source: Path) -> None:
    out: dict[str, Any] = {}
    for entry in json.loads(source.read_text(encoding="utf-8")).values():
        attributes = entry["attributes"]
        if not attributes["c_expressible"] or attributes["predefined_function"]:
            continue
        out[entry["name"]] = [
            facts(p)
            for p in entry["parameters"]
            if "c_parameter" not in p["suppress"].split() and p["kind"] != "VARARGS"
        ]
    note = "facts of MPI 5.0: see tests/catalogue/convert_facts.py"
    rows = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(out.items())]
    text = f'{{"note": {json.dumps(note)},\n "columns": ["name", "kind", "direction", "length", '
    text += '"marks: constant, asynchronous, root-only, large-only"],\n "functions": {\n'
    TARGET.write_text(text + ",\n".join(rows) + "\n }}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
