"""Writes the members of the C++ operations and the pages that are made from code or blueprints.

    .venv/bin/python -m mpiglot.ci.pages

Run it after a change to cpp_runtime/include/mpiglot/operations, tests/cpp_runtime/mistakes,
tests/cpp_runtime/disagreements.inc or blueprints/known, and to the defects of
provision/matrix.json.
"""

from __future__ import annotations

import sys

from mpiglot.ci.pages import defects, disagreements, errors, members, operations, releases

if sys.argv[1:]:
    sys.exit("python -m mpiglot.ci.pages takes no arguments.")
defects.main()
disagreements.main()
members.main()
operations.main()
releases.main()
if errors.can_be_made():
    errors.main()
else:
    print(f"{errors.PAGE.name} is left as it is: its messages are those of g++ 12.")
