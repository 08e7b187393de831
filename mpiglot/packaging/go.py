"""The Go package: one module in the layout of the module proxy protocol, generated half included.

In the checkout the lower layer is a module of its own that a `replace` finds; published modules
cannot be joined like that, so here it is the package `low` of the one module.
"""

from __future__ import annotations

import json
from pathlib import Path

from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.handwritten import handwritten
from mpiglot.generators.inputs import Inputs
from mpiglot.packaging.archive import go_sum, packed
from mpiglot.packaging.contents import (
    DESCRIPTION,
    VERSION,
    Files,
    Package,
    description,
    filled,
    licence,
)

TITLE = "mpiglot for Go"
MODULE = "mpiglot.dev/mpi"  # from version 2 on, Go wants it to end in /v2


def package(inputs: Inputs) -> Package:
    """A folder that can be a GOPROXY, with one version of one module."""
    told = description(TITLE, inputs.hashes())
    readme = filled("go/README.md.in", {})
    module = _module(inputs)
    module |= {
        "LICENSE": licence().encode(),
        "README.md": readme.encode(),
        DESCRIPTION: told.encode(),
    }
    version = f"v{VERSION}"
    prefix = f"{MODULE}@{version}"
    in_zip = {f"{prefix}/{path}": content for path, content in module.items()}
    # Without a time: the same version is the same bytes, whenever it was made.
    info = json.dumps({"Version": version}) + "\n"

    out = Package("go")
    folder = f"{MODULE}/@v"
    out.add(f"{folder}/list", f"{version}\n")
    out.add(f"{folder}/{version}.info", info)
    out.add(f"{MODULE}/@latest", info)
    out.files[f"{folder}/{version}.mod"] = module["go.mod"]
    out.files[f"{folder}/{version}.zip"] = packed(in_zip)
    sums = {"": go_sum(in_zip), "/go.mod": go_sum({"go.mod": module["go.mod"]})}
    out.add("go.sum", "".join(f"{MODULE} {version}{of} {value}\n" for of, value in sums.items()))
    out.add("README.md", readme)
    out.add("LICENSE", licence())
    out.add(DESCRIPTION, told)
    return out


def _module(inputs: Inputs) -> Files:
    upper = handwritten("go_runtime", ".go", ".c", ".h", ".s")
    files: Files = {path: text for path, text in upper if not path.startswith("low/")}
    generated = produce(Unit("go", None, Path()), inputs)
    # With a go.mod `low` would be a module of its own, and no part of this one.
    generated.files = [file for file in generated.files if file.path != "go.mod"]
    files |= {f"low/{path}": text.encode("utf-8") for path, text in generated.contents().items()}
    files["go.mod"] = _one_module(dict(handwritten("go_runtime", ".mod"))["go.mod"].decode("utf-8"))
    return files


def _one_module(text: str) -> bytes:
    """The checkout's go.mod without what joins its two modules."""
    lines = [line for line in text.splitlines() if f"{MODULE}/low" not in line]
    kept = [line for i, line in enumerate(lines) if line or (i and lines[i - 1])]
    return ("\n".join(kept).rstrip("\n") + "\n").encode("utf-8")
