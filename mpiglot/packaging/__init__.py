"""Packages that others install: C++ for CMake, a Go module, a Maven artifact, the tool's own wheel.

`contents` says what every package tells about itself, one module per language what it consists of,
`output` writes it. A package is made from the same inputs as `generated/`, in memory.
"""
