"""Bad files: refused in one sentence that says where and what, and never turned into code."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpiglot.blueprints import catalogue, check, model
from mpiglot.blueprints.check import load_checked
from mpiglot.blueprints.errors import UsageError

KNOWN = sorted((Path(catalogue.__file__).parents[1] / "known").glob("*.json"))
GOOD: dict[str, Any] = json.loads(
    next(p for p in KNOWN if p.stem == "mpich-4.0.2").read_text(encoding="utf-8")
)


def small() -> dict[str, Any]:
    """A real blueprint cut down, fresh for each use."""
    out: dict[str, Any] = json.loads(json.dumps({k: v for k, v in GOOD.items()}))
    for key in ("types", "constants", "functions", "callbacks"):
        out[key] = out[key][:20]
    return out


def refusal(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        load_checked(text)
    sentence = str(caught.value)
    assert "\n" not in sentence and sentence.endswith(".") and len(sentence) < 400
    return sentence


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    data = small()
    change(data)
    return json.dumps(data)


def put(*path: str | int, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize("path", KNOWN, ids=lambda p: p.stem)
def test_every_known_blueprint_is_good(path: Path) -> None:
    assert len(load_checked(path).functions) > 300


def test_catalogue_is_good() -> None:
    assert load_checked(catalogue.PATH, "catalogue") == catalogue.load()


def test_blueprint_survives_the_way_through_json() -> None:
    blueprint = load_checked(json.dumps(small()))
    assert load_checked(model.dumps(blueprint)) == blueprint


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("")
    with pytest.raises(UsageError, match=r"x\.json is empty"):
        load_checked(path)


WHOLE = model.dumps(load_checked(json.dumps(small())))


@pytest.mark.parametrize(
    "length", [1, 2, 5, 200, WHOLE.index("true") + 2, len(WHOLE) - 2, *range(5000, 5040)]
)
def test_truncated_file_says_so(tmp_path: Path, length: int) -> None:
    path = tmp_path / "x.json"
    path.write_text(WHOLE[:length])
    with pytest.raises(UsageError, match=r"x\.json ends in the middle \(line \d+\)"):
        load_checked(path)


def test_broken_json_says_the_line() -> None:
    assert "line 3, is not JSON" in refusal('{\n "schema_version": 1,\n "mpi": nothing\n}')


@pytest.mark.parametrize("text", ["[]", "3", '"x"', "{}", '{"name": "something else"}', "null"])
def test_foreign_json_is_told_apart(text: str) -> None:
    assert "is JSON, but not a blueprint of mpiglot" in refusal(text)


def test_catalogue_given_for_a_blueprint() -> None:
    with pytest.raises(UsageError, match="is not a blueprint but another file of mpiglot"):
        load_checked(catalogue.PATH)


def test_newer_schema() -> None:
    sentence = refusal(changed(put("schema_version", value=2)))
    assert "schema version 2; this mpiglot knows 1" in sentence


@pytest.mark.parametrize("version", ["1", 0, -1, True, 1.5, None])
def test_other_schema_versions_are_refused(version: Any) -> None:
    refusal(changed(put("schema_version", value=version)))


def test_not_text_not_there_and_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not text in UTF-8"):
        load_checked(path)
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        load_checked(tmp_path / "y.json")
    with pytest.raises(UsageError, match="is a folder"):
        load_checked(tmp_path)


def test_deeply_nested_json() -> None:
    assert "nested too deeply" in refusal("[" * 100_000)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_json_does_not_have(number: str) -> None:
    assert "is no JSON number" in refusal(f'{{"schema_version": {number}}}')


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (put("functions", value={}), "functions must be array"),
        (put("functions", 3, value="x"), "functions[3] must be object"),
        (put("functions", 3, "parameters", value=None), ".parameters must be array"),
        (put("functions", 3, "status", value="sure"), "must be one of"),
        (put("functions", 3, "collective", value=1), "must be boolean"),
        (put("types", 3, "size", value=-1), ".size must be bigger than or equal to 0"),
        (put("constants", 3, "value", value=[1]), ".value has not the form"),
        (put("constants", 3, "links", value="yes"), "must be boolean"),
        (put("mpi", value=[]), "mpi must be object"),
        (lambda d: d.pop("constants"), "must have constants"),
        (lambda d: d["functions"][3].pop("name"), "functions[3] must have name"),
        (lambda d: d["functions"].append(d["functions"][0]), "twice"),
    ],
)
def test_wrong_types_say_where(change: Callable[[dict[str, Any]], object], expected: str) -> None:
    assert expected in refusal(changed(change))


def test_group_must_name_a_parameter() -> None:
    data = small()
    f = next(f for f in GOOD["functions"] if f["name"] == "MPI_Send")
    f = json.loads(json.dumps(f))
    f["parameters"][0]["group"]["count"] = "elsewhere"
    data["functions"] = [f]
    assert "MPI_Send has no parameter elsewhere" in refusal(json.dumps(data))


HOSTILE = [
    'x(){system("id");}',
    "MPI_Send\n",
    "MPI_Send;",
    "MPI Send",
    "",
    "1st",
    "ü",
    "a\u2028b",
    "*/ evil /*",
    "${jndi:x}",
    "{{ 7*7 }}",
    "a" * 300,
]
NAMES: list[tuple[str | int, ...]] = [
    ("functions", 3, "name"),
    ("functions", 3, "parameters", 0, "name"),
    ("functions", 3, "large_count"),
    ("constants", 3, "name"),
    ("types", 3, "name"),
    ("callbacks", 3, "name"),
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("path", NAMES, ids=lambda p: ".".join(map(str, p)))
def test_hostile_names_are_refused(path: tuple[str | int, ...], name: str) -> None:
    assert "must be a C identifier" in refusal(changed(put(*path, value=name)))


@pytest.mark.parametrize(
    "c_type", ["int; evil()", "int\n#include <x>", 'char x["', "int /*", "x{", "", "#define", "a\\"]
)
def test_hostile_types_are_refused(c_type: str) -> None:
    change = put("functions", 3, "parameters", 0, "type", value=c_type)
    assert "must be a C type" in refusal(changed(change))
    assert "must be a C type" in refusal(changed(put("functions", 3, "returns", value=c_type)))


@pytest.mark.parametrize(
    "path",
    [
        ("mpi", "version"),
        ("mpi", "vendor"),
        ("mpi", "soname"),
        ("toolchain", "compiler"),
        ("omitted", 0, "reason"),
        ("functions", 3, "doc"),
    ],
)
@pytest.mark.parametrize("text", ["a\nb", "a\rb", "\x1b[2J", "\x00", "a\u2028b"])
def test_control_characters_are_refused(path: tuple[str | int, ...], text: str) -> None:
    refusal(changed(put(*path, value=text)))


@pytest.mark.parametrize("expansion", ["x; y", "{", '"', "'", "a\nb", "#", "\\"])
def test_hostile_expansions_are_refused(expansion: str) -> None:
    refusal(changed(put("functions", 3, "expansion", value=expansion)))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=30))
def test_any_name_is_an_identifier_or_refused(name: str) -> None:
    text = changed(put("functions", 3, "name", value=name))
    try:
        blueprint = load_checked(text)
    except UsageError as error:
        assert "\n" not in str(error) and "\x1b" not in str(error)
    else:
        assert blueprint.functions[3].name.isidentifier() and blueprint.functions[3].name.isascii()


def test_unknown_keys_are_ignored() -> None:
    """A later version of the same schema may add keys."""
    data = small()
    data["functions"][3]["novelty"] = {"a": [1]}
    data["later"] = "x"
    assert load_checked(json.dumps(data)).functions[3].name == data["functions"][3]["name"]


def test_a_megabyte_is_checked_in_a_moment() -> None:
    blueprint = load_checked(json.dumps(GOOD))
    again = [replace(f, name=f.name + "_again") for f in blueprint.functions]
    text = model.dumps(replace(blueprint, functions=blueprint.functions + again))
    assert len(text) > 1_000_000
    check.load_checked(json.dumps(small()))  # compiles the schema
    started = time.process_time()
    load_checked(text)
    assert time.process_time() - started < 0.5  # measured: 0.1


def test_schemas_of_blueprint_and_catalogue_share_their_words() -> None:
    schemas = [
        json.loads((check.SCHEMAS / f"{kind}.schema.json").read_text())["definitions"]
        for kind in ("blueprint", "catalogue")
    ]
    for word in ("name", "c_type", "version", "text", "rule", "group", "callback"):
        assert schemas[0][word] == schemas[1][word]
    for word in ("parameter", "function", "constant", "callback_type"):
        mine, other = schemas[0][word]["properties"], schemas[1][word]["properties"]
        assert all(mine[key] == other[key] for key in other), word


def test_schemas_know_every_key_of_the_models() -> None:
    definitions = json.loads((check.SCHEMAS / "blueprint.schema.json").read_text())["definitions"]
    classes: dict[str, Any] = {
        "parameter": model.Parameter,
        "function": model.Function,
        "constant": model.Constant,
        "type": model.Type,
        "callback_type": model.CallbackType,
        "group": model.Group,
    }
    for word, cls in classes.items():
        keys = {model._KEYS.get(k, k) for k in cls.__dataclass_fields__}
        assert keys == set(definitions[word]["properties"]), word
