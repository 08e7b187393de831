"""What the standard says of every function and constant: `load()` gives it.

`catalogue.json`, one folder up, is built by `build` from `prototypes.json` (C facts), the tables
in `rules` and the exceptions in `overlay.json`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from mpiglot.blueprints import model

PATH = Path(__file__).parents[1] / "catalogue.json"


@lru_cache(maxsize=1)
def load() -> model.Catalogue:
    """The catalogue that comes with the package; read once."""
    return model.load(model.Catalogue, PATH)
