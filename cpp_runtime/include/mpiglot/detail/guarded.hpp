// What fails on one rank: see failure.hpp.

#pragma once

#include <mpiglot/detail/failure.hpp>
