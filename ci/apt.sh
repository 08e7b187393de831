#!/usr/bin/env bash
# Installs the Debian packages that are missing: apt.sh PACKAGE[=VERSION-PREFIX]...
# Says what it installs and how long it took; does nothing when all are there.
set -euo pipefail
export LC_ALL=C

say() { printf 'set-up: %s\n' "$*" >&2; }
give_up() { printf 'set-up: %s\n' "$*" >&2; exit 3; }

installed() { # PACKAGE [VERSION-PREFIX]
  local state
  state=$(dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null) || return 1
  [[ $state == "installed ${2-}"* ]]
}

missing=()
for wanted in "$@"; do
  name=${wanted%%=*}
  prefix=${wanted#"$name"}
  prefix=${prefix#=}
  installed "$name" "$prefix" || missing+=("$name${prefix:+=$prefix*}")
done
[ ${#missing[@]} -gt 0 ] || exit 0

names="${missing[*]}"
command -v apt-get >/dev/null ||
  give_up "these packages are missing: $names. This system has no apt-get: install them by its own means and repeat."

as_root=()
if [ "$(id -u)" != 0 ]; then
  if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo)
  else
    give_up "these packages are missing: $names. Run as root: apt-get install $names"
  fi
fi

apt() { # apt-get with everything that could ask or wait for ever turned off
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o Acquire::Retries=3 -o Acquire::http::Timeout=60 -o DPkg::Lock::Timeout=180 "$@" </dev/null
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
started=$SECONDS
say "installing packages: $names"
compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || apt update >"$log" 2>&1 || true
for attempt in 1 2 3; do
  if apt install --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    say "packages installed in $((SECONDS - started)) s"
    exit 0
  fi
  [ "$attempt" = 3 ] || { sleep $((attempt * 2 - 1)); apt update >>"$log" 2>&1 || true; }
done
tail -n 15 "$log" >&2
give_up "apt-get could not install: $names"
