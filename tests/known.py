"""For tests that use all known blueprints: their merging and planning takes a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mpiglot.generators.inputs import Inputs, Named


@pytest.fixture(scope="session", autouse=True)
def known_inputs() -> Iterator[None]:
    """All known blueprints are merged and planned once for all tests of this process."""
    merged: list[Inputs] = []
    anew = Inputs.of_known

    def of_known(*extra: Named) -> Inputs:
        if extra:
            return anew(*extra)
        if not merged:
            merged.append(anew())
        return merged[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Inputs, "of_known", of_known)
        yield
