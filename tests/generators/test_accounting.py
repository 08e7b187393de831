"""Every function of every header is generated in every language, or there is a reason why not."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from mpiglot.exchange.host import BUILT_IN
from mpiglot.exchange.produce import Product, Unit, listed_units, produce
from mpiglot.generators.cpp.functions import FunctionWriter, type_of
from mpiglot.generators.cpp.target import look_up
from mpiglot.generators.inputs import Inputs, blueprint
from mpiglot.generators.policy import decide, why_plain
from mpiglot.views import api
from mpiglot.views.report import overview


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return Inputs.of_known()


@pytest.fixture(scope="module")
def products(inputs: Inputs) -> dict[tuple[str, str | None], Product]:
    made = [produce(unit, inputs) for unit in listed_units(BUILT_IN)]
    return {(p.unit.language, p.unit.target): p for p in made}


def declared(product: Product) -> dict[str, list[str]]:
    """The declarations of a tree by the name they declare, spelling apart."""
    out: dict[str, list[str]] = defaultdict(list)
    for line in api.declarations(product.unit.language, product.files):
        if "(" in line:
            out[api._folded(api._declared_name(line))].append(line)
    return out


def has(declarations: dict[str, list[str]], name: str) -> bool:
    bare = api._folded(re.sub(r"^MPIX_", "", name))
    spellings = (bare, f"{bare}mpi", f"x{bare}", f"mpix{bare}")
    return any(api._declares(line, name) for s in spellings for line in declarations.get(s, []))


@pytest.mark.parametrize("unit", listed_units(BUILT_IN), ids=lambda u: u.target or u.language)
def test_every_function_is_generated_or_the_reason_is_given(
    unit: Unit, inputs: Inputs, products: dict[tuple[str, str | None], Product]
) -> None:
    product = products[unit.language, unit.target]
    warned = {warning.partition(":")[0] for warning in product.warnings}
    declarations = declared(product)
    planned = {f.name: f for f in inputs.plan.functions}
    decisions = decide(inputs.atlas)
    generated, explained, missing = 0, 0, []
    for entry in inputs.atlas.functions:
        name = entry.function.name
        decision = decisions[name]
        if decision.decision != "generate":
            assert decision.reason, name
            explained += 1
        elif has(declarations, name):
            generated += 1
        elif name in warned:
            explained += 1
        else:
            missing.append(name)
        assert decision.decision == "alias" or name in planned, name
    assert missing == []
    assert generated > 550
    assert generated + explained == len(inputs.atlas.functions)


def test_the_reasons_are_few_and_cover_whole_groups(inputs: Inputs) -> None:
    """Skipping is for what the standard has removed; a new reason must be looked at."""
    skipped = {
        name: decision.reason
        for name, decision in decide(inputs.atlas).items()
        if decision.decision == "skip"
    }
    assert set(skipped.values()) == {"removed from the standard in MPI 3.0"}
    assert len(skipped) == 10


@pytest.mark.parametrize("name", ["mpich-4.0.2", "mpich-5.0.2", "openmpi-5.0.11", "simgrid-3.32"])
def test_what_stays_as_c_has_it_is_listed(name: str, inputs: Inputs) -> None:
    target = look_up(inputs.atlas, inputs.plan, name)
    writer = FunctionWriter(target)
    for function in inputs.plan.functions:
        if function.decision != "generate" or not target.provider(function):
            continue
        parameters = writer.parameters(function)
        for argument, parameter in zip(function.arguments, parameters, strict=True):
            spelled = type_of(parameter)
            data = argument.kind in ("buffer", "memory")  # addresses by nature
            own = re.search(r"MPIX?_", spelled)  # a type of C
            is_plain = ("*" in spelled and not data) or own is not None
            assert bool(why_plain(argument)) == is_plain, (function.name, spelled)


def test_show_says_why_a_parameter_stays_as_c_has_it() -> None:
    plain = overview(blueprint("mpich-4.0.2"), {}).plain
    assert plain["MPI_T_cvar_handle_alloc"].startswith("obj_handle (void *): an address")
    assert "MPI_Comm_spawn_multiple" not in plain
    assert "MPI_Send" not in plain
