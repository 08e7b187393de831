"""What Maven does with a repository, without Maven."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

POM = "{http://maven.apache.org/POM/4.0.0}"


def dependencies(pom: ElementTree.ElementTree[ElementTree.Element]) -> list[tuple[str, ...]]:
    """What Maven fetches besides, by group, artifact and version."""
    keys = ("groupId", "artifactId", "version")
    found = pom.iterfind(f"{POM}dependencies/{POM}dependency")
    return [tuple(each.findtext(f"{POM}{key}") or "" for key in keys) for each in found]


def manifest_of(path: Path) -> dict[str, str]:
    """What the manifest of a jar says."""
    with zipfile.ZipFile(path) as jar:
        text = jar.read("META-INF/MANIFEST.MF").decode().replace("\r\n ", "")
    return dict(line.split(": ", 1) for line in text.splitlines() if line)


def resolved(repository: Path, group: str, artifact: str, kind: str = ".jar") -> Path:
    """What Maven does: the newest release of an artifact, each file compared with its checksum."""

    def checked(path: Path) -> Path:
        for name in ("md5", "sha1", "sha256", "sha512"):
            told = path.with_name(f"{path.name}.{name}").read_text()
            assert told == hashlib.new(name, path.read_bytes()).hexdigest(), path
        return path

    folder = repository.joinpath(*group.split("."), artifact)
    metadata = ElementTree.parse(checked(folder / "maven-metadata.xml"))
    release = metadata.findtext("versioning/release") or ""
    pom = ElementTree.parse(checked(folder / release / f"{artifact}-{release}.pom"))
    told = [pom.findtext(f"{POM}{key}") for key in ("groupId", "artifactId", "version")]
    assert told == [group, artifact, release]
    wanted_too = [] if artifact == "mpiglot" else [(group, "mpiglot", release)]
    assert dependencies(pom)[:1] == wanted_too
    for wanted in ("url", "scm/url", "licenses/license/name", "developers/developer/name"):
        assert pom.findtext(POM + wanted.replace("/", f"/{POM}"))  # repositories demand them
    return checked(folder / release / f"{artifact}-{release}{kind}")
