"""Runs a generator, built in or foreign, and believes nothing a foreign one says unchecked.

A built-in generator is the module `mpiglot.generators.<language>`; a foreign one is an executable
`mpiglot-gen-<name>` that reads the request as JSON on stdin and answers as JSON on stdout. Both get
the same data and both answers go through `checked`. `docs/guide/plugins.md` describes the protocol.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.blueprints.model import from_json, to_json
from mpiglot.exchange.output import MANIFEST, path_problem
from mpiglot.generators.inputs import Texts
from mpiglot.generators.model import Request, Response

PROTOCOL = 1
BUILT_IN = ("cpp", "go", "java")
TOOLS = ("pmpi",)  # built in too, but no language: made only on request
PREFIX = "mpiglot-gen-"
TIME_LIMIT = 120.0  # seconds a foreign generator may take
SIZE_LIMIT = 256 * 1024 * 1024  # characters it may answer


def built_in(language: str) -> Callable[[Request], Response]:
    """The generator of one of the package's own languages."""
    module = importlib.import_module(f"mpiglot.generators.{language}.generator")
    generate: Callable[[Request], Response] = module.generate
    return generate


def find_foreign(name: str) -> Path:
    """The executable of the foreign generator `name`."""
    found = shutil.which(PREFIX + name)
    if found is None:
        raise UsageError(
            f"there is no generator called {name}: built in are {', '.join(BUILT_IN)}, and no "
            f"executable {PREFIX}{name} is on PATH (--plugin takes one from elsewhere)."
        )
    return Path(found)


def run(request: Request, plugin: Path | None = None, texts: Texts | None = None) -> Response:
    """The checked answer of the generator that `request.language` or `plugin` names."""
    if plugin is None and request.language in (*BUILT_IN, *TOOLS):
        return checked(built_in(request.language)(request), f"the generator {request.language}")
    return run_foreign(plugin or find_foreign(request.language), request, texts or Texts())


# --------------------------------------------------------------------------- foreign generators


def request_text(request: Request, texts: Texts) -> str:
    """The request as a foreign generator gets it."""
    data = to_json(request)
    data["target"] = request.target
    data["options"] = request.options
    text = json.dumps({"protocol": request.protocol, **data}, ensure_ascii=False)
    named = (f"{json.dumps(n)}: {t.strip()}" for n, t in sorted((texts.blueprints or {}).items()))
    return (
        f'{text[:-1]}, "catalogue": {texts.catalogue.strip()}, '
        f'"blueprints": {{{", ".join(named)}}}}}\n'
    )


def run_foreign(
    program: Path, request: Request, texts: Texts, time_limit: float = TIME_LIMIT
) -> Response:
    """Asks the executable `program` and checks its answer."""
    who = program.name
    output, errors, status = _converse(program, request_text(request, texts), time_limit)
    if status != 0:
        how = f"stopped by signal {-status}" if status < 0 else f"failed with exit code {status}"
        raise EnvironmentProblem(f"{who} {how}: {_said(errors)}.")
    try:
        data = json.loads(output)
    except ValueError as error:
        raise EnvironmentProblem(f"{who} did not answer with JSON ({error}).") from error
    return checked(_response(data, who), who)


def _response(data: Any, who: str) -> Response:
    if not isinstance(data, dict) or "protocol" not in data:
        raise EnvironmentProblem(f"{who} answered with JSON that is no response.")
    if data["protocol"] != PROTOCOL:
        raise EnvironmentProblem(
            f"{who} speaks protocol {data['protocol']!r}, this mpiglot speaks {PROTOCOL}; "
            "install the generator's version that fits."
        )
    from mpiglot.exchange.schema import complaint

    problem = complaint("response", data)
    if problem:
        raise EnvironmentProblem(f"{who} answered with JSON that is no response: {problem}.")
    return from_json(Response, data)


def _said(errors: str) -> str:
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    printable = "".join(c if c.isprintable() else "?" for c in (lines or ["it said nothing"])[-1])
    return printable[:300].rstrip(".")


def _converse(program: Path, text: str, time_limit: float) -> tuple[str, str, int]:
    """Output, error output and exit status of `program` given `text`; never waits for ever."""
    try:
        process = subprocess.Popen(
            [str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise EnvironmentProblem(f"{program} cannot be started: {error.strerror}.") from error
    over = threading.Event()

    def stop() -> None:
        over.set()
        _kill(process)

    timer = threading.Timer(time_limit, stop)
    timer.start()
    try:
        output, errors, too_much = _exchange(process, text.encode("utf-8"))
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    finally:
        timer.cancel()
        _kill(process)  # also what it has left behind: its id is ours until we have waited for it
        status = process.wait()
    if over.is_set():
        raise EnvironmentProblem(f"{program.name} did not answer within {time_limit:g} seconds.")
    if too_much:
        raise EnvironmentProblem(f"{program.name} answered with more than {SIZE_LIMIT} bytes.")
    return output.decode("utf-8", "replace"), errors.decode("utf-8", "replace"), status


def _exchange(process: subprocess.Popen[bytes], text: bytes) -> tuple[bytes, bytes, bool]:
    assert process.stdin and process.stdout and process.stderr
    errors = bytearray()

    def feed(pipe: IO[bytes]) -> None:
        try:
            pipe.write(text)
            pipe.close()
        except OSError:  # it does not want to know all; its answer tells whether that is right
            pass

    def listen(pipe: IO[bytes]) -> None:
        while chunk := pipe.read1(65536):  # type: ignore[attr-defined]
            errors.extend(chunk)
            del errors[:-65536]

    threads = [
        threading.Thread(target=feed, args=(process.stdin,), daemon=True),
        threading.Thread(target=listen, args=(process.stderr,), daemon=True),
    ]
    for thread in threads:
        thread.start()
    output = bytearray()
    while chunk := process.stdout.read1(1 << 20):  # type: ignore[attr-defined]
        output.extend(chunk)
        if len(output) > SIZE_LIMIT:
            _kill(process)
            return b"", bytes(errors), True
    for thread in threads:
        thread.join(timeout=5)
    return bytes(output), bytes(errors), False


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and whatever it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


# --------------------------------------------------------------------------- answers


def checked(response: Response, who: str) -> Response:
    """The response with its files and warnings in order; refused if a path is not harmless."""
    seen: set[str] = set()
    for f in response.files:
        problem = path_problem(f.path)
        if Path(f.path).name == MANIFEST:
            problem = "is the name of the manifest"
        if problem is None and f.path.casefold() in seen:
            problem = "comes twice"
        if problem:
            raise EnvironmentProblem(f"{who} wants to write the file {f.path!r}, which {problem}.")
        seen.add(f.path.casefold())
    for path in seen:
        for parent in Path(path).parents:
            if str(parent) in seen:
                raise EnvironmentProblem(f"{who} wants {str(parent)!r} to be file and folder.")
    files = sorted(response.files, key=lambda f: f.path)
    return Response(files, sorted(set(response.warnings)), response.protocol)
