"""Programs outside the repository use the Maven artifacts, by class path and by module path."""

from __future__ import annotations

import itertools
import json
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

import mpiglot
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.packaging import aot
from mpiglot.packaging.stamp import CLASS, RESOURCE, stamp
from mpiglot.provision.environment import of_installation
from mpiglot.provision.toolchains import jdk_version
from tests.packages.maven import manifest_of, resolved
from tests.packages.outside import ROOT, Mpi, Tool, Words, environment, jdk, run, snippets

pytestmark = pytest.mark.timeout(900)  # whoever comes first makes the package

CONSUMER = Path(__file__).parent / "consumers" / "java"
VERSION = mpiglot.__version__


def _environment(home: Path) -> dict[str, str]:
    return {**environment(home), "JAVA_HOME": str(jdk())}


@pytest.fixture(scope="module")
def repository(tool: Tool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("java")
    words: Words = ["package", "java", "-o", folder / "a repository"]
    if not (jdk() / "bin" / "javadoc").is_file():
        words.append("--no-javadoc")
    run(tool.command, *words, cwd=folder, env=_environment(folder / "home"))
    return folder / "a repository"


@pytest.fixture(scope="module")
def library(repository: Path) -> Path:
    return resolved(repository, "dev.mpiglot", "mpiglot")


@pytest.fixture
def javadoc() -> Path:
    if not (jdk() / "bin" / "javadoc").is_file():
        pytest.skip("this JDK has no javadoc")
    return jdk() / "bin" / "javadoc"


@pytest.fixture(scope="module")
def bindings(repository: Path) -> Path:
    return resolved(repository, "dev.mpiglot", "mpiglot-mpi")


@pytest.fixture(scope="module")
def modules(repository: Path, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that is a module, compiled."""
    folder = tmp_path_factory.mktemp("consumer")
    project = Path(shutil.copytree(CONSUMER, folder / "project"))
    javac = jdk() / "bin" / "javac"
    readme = project / "readme" / "Sum.java"
    readme.parent.mkdir()
    readme.write_text("package readme;\n" + snippets(repository / "README.md", "java")[0])
    sources = [project / "module-info.java", project / "user" / "Sum.java", readme]
    words: Words = [
        javac,
        "--release",
        "22",
        "--module-path",
        library,
        "-d",
        folder / "classes",
        *sources,
    ]
    run(*words, cwd=project, env=_environment(folder / "home"))
    return folder / "classes"


def test_one_jar_runs_on_every_mpi_as_a_module(
    library: Path, modules: Path, tmp_path: Path, mpi: Mpi
) -> None:
    words = ["-XX:+UseSerialGC", "--enable-native-access=dev.mpiglot.mpi", "--module-path"]
    program: Words = [jdk() / "bin" / "java", *words, f"{library}:{modules}", "-m", "user/user.Sum"]
    said = mpi.run(tmp_path / "home", *program)
    assert "the sum over 2 ranks is 3" in said
    assert "WARNING" not in said


def test_the_readme_of_the_package_is_right(
    library: Path, modules: Path, tmp_path: Path, mpich: Mpi
) -> None:
    words = ["--enable-native-access=dev.mpiglot.mpi", "--module-path", f"{library}:{modules}"]
    program: Words = [jdk() / "bin" / "java", *words, "-m", "user/readme.Sum"]
    assert "1 + ... + 2 = 3" in mpich.run(tmp_path / "home", *program)


def test_the_jar_works_on_the_class_path(
    library: Path, modules: Path, tmp_path: Path, mpich: Mpi
) -> None:
    words = ["-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp"]
    program: Words = [jdk() / "bin" / "java", *words, f"{library}:{modules}", "user.Sum"]
    assert "the sum over 2 ranks is 3" in mpich.run(tmp_path / "home", *program)


def test_a_program_in_one_file_imports_the_module_and_nothing_else(
    library: Path, tmp_path: Path, mpich: Mpi
) -> None:
    java = jdk() / "bin" / "java"
    version = run(java, "--version", cwd=tmp_path, env=environment(tmp_path / "home")).stdout
    if int(version.split()[1].partition(".")[0]) < 25:
        pytest.skip("programs without a class came with Java 25")
    words: Words = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--module-path", library]
    words += ["--add-modules=dev.mpiglot.mpi", "--enable-native-access=dev.mpiglot.mpi"]
    said = mpich.run(tmp_path / "home", java, *words, CONSUMER.parent / "compact" / "Compact.java")
    assert "the sum of 2 is 3, 1 sent 2\n[ERR_RANK of MPI_Send]\n" in said


def test_an_image_of_its_own_runs_the_program(
    library: Path, modules: Path, tmp_path: Path, mpich: Mpi
) -> None:
    bin_, image = jdk() / "bin", tmp_path / "image"
    env = environment(tmp_path / "home")
    run(bin_ / "jar", "--validate", "--file", library, cwd=tmp_path, env=env)
    path = ["--module-path", f"{library}:{modules}", "--add-modules", "user"]
    run(bin_ / "jlink", *path, "--output", image, cwd=tmp_path, env=env)
    words = ["-XX:+UseSerialGC", "--enable-native-access=dev.mpiglot.mpi"]
    program: Words = [image / "bin" / "java", *words, "-m", "user/user.Sum"]
    assert "the sum over 2 ranks is 3" in mpich.run(tmp_path / "home", *program)


@pytest.fixture
def recent(tmp_path: Path, mpich: Mpi, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A JDK that makes AOT caches, as the one to use, with MPICH as the MPI to use."""
    if jdk_version(jdk()) < (25,):
        pytest.skip("AOT caches are made by Java 25 and newer")
    monkeypatch.setenv("JAVA_HOME", str(jdk()))
    for name, value in of_installation(mpich.installation, ci=True).applied({}).items():
        monkeypatch.setenv(name, value)
    return jdk()


def test_the_jvm_starts_from_a_cache_and_without_one_that_does_not_fit(
    repository: Path, library: Path, modules: Path, tmp_path: Path, mpich: Mpi, recent: Path
) -> None:
    cache = tmp_path / "new" / "c.aot"
    aot.check(cache)
    used = aot.make(repository, cache)
    assert f"-XX:AOTCache={cache} " in used
    assert f"-cp {library.resolve()}:" in used
    assert list(cache.parent.iterdir()) == [cache]
    program, log = tmp_path / "program.jar", tmp_path / "classes.log"
    words: Words = ["--create", "--file", program, "-C", modules, "user"]
    run(recent / "bin" / "jar", *words, cwd=tmp_path, env=environment(tmp_path / "home"))
    words = [f"-XX:AOTCache={cache}", f"-Xlog:class+load:file={log}"]
    after: Words = ["--enable-native-access=ALL-UNNAMED", "-cp", f"{library.resolve()}:{program}"]
    for option, is_used in (("-XX:+UseSerialGC", True), ("-XX:+UseZGC", False)):
        java: Words = ["env", recent / "bin" / "java", option, *words, *after, "user.Sum"]
        assert "the sum over 1 ranks is 1" in mpich.run(tmp_path / "home", *java, ranks=1)
        lines = [line for line in log.read_text().splitlines() if ".mpi.Comm source: " in line]
        assert [line.endswith("shared objects file") for line in lines] == [is_used]


def test_a_cache_of_another_build_of_the_jar_is_told_when_mpi_starts(
    repository: Path, tmp_path: Path, mpich: Mpi, recent: Path
) -> None:
    old, cache = Path(shutil.copytree(repository, tmp_path / "old")), tmp_path / "c.aot"
    jar = (old / aot.JAR).resolve()
    aot.make(old, cache)
    _build_again(jar)
    words: Words = ["env", recent / "bin" / "java", "-XX:+UseSerialGC"]
    after: Words = ["--enable-native-access=ALL-UNNAMED", "-cp", jar, "dev.mpiglot.mpi.Rehearsal"]
    mpich.run(tmp_path / "home", *words, *after, ranks=1)
    with pytest.raises(AssertionError) as failed:
        mpich.run(tmp_path / "home", *words, f"-XX:AOTCache={cache}", *after, ranks=1)
    assert (
        "LibraryException: The JVM runs other classes of mpiglot than its jar has, from an AOT "
        "cache of another build: make the cache again, or leave out -XX:AOTCache."
        in str(failed.value)
    )


def _build_again(jar: Path) -> None:
    """Makes the jar anew, with another text in one of its classes."""
    name = "dev/mpiglot/mpi/Rehearsal.class"
    with zipfile.ZipFile(jar) as packed:
        classes = {n: packed.read(n) for n in packed.namelist() if not n.endswith("/")}
    said, other = b"A message changed on its way.", b"Another message was received."
    assert said in classes[name]
    classes[name] = classes[name].replace(said, other)
    build = classes.pop(RESOURCE)
    classes[CLASS] = classes[CLASS].replace(build, b"0" * len(build))
    compiled = {n: content for n, content in classes.items() if n.endswith(".class")}
    classes.update(stamp(compiled))
    assert classes[RESOURCE] != build
    jar.unlink()
    with zipfile.ZipFile(jar, "w") as packed:
        for n, content in classes.items():
            packed.writestr(n, content)


def test_no_cache_is_made_without_an_mpi(
    repository: Path, tmp_path: Path, recent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert recent
    monkeypatch.setenv("MPIGLOT_MPI", str(tmp_path / "none.so"))
    with pytest.raises(EnvironmentProblem, match=r"^no AOT cache: No MPI library could be loaded"):
        aot.make(repository, tmp_path / "c.aot")
    assert list(tmp_path.glob("*.aot*")) == []


def test_all_that_is_public_has_comments(
    repository: Path, library: Path, javadoc: Path, tmp_path: Path
) -> None:
    checks: Words = [javadoc, "-quiet", "-Xdoclint:all", "-Werror", "-d", tmp_path / "pages"]
    for artifact, path in (("mpiglot", ""), ("mpiglot-mpi", str(library))):
        jar = resolved(repository, "dev.mpiglot", artifact, "-sources.jar")
        with zipfile.ZipFile(jar) as archive:
            archive.extractall(tmp_path / artifact)
        files = (tmp_path / artifact).rglob("*.java")
        sources = [file for file in files if file.name != "module-info.java"]
        env = environment(tmp_path / "home")
        run(*checks, "-cp", path, *sources, cwd=tmp_path, env=env)


def test_the_jar_tells_what_it_was_generated_from(library: Path, repository: Path) -> None:
    with zipfile.ZipFile(library) as jar:
        names = jar.namelist()
        told = json.loads(jar.read("META-INF/mpiglot/mpiglot-package.json"))
        licence = jar.read("META-INF/LICENSE")
    assert names[0] == "META-INF/MANIFEST.MF"
    assert "module-info.class" in names
    assert (told["version"], told["licence"]) == (VERSION, "BSD-3-Clause")
    manifest = manifest_of(library)
    assert manifest["Implementation-Version"] == VERSION
    assert manifest["Mpiglot-Atlas"] == told["atlas"]
    assert licence == (ROOT / "LICENSE").read_bytes()
    assert json.loads((repository / "mpiglot-package.json").read_text()) == told


def test_a_program_of_open_mpis_bindings_runs_unchanged(
    library: Path, bindings: Path, tmp_path: Path, mpich: Mpi
) -> None:
    program = ROOT / "java_runtime" / "migration" / "examples" / "Ring.java"
    words: Words = ["--release", "22", "-cp", f"{bindings}:{library}", "-d", tmp_path, program]
    run(jdk() / "bin" / "javac", *words, cwd=tmp_path, env=_environment(tmp_path / "home"))
    options = ["-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp"]
    path = f"{bindings}:{library}:{tmp_path}"
    said = mpich.run(tmp_path / "home", jdk() / "bin" / "java", *options, path, "Ring")
    assert "the ring of 2 has 3" in said


def test_the_jars_are_bundles(library: Path, bindings: Path) -> None:
    own, of_bindings = manifest_of(library), manifest_of(bindings)
    for manifest in (own, of_bindings):
        assert manifest["Bundle-ManifestVersion"] == "2"
        assert manifest["Bundle-Version"] == VERSION
    assert own["Bundle-SymbolicName"] == "dev.mpiglot.mpi"
    assert own["Export-Package"].split(",") == [
        f'dev.mpiglot.low;version="{VERSION}"',
        f'dev.mpiglot.mpi;version="{VERSION}"',
    ]
    assert of_bindings["Bundle-SymbolicName"] == "dev.mpiglot.migration"
    assert of_bindings["Automatic-Module-Name"] == "dev.mpiglot.migration"
    assert of_bindings["Export-Package"] == f'mpi;version="{VERSION}"'
    assert of_bindings["Import-Package"].split(",") == [
        f'dev.mpiglot.low;version="{VERSION}"',
        f'dev.mpiglot.mpi;version="{VERSION}"',
    ]


ARTIFACTS = {
    "mpiglot": (
        "dev/mpiglot/low/Collectives.java",
        "dev.mpiglot.mpi/dev/mpiglot/low/Collectives.html",
        "MPI_Allgatherv",
    ),
    "mpiglot-mpi": ("mpi/Intracomm.java", "mpi/Comm.html", "allGatherv"),
}


@pytest.mark.parametrize("artifact", ARTIFACTS)
@pytest.mark.usefixtures("javadoc")
def test_sources_and_javadoc_are_there(repository: Path, artifact: str) -> None:
    source, page, text = ARTIFACTS[artifact]
    with zipfile.ZipFile(resolved(repository, "dev.mpiglot", artifact, "-sources.jar")) as jar:
        assert source in jar.namelist()
    with zipfile.ZipFile(resolved(repository, "dev.mpiglot", artifact, "-javadoc.jar")) as jar:
        assert text in jar.read(page).decode()
        assert "index.html" in jar.namelist()


def test_checkout_and_wheel_make_the_same_bytes(repository: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mpiglot", "package", "java", "--no-javadoc", "-o", "again"]
    run(*words, cwd=tmp_path, env={**_environment(tmp_path / "home"), "TZ": "Asia/Tokyo"})
    for artifact, kind in itertools.product(ARTIFACTS, (".jar", "-sources.jar", ".pom")):
        again = resolved(tmp_path / "again", "dev.mpiglot", artifact, kind)
        made = resolved(repository, "dev.mpiglot", artifact, kind)
        assert again.read_bytes() == made.read_bytes(), (artifact, kind)
