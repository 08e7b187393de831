# shellcheck shell=bash
# The first steps of ci/demo, ci/test, ci/lint, ci/hosts and ci/mpi: packages and .venv. Sourced by them.
# Everything after that is Python (ci/*.py). Each step looks first and installs only what is missing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=$root/.venv/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
unset PYTHONPATH PYTHONHOME

say() { printf 'set-up: %s\n' "$*" >&2; }
give_up() { printf 'set-up: %s\n' "$*" >&2; exit 3; }
trap 'trap - INT; say "interrupted; the same command goes on from here"; kill -INT $$' INT

# The compilers and CMake; where another system brings them under other names, nothing is asked of apt.
ensure_compilers() {
  local packages=()
  command -v gcc >/dev/null || packages+=(gcc)
  [ -e /usr/include/stdio.h ] || ! command -v apt-get >/dev/null || packages+=(libc6-dev)
  command -v g++ >/dev/null || packages+=(g++)
  command -v make >/dev/null || packages+=(make)
  command -v cmake >/dev/null || packages+=(cmake)
  command -v ninja >/dev/null || packages+=(ninja-build)
  command -v git >/dev/null || packages+=(git)
  if command -v apt-get >/dev/null; then
    [ -x "$python" ] || usable_python >/dev/null || packages+=(python3 python3-venv) # one request for all
    # What tests use that are skipped without it:
    command -v valgrind >/dev/null || packages+=(valgrind)
    command -v eu-stack >/dev/null || packages+=(elfutils) # says where the ranks of a hang are
    [ -e /usr/include/cereal/cereal.hpp ] || packages+=(libcereal-dev)
    [ -e /usr/include/eigen3/Eigen/Core ] || packages+=(libeigen3-dev)
    [ -e /usr/include/trilinos/Kokkos_Core.hpp ] || packages+=(libtrilinos-kokkos-dev)
    [ -e /usr/include/boost/archive/binary_oarchive.hpp ] || packages+=(libboost-serialization-dev)
  fi
  [ ${#packages[@]} -eq 0 ] || bash "$root/provision/apt.sh" "${packages[@]}"
}

# What ci/test compiles with besides g++; where the system has no such packages, those parts are skipped.
ensure_clang() {
  local packages=()
  command -v apt-cache >/dev/null || return 0
  command -v clang++-19 >/dev/null || packages+=(clang-19)
  [ -e /usr/lib/llvm-19/include/c++/v1/vector ] || packages+=(libc++-19-dev libc++abi-19-dev)
  compgen -G '/usr/lib/llvm-19/lib/clang/19/lib/*/libclang_rt.asan*' >/dev/null ||
    packages+=(libclang-rt-19-dev)
  [ ${#packages[@]} -eq 0 ] && return
  bash "$root/provision/apt.sh" "${packages[@]}" || say "going on without clang++-19"
}

# The headers of Boost.PFR, which Debian 12's Boost lacks; the package of the next Boost would take
# the place of this one, so they are unpacked beside it. Without them the tests of reflection are skipped.
ensure_pfr() {
  local folder=$root/.tools/boost-pfr
  [ -e /usr/include/boost/pfr/core.hpp ] || [ -e "$folder" ] || ! command -v dpkg-deb >/dev/null ||
    bash "$root/provision/apt.sh" --unpack "$folder" libboost1.81-dev usr/include/boost/pfr ||
    say "going on without Boost.PFR"
}

usable_python() { # prints the first Python >= 3.10 that can make environments
  local candidate
  for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

# What .venv/.complete says of an environment that has all, and this project.
complete_venv() {
  printf '%s %s\n' "$(cat "$root/ci/requirements.lock" "$root/pyproject.toml" "$root/mpiglot/bin/mpiglot" | cksum)" "$root"
}

# .venv with exactly the versions of ci/requirements.lock, and this project in it.
ensure_venv() {
  local stamp=$root/.venv/.complete wanted base started attempt
  wanted=$(complete_venv)
  [ -x "$python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
  started=$SECONDS
  if ! base=$(usable_python); then
    command -v apt-get >/dev/null || give_up "Python 3.10 or later with venv is missing; install it and repeat."
    bash "$root/provision/apt.sh" python3 python3-venv
    base=$(usable_python) || give_up "this system's python3 is older than 3.10; set PYTHON to a newer one and repeat."
  fi
  (
    command -v flock >/dev/null && exec 9<"$root/ci/requirements.lock" && flock 9
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit 0
    say "installing the locked Python packages into .venv"
    [ -x "$python" ] && "$python" -m pip --version >/dev/null 2>&1 || "$base" -m venv --clear "$root/.venv"
    rm -f "$stamp"
    for attempt in 1 2 3; do
      if "$python" -m pip install --quiet --retries 5 --timeout 60 -r "$root/ci/requirements.lock" &&
        "$python" -m pip install --quiet --no-deps --no-build-isolation -e "$root"; then
        printf '%s\n' "$wanted" >"$stamp"
        say ".venv is complete after $((SECONDS - started)) s"
        exit 0
      fi
      say "attempt $attempt failed"
    done
    exit 1
  ) || give_up "the packages of ci/requirements.lock could not be installed; what pip said stands above. Is there a network, and does pip know its proxy and certificates (HTTPS_PROXY, PIP_CERT)?"
}
