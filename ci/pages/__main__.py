"""Writes the members of the C++ operations and the pages about operations and compile errors.

    .venv/bin/python -m mpiglot.ci.pages

Run it after a change to cpp_runtime/include/mpiglot/operations or to tests/cpp_runtime/mistakes.
"""

from __future__ import annotations

from mpiglot.ci.pages import errors, members, operations

members.main()
operations.main()
if errors.can_be_made():
    errors.main()
else:
    print(f"{errors.PAGE.name} is left as it is: its messages are those of g++ 12.")
