"""What all tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from mpiglot.ci.changes import is_repository
from tests.limits import FACTOR
from tests.tiers import has_its_turn

# A shell starts background jobs with interrupts ignored, and programs inherit that; tests that
# interrupt a program must find it as somebody at a terminal would.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def repository() -> None:
    """Skips tests of what only git knows in an archive of the sources."""
    if not is_repository(Path(__file__).resolve().parents[1]):
        pytest.skip("this folder is no git repository")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out whose turn it is not; each test has as much more time as the commands in it."""
    later = [item for item in items if not has_its_turn(item.nodeid)]
    if later:
        items[:] = [item for item in items if item not in later]
        config.hook.pytest_deselected(items=later)
    usual = float(config.getini("timeout") or 0)
    for item in items:
        mark = item.get_closest_marker("timeout")
        limit = mark.args[0] if mark and mark.args else usual
        if limit:
            item.add_marker(pytest.mark.timeout(FACTOR * limit), append=False)
