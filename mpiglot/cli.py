"""The command line: finds the commands, and turns every way they end into an exit code.

A command is a module of `mpiglot/commands/` that holds a `click` command of the same name. It is
imported only when it is used, so that `mpiglot show` does not pay for what `mpiglot probe` needs.
A command may return its exit code; returning nothing means 0.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import importlib
import os
import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from mpiglot import __version__
from mpiglot.blueprints.errors import MpiglotError, UsageError
from mpiglot.parser.interrupts import remembered

INTERNAL = 4
INTERRUPTED = 130
BROKEN_PIPE = 141

_EMPTY = re.compile(r"(--[\w-]+=)?\s*")
_ORDER = ("doctor", "probe", "show", "diff", "atlas", "generate", "check", "package", "env")


class LazyGroup(click.Group):
    """A group whose commands are the modules of a package, imported when they are needed."""

    def __init__(self, package: str, folder: Path, help: str) -> None:
        super().__init__(name="mpiglot", help=help)
        self.package = package
        self.folder = folder

    def list_commands(self, ctx: click.Context) -> list[str]:
        found = {
            path.stem.replace("_", "-")
            for path in self.folder.glob("*.py")
            if not path.name.startswith("_")
        }
        known = [name for name in _ORDER if name in found]
        return known + sorted(found.difference(known))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{self.package}.{cmd_name.replace('-', '_')}")
        for value in vars(module).values():
            if isinstance(value, click.Command) and value.name == cmd_name:
                return value
        raise RuntimeError(f"{module.__name__} holds no command called {cmd_name}")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names, wanted = self.list_commands(ctx), args[0]
        if wanted not in names and not wanted.startswith("-") and not ctx.resilient_parsing:
            close = difflib.get_close_matches(wanted.casefold(), names)
            hint = f"did you mean {' or '.join(close)}?" if close else f"say {', '.join(names)}."
            help_ = f"See `{ctx.command_path} --help`."
            raise UsageError(f"there is no command {wanted}; {hint} {help_}")
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"mpiglot {__version__}")
        ctx.exit()


def command_group() -> LazyGroup:
    """The command `mpiglot` with everything below it."""
    group = LazyGroup(
        "mpiglot.commands",
        Path(__file__).parent / "commands",
        "Reads the MPI that is installed and generates complete bindings for it.",
    )
    group.params.append(
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Show the version and exit.",
        )
    )
    return group


def _complain(name: str, sentence: str) -> None:
    with contextlib.suppress(OSError):  # nobody may be listening any more
        click.echo(f"{name}: {sentence}", err=True)


def _leave_stdout() -> None:
    """Points stdout at nothing, so that the interpreter's last flush cannot fail again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _system_sentence(error: OSError) -> str:
    what = error.strerror or type(error).__name__
    if error.errno == errno.ENOSPC and not error.filename:
        return f"{what}. Make room, also in the folder for temporary files (TMPDIR)."
    return f"{error.filename}: {what}." if error.filename else f"{what}."


def _internal_sentence(error: BaseException) -> str:
    text = " ".join(str(error).split())
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return (
        f"internal error: {what}; please report it together with the command you typed "
        "(MPIGLOT_DEBUG=1 shows where it happened)."
    )


def run(group: click.Command, arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives back the exit code; whatever goes wrong becomes one sentence."""
    name = group.name or "mpiglot"
    words = list(sys.argv[1:] if arguments is None else arguments)
    if any(_EMPTY.fullmatch(word) for word in words):
        # `-o "$FOLDER"` without that variable: what it would mean then is not what is wanted.
        _complain(name, "one of the arguments is empty: a variable that is not set?")
        return 2
    try:
        # Not group.main(), which ends some of these cases in its own way.
        with remembered(), group.make_context(name, words) as context:
            result = group.invoke(context)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.UsageError as error:
        hint = f" See `{error.ctx.command_path} --help`." if error.ctx else ""
        said = error.format_message().rstrip(".")
        _complain(name, f"{said}{'' if said.endswith('?') else '.'}{hint}")
        return error.exit_code
    except click.ClickException as error:
        _complain(name, error.format_message())
        return 3 if isinstance(error, click.FileError) else error.exit_code
    except (click.Abort, EOFError, KeyboardInterrupt):
        _complain(name, "interrupted.")
        return INTERRUPTED
    except MpiglotError as error:
        if os.environ.get("MPIGLOT_DEBUG"):
            traceback.print_exc()
        _complain(name, str(error))
        return error.exit_code
    except BrokenPipeError:
        _leave_stdout()
        return BROKEN_PIPE
    except OSError as error:
        if os.environ.get("MPIGLOT_DEBUG"):
            traceback.print_exc()
        _leave_stdout()
        _complain(name, _system_sentence(error))
        return 3
    except Exception as error:
        if os.environ.get("MPIGLOT_DEBUG"):
            traceback.print_exc()
        _complain(name, _internal_sentence(error))
        return INTERNAL


def main() -> None:
    """Entry point of the command `mpiglot`."""
    sys.exit(run(command_group()))
