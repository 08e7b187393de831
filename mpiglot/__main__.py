"""The command `mpiglot`."""

from __future__ import annotations

# Not `signal`, which imports more before the handler stands; typeshed leaves this module out.
import _signal  # type: ignore[import-not-found]
import atexit
import gc
import os


def _interrupted(number: int, frame: object) -> None:
    """Ends the process at once: there is nothing yet, or nothing any more, to be tidied up."""
    os.write(2, b"mpiglot: interrupted.\n")
    os._exit(130)


# While the command line is imported, and after it has ended; the commands have a handler of their
# own in between (`parser/interrupts.py`). An interruption that is ignored stays ignored.
if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _interrupted)
    # When Python ends, it takes handlers back; a signal would then kill it with all work done.
    atexit.register(_signal.signal, _signal.SIGINT, _signal.SIG_IGN)

# The installed command (mpiglot/bin/mpiglot) starts Python with it blocked. No child process exists
# yet that could inherit that.
_signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGINT])


def main() -> None:
    """Runs the command line; importing it takes a moment that can be interrupted, too."""
    gc.set_threshold(500_000)  # a command is short and makes many objects, few of them in cycles
    from mpiglot.cli import main as run

    run()


if __name__ == "__main__":
    main()
