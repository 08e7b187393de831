"""Builds `blueprints/catalogue.json` from its committed inputs; same inputs, same bytes.

    python -m mpiglot.blueprints.catalogue.build [--check]

Inputs: `prototypes.json` (C facts), the rules, `overlay.json` (what no rule can know: versions,
names, families), `constants.json` (value sets, handles, attributes), `deviations.json`.
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

from mpiglot.blueprints import model
from mpiglot.blueprints.catalogue import docs, engine
from mpiglot.blueprints.catalogue.stated import Patterns, Table, check
from mpiglot.blueprints.catalogue.vocabulary import HANDLE_ROLES, VERSIONS
from mpiglot.blueprints.errors import UsageError

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "catalogue.json"
DEVIATIONS_DOC = HERE.parents[1] / "docs" / "reference" / "deviations.md"


def _read(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def _endings(data: Any, overlay: Any) -> tuple[Table, Table]:
    """The versions that deprecated and removed functions, callbacks and constants."""
    known = {
        n for part in ("functions", "callbacks", "constants") for n in _all(part, data, overlay)
    }
    deprecated, removed = (Table(t, overlay[t], known) for t in ("deprecated", "removed"))
    return deprecated, removed


def _all(part: str, data: Any, overlay: Any) -> dict[str, Any]:
    return {**data[part], **overlay[part]}


def _parameters(name: str, entry: Any, renamed: dict[str, dict[str, str]]) -> list[model.Parameter]:
    names = renamed.get(name, {})
    return [model.Parameter(name=names.get(n, n), type=t) for n, t in entry["parameters"]]


def _functions(data: Any, overlay: Any) -> list[model.Function]:
    prototypes = _all("functions", data, overlay)
    callback_types = _all("callbacks", data, overlay)
    since = Table("since", overlay["since"], prototypes)
    deprecated, removed = _endings(data, overlay)
    before_init = Patterns("before_init", overlay["before_init"], prototypes)
    brief = Patterns("brief", {"brief": overlay["brief"]}, prototypes)
    functions = []
    for name, entry in sorted(prototypes.items()):
        function = model.Function(
            name=name,
            returns=entry["returns"],
            parameters=_parameters(name, entry, overlay["names"]),
            variadic=entry.get("variadic", False),
            since=since.get(name) or "",
            deprecated=deprecated.get(name),
            removed=removed.get(name),
            before_init=before_init.get(name) or "",
            brief=brief.get(name) is not None,
        )
        engine.annotate(function, HANDLE_ROLES, callback_types, prototypes)
        functions.append(function)
    docs.describe(functions)
    families = Table("families", overlay["families"], prototypes)
    for function in functions:
        check(function, since, families)
    return functions


def _callbacks(data: Any, overlay: Any) -> list[model.CallbackType]:
    types = _all("callbacks", data, overlay)
    deprecated, removed = _endings(data, overlay)
    since = Table("callbacks_since", overlay["callbacks_since"], types)
    out = []
    for name, entry in sorted(types.items()):
        original = entry.get("alias_of", name)
        shape = types[original]
        # a callback's parameters are annotated like a function's of the same name
        function = model.Function(
            name=original,
            returns=shape["returns"],
            parameters=_parameters(original, shape, overlay["names"]),
        )
        engine.annotate(function, HANDLE_ROLES, types)
        out.append(
            model.CallbackType(
                name=name,
                returns=shape["returns"],
                parameters=function.parameters,
                variadic=shape.get("variadic", False),
                since=since.required(name),
                deprecated=deprecated.get(name),
                removed=removed.get(name),
            )
        )
    return out


def _class(c_type: str, callback_types: dict[str, Any]) -> str:
    base = engine.c_type(c_type).base
    if base in callback_types:
        return "function"
    if base in HANDLE_ROLES and "*" not in c_type:
        return "handle"
    return "sentinel" if "*" in c_type else "integer"


def _constants(data: Any, overlay: Any, sets: Any) -> list[model.Constant]:
    everything = _all("constants", data, overlay)
    callback_types = _all("callbacks", data, overlay)
    since = Table("constants_since", overlay["constants_since"], everything)
    deprecated, removed = _endings(data, overlay)
    purposes = Table(
        "purpose", sets["purpose"], everything, source="blueprints/catalogue/constants.json"
    )
    return [
        model.Constant(
            name=name,
            cls=_class(c_type, callback_types),
            type=c_type,
            abi_value=value,
            sets=[s for s, (_, _, members) in sets["value_sets"].items() if name in members],
            purpose=purposes.get(name) or "",
            since=since.required(name),
            deprecated=deprecated.get(name),
            removed=removed.get(name),
        )
        for name, (c_type, value) in sorted(everything.items())
    ]


def _deviations() -> list[model.Deviation]:
    out = []
    for entry in _read("deviations.json")["deviations"]:
        reason = entry["reason"]
        for function, parameter, key, forum, ours in entry["where"]:
            out.append(model.Deviation(function, parameter, key, forum, ours, reason))
    return sorted(out, key=lambda d: (d.function, d.parameter, d.key))


def build() -> model.Catalogue:
    data, overlay, sets = _read("prototypes.json"), _read("overlay.json"), _read("constants.json")
    return model.Catalogue(
        standard=VERSIONS[-1],
        functions=_functions(data, overlay),
        callbacks=_callbacks(data, overlay),
        constants=_constants(data, overlay, sets),
        handles=[model.Handle(name=n, **f) for n, f in sorted(sets["handles"].items())],
        value_sets=[
            model.ValueSet(name=n, kind=kind, constants=members, doc=doc)
            for n, (kind, doc, members) in sorted(sets["value_sets"].items())
        ],
        attributes=[model.Attribute(k, *rest) for k, rest in sorted(sets["attributes"].items())],
        deviations=_deviations(),
    )


def deviations_text(catalogue: model.Catalogue) -> str:
    """`docs/reference/deviations.md`: the same list for people."""
    reasons: dict[str, list[model.Deviation]] = {}
    for deviation in catalogue.deviations:
        reasons.setdefault(deviation.reason, []).append(deviation)
    lines = [
        "# Differences between the catalogue and the Forum's data",
        "",
        "<!-- generated by `python -m mpiglot.blueprints.catalogue.build`, do not edit -->",
        "",
        "The MPI Forum publishes the standard's functions as data (kinds, directions, lengths; it",
        "comes with the Python package pympistandard). The catalogue is not made from it. A test",
        "compares the two: this page lists every difference with its reason. Other names for the",
        "same parameter or kind do not count as differences.",
        "",
    ]
    for reason, group in sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0])):
        lines += [*textwrap.wrap(reason, 100, break_long_words=False), ""]
        lines += ["| function | parameter | what | Forum | catalogue |"]
        lines.append("|---|---|---|---|---|")
        lines += [
            f"| {d.function} | {d.parameter} | {d.key} | {d.forum} | {d.catalogue} |" for d in group
        ]
        lines.append("")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: python -m mpiglot.blueprints.catalogue.build [--check]", file=sys.stderr)
        return 2
    try:
        catalogue = build()
    except UsageError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    outputs = {TARGET: model.dumps(catalogue), DEVIATIONS_DOC: deviations_text(catalogue)}
    if "--check" in arguments:
        stale = [p.name for p, text in outputs.items() if p.read_text(encoding="utf-8") != text]
        if stale:
            print(f"{', '.join(stale)}: not what the inputs give, build again", file=sys.stderr)
        return 1 if stale else 0
    for path, text in outputs.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
