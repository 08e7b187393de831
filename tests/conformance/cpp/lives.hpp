// Programs that start or end in another way than the other tests.

#pragma once

namespace conformance {

using program = int (*)(int argc, char** argv);

/// The program of this name, or null.
program life(const char* name);

/// What is spawned (dynamic.cpp).
int child(int argc, char** argv);

}  // namespace conformance
