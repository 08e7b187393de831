"""Properties of the data models: what is written is read back the same, and fits its schema."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpiglot.blueprints import model as blueprints
from mpiglot.blueprints.model import dumps, from_json, to_json
from mpiglot.exchange import schema_build
from mpiglot.exchange.schema import FOLDER, complaint
from mpiglot.generators import model as generators
from mpiglot.generators.inputs import Inputs, blueprint

TEXT = st.text(max_size=12)
LEAVES: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(-(2**63), 2**64),
    bool: st.booleans(),
    type(None): st.none(),
    Any: TEXT,
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Anything a field of this type may hold."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([values(a) for a in arguments])
    if origin is list:
        return st.lists(values(arguments[0]), max_size=2)
    if origin is dict:
        return st.dictionaries(TEXT, values(arguments[1]), max_size=2)
    if dataclasses.is_dataclass(hint):
        return objects(typing.cast(type, hint))
    return LEAVES[hint]


def objects(cls: type) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(cls)
    fields = {
        f.name: st.just(1) if f.name in ("schema_version", "protocol") else values(hints[f.name])
        for f in dataclasses.fields(cls)
    }
    return st.builds(cls, **fields)


MODELS: list[type] = [
    blueprints.Function,
    blueprints.Constant,
    blueprints.Type,
    blueprints.CallbackType,
    blueprints.Blueprint,
    blueprints.Catalogue,
    generators.Atlas,
    generators.Plan,
    generators.Response,
]

quick = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("cls", MODELS, ids=lambda c: c.__name__)
def test_what_is_written_is_read_back_the_same(cls: type) -> None:
    @quick
    @given(objects(cls))
    def holds(value: Any) -> None:
        text = dumps(value)
        again: Any = from_json(cls, json.loads(text))
        assert again == value
        assert dumps(again) == text

    holds()


@pytest.mark.parametrize(
    ("cls", "schema"),
    [
        (generators.Atlas, "atlas"),
        (generators.Plan, "plan"),
        (generators.Response, "response"),
    ],
)
def test_every_model_object_is_what_its_schema_says(cls: type, schema: str) -> None:
    @quick
    @given(objects(cls))
    def holds(value: Any) -> None:
        data = {**to_json(value)}
        if schema == "response":
            data = {"protocol": 1, "files": [], **data}
        assert complaint(schema, data) is None

    holds()


@pytest.mark.parametrize("schema", ["atlas", "plan", "request", "response"])
@quick
@given(
    data=st.recursive(
        st.none() | st.booleans() | st.integers() | TEXT,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
        max_leaves=8,
    )
)
def test_what_is_no_model_object_is_refused_not_crashed_on(schema: str, data: Any) -> None:
    assert complaint(schema, data) is not None


def test_the_committed_schemas_are_those_of_the_models() -> None:
    """If not: python -m mpiglot.exchange.schema_build."""
    for name, text in schema_build.documents():
        assert (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8") == text


def test_the_real_atlas_and_plan_are_what_their_schemas_say() -> None:
    inputs = Inputs([blueprint("mpich-4.0.2"), blueprint("openmpi-4.1.4")])
    for schema, value in (("atlas", inputs.atlas), ("plan", inputs.plan)):
        data = json.loads(dumps(value))
        assert complaint(schema, data) is None
        assert from_json(type(value), data) == value
