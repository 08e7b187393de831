"""All known blueprints and the jar, once."""

from __future__ import annotations

from tests.generators.java_programs import jars  # noqa: F401 - a fixture
from tests.known import known_inputs  # noqa: F401 - a fixture
