"""The C++ package: a folder to install anywhere, found by CMake's find_package and by pkg-config.

`cmake --install` of the checkout writes the same (cpp_runtime/cmake/install.cmake).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from mpiglot.exchange.produce import Product, Unit, produce
from mpiglot.generators.handwritten import handwritten
from mpiglot.generators.inputs import Inputs
from mpiglot.packaging.contents import (
    DESCRIPTION,
    Package,
    description,
    fill,
    filled,
    licence,
)

TITLE = "mpiglot for C++"


def package(
    inputs: Inputs,
    targets: Sequence[str],
    make: Callable[[Unit, Inputs], Product] = produce,
) -> Package:
    """The layers for `targets`, the runtime's headers and sources, and what finds them."""
    out = Package("cpp", folders=["include/", "share/cmake/", "share/pkgconfig/"])
    names = sorted(targets)
    for name in names:
        folder = f"share/mpiglot/layers/{name}"
        out.folders.append(f"{folder}/")
        # The layer, and beside it what makes the PMPI library of it.
        product = make(Unit("pmpi", name, Path()), inputs)
        for path, text in product.contents().items():
            out.add(f"{folder}/{path}", text)
        out.add(
            f"share/pkgconfig/mpiglot-{name}.pc",
            filled("cpp/mpiglot.pc.in", {"MPIGLOT_LAYER": name}),
        )
    for path, content in handwritten("cpp_runtime/include", ".hpp", ".ipp"):
        out.files[f"include/{path}"] = content
    for path, content in handwritten("cpp_runtime/src", ".cpp"):
        out.files[f"share/mpiglot/src/{path}"] = content
    for path, content in handwritten("cpp_runtime/cmake", ".cmake"):
        if PurePosixPath(path).name != "install.cmake":  # the checkout's own
            out.files[f"share/cmake/mpiglot/{path}"] = content
    for _, content in handwritten("cpp_runtime/cmake", ".in"):
        text = fill(content.decode("utf-8"), {})
        out.add("share/cmake/mpiglot/mpiglot-config-version.cmake", text)
    readme = filled("cpp/README.md.in", {"MPIGLOT_LAYERS": ", ".join(names)})
    out.add("share/doc/mpiglot/README.md", readme)
    out.add(f"share/mpiglot/{DESCRIPTION}", description(TITLE, inputs.hashes()))
    out.add("share/doc/mpiglot/LICENSE", licence())
    return out
