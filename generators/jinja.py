"""The Jinja2 environment all built-in generators share: strict, deterministic, compiled once."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

import mpiglot.templates


class Compiled(FileSystemBytecodeCache):
    """Compiled templates beside the compiled modules, under the rules of those: nobody may write
    there, or somebody may not want it (PYTHONDONTWRITEBYTECODE)."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(Exception):  # a broken file fails in many ways, and is written again
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The environment over `mpiglot.templates`; names are like "cpp/chapter.hpp.jinja"."""
    module = str(mpiglot.templates.__file__)
    folder = Path(module).parent
    made = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        bytecode_cache=Compiled(str(Path(cache_from_source(module)).parent)),
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
