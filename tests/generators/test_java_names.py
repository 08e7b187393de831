"""Programs may import the whole module: its names differ from each other and from Java's."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.generators.java_programs import SOON, java_of, needs_java
from tests.generators.programs import run

pytestmark = needs_java

PACKAGES = ("dev.mpiglot.low", "dev.mpiglot.mpi")
LISTER = """
import java.lang.module.*;
import java.nio.file.Path;
import java.util.*;

/** Prints the public top-level types that java.base and the module in a jar export. */
public class Lister {
    public static void main(String[] args) throws Exception {
        show(ModuleFinder.ofSystem().find("java.base").orElseThrow());
        show(ModuleFinder.of(Path.of(args[0])).findAll().iterator().next());
    }

    private static void show(ModuleReference module) throws Exception {
        Set<String> exported = new HashSet<>(module.descriptor().packages());
        if (!module.descriptor().isAutomatic()) {
            exported.clear();
            module.descriptor().exports().stream().filter(e -> !e.isQualified())
                    .forEach(e -> exported.add(e.source()));
        }
        try (ModuleReader reader = module.open()) {
            String type = "[^$]+/[^$-]+[.]class";
            for (String path : reader.list().filter(p -> p.matches(type)).toList()) {
                String name = path.replace(".class", "").replace('/', '.');
                if (exported.contains(name.substring(0, name.lastIndexOf('.')))
                        && java.lang.reflect.Modifier.isPublic(type(name).getModifiers())) {
                    System.out.println(name);
                }
            }
        }
    }

    private static Class<?> type(String name) throws Exception {
        return Class.forName(name, false, Lister.class.getClassLoader());
    }
}
"""


@pytest.fixture(scope="module")
def exported(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The names of public types, by package."""
    source = tmp_path_factory.mktemp("names") / "Lister.java"
    source.write_text(LISTER, encoding="utf-8")
    jar = jars / "mpiglot.jar"
    done = run(java_of(jars), *SOON, "-cp", jar, source, jar)
    assert done.returncode == 0, done.stderr
    found = defaultdict(set)
    for line in done.stdout.splitlines():
        package, _, name = line.rpartition(".")
        found[package].add(name)
    return found


def test_both_layers_and_java_are_seen(exported: dict[str, set[str]]) -> None:
    assert {"CommHandle", "Collectives", "MpiConstants"} <= exported["dev.mpiglot.low"]
    assert {"Comm", "MpiBuffer", "Mpi"} <= exported["dev.mpiglot.mpi"]
    assert "Buffer" in exported["java.nio"]
    assert "NoSuchFileException" in exported["java.nio.file"]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_public_name_is_taken(exported: dict[str, set[str]], package: str) -> None:
    others = (names for other, names in exported.items() if other != package)
    assert exported[package] & set().union(*others) == set()
