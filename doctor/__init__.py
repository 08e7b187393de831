"""`mpiglot doctor`: which MPI is here, what a program of it really loads, and what is wrong."""

from __future__ import annotations

from mpiglot.doctor.examine import examine
from mpiglot.doctor.model import Diagnosis, Finding, RankReport, Trial

__all__ = ["Diagnosis", "Finding", "RankReport", "Trial", "examine"]
