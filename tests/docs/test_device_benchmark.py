"""The program that measures views in the memory of a GPU: no machine of ours has one, so a library
stands in for NVIDIA's driver. No time is asserted."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks.subject import ROOT, built
from benchmarks.views_beside_contiguous import beside_contiguous, measured
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import locate

MPI = "mpich-4.0.2"

# The device's memory is the host's.
DRIVER = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static void *at(uint64_t address) { return (void *)(uintptr_t)address; }
int cuInit(unsigned flags) { return (int)flags; }
int cuDeviceGet(int *device, int number) { return *device = number; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = context; return device; }
int cuCtxSetCurrent(void *context) { return context == 0; }
int cuMemAlloc_v2(uint64_t *address, size_t size) {
  *address = (uint64_t)(uintptr_t)malloc(size);
  return *address == 0;
}
int cuMemFree_v2(uint64_t address) { free(at(address)); return 0; }
int cuMemcpy(uint64_t to, uint64_t from, size_t size) { memmove(at(to), at(from), size); return 0; }
"""


def test_views_of_a_device_are_measured_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if locate(matrix().get(MPI)) is None:
        pytest.skip(f"{MPI} is not installed")
    source = ROOT / "benchmarks/views/device.cpp"
    program = built(MPI, source, "g++", tmp_path, "-std=c++20", "-O1")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))

    (tmp_path / "libcuda.so.1").write_text("no library", encoding="utf-8")
    assert measured(MPI, [program], 1) == {}

    (tmp_path / "driver.c").write_text(DRIVER, encoding="utf-8")
    library = str(tmp_path / "libcuda.so.1")
    command = ["gcc", "-shared", "-fPIC", str(tmp_path / "driver.c"), "-o", library]
    subprocess.run(command, check=True)
    rows = beside_contiguous(measured(MPI, [program, "aware"], 1))
    assert [row[0] for row in rows[1:]] == [
        "whole, copied by hand, microseconds",
        "whole, staged",
        "rows with gaps, staged",
        "whole, read by MPI",
    ]
