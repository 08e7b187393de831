"""What all tests share."""

from __future__ import annotations

import signal

# A shell starts background jobs with interrupts ignored, and programs inherit that; tests that
# interrupt a program must find it as somebody at a terminal would.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
