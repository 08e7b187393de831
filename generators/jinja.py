"""The Jinja2 environment all built-in generators share: strict, deterministic, compiled once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import mpiglot.templates


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The environment over `mpiglot.templates`; names are like "cpp/chapter.hpp.jinja"."""
    folder = Path(str(mpiglot.templates.__file__)).parent
    made = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        cache_size=-1,
    )
    made.filters["sentence"] = sentence
    return made


def sentence(text: str) -> str:
    """`text` beginning with a capital and ending with a full stop."""
    text = text.strip()
    ended = text if text.endswith((".", "!", "?")) or not text else text + "."
    return ended[:1].upper() + ended[1:]


def render(template: str, values: Mapping[str, Any]) -> str:
    """The text of `template` without empty lines around it; ends with one newline."""
    text = environment().get_template(template).render(dict(values))
    return text.strip("\n") + "\n"
