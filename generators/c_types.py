"""What the text of a C type says."""

from __future__ import annotations

import re

_DECORATION = re.compile(r"\bconst\b|\brestrict\b|\*|\[[^\]]*\]|\(\s*\)")

#: Callback types whose result is no error code: a name for what 1 says, and a sentence.
ANSWERS = {
    "MPIX_Async_poll_function": ("done", "whether the task is done; else it is called again")
}


def base_type(c_type: str) -> str:
    """The type behind const, pointers and arrays."""
    return " ".join(_DECORATION.sub(" ", c_type).split())


def is_lists_of_texts(c_type: str) -> bool:
    """`char **array_of_argv[]`: a list of texts for each of several programs."""
    levels = c_type.count("*") + c_type.count("[")
    return base_type(c_type) == "char" and levels == 3
