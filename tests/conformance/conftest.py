"""All known blueprints, once."""

from __future__ import annotations

from tests.known import known_inputs  # noqa: F401 - a fixture
