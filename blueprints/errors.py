"""Errors that carry a sentence for the user and the exit code of the command."""

from __future__ import annotations


class MpiglotError(Exception):
    """Something the user can act on: one clear sentence, and how the command ends."""

    exit_code = 4


class UsageError(MpiglotError):
    """Wrong arguments, or input that is not what it should be."""

    exit_code = 2


class EnvironmentProblem(MpiglotError):
    """No MPI, no compiler, a broken header, a program that cannot be started."""

    exit_code = 3
