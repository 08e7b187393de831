"""The MPI of this machine, as the commands that answer questions see it: its blueprint, cached."""

from __future__ import annotations

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.generators.inputs import Named, of_text, say


def installed() -> Named:
    """The blueprint of the MPI that `mpiglot probe` would take; measured if it never was."""
    from mpiglot.parser import choice
    from mpiglot.parser.cache import Cache, Entry, key_of

    wrapper = choice.wrapper(None)
    cache, key = Cache(), key_of(wrapper)
    entry = cache.find(key)
    if entry is None:
        from mpiglot.blueprints import model
        from mpiglot.parser.probe import probe  # brings libclang along

        say(f"probing the MPI of {wrapper.path}; the next time the answer is there at once")
        probed = probe(wrapper)
        entry = Entry(model.dumps(probed.blueprint), probed.warnings)
        files = [*probed.files, *([probed.library] if probed.library else [])]
        cache.keep(key, entry, files)
    return of_text(entry.text, "installed")


def installed_if_any() -> Named | None:
    """The same, or None on a machine without a usable MPI."""
    try:
        return installed()
    except EnvironmentProblem as problem:
        say(f"without an installed MPI: {problem}")
        return None
