#!/usr/bin/env bash
# Installs the Debian packages that are missing: apt.sh PACKAGE[=VERSION-PREFIX]...
# Says what it installs and how long it took; does nothing when all are there.
# apt.sh --unpack FOLDER PACKAGE PATH takes PATH out of a package that is not to be installed.
set -euo pipefail
export LC_ALL=C

say() { printf 'set-up: %s\n' "$*" >&2; }
give_up() { printf 'set-up: %s\n' "$*" >&2; exit 3; }

as_root=()

installed() { # PACKAGE [VERSION-PREFIX]
  local state
  state=$(dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null) || return 1
  [[ $state == "installed ${2-}"* ]]
}

apt() { # apt-get with everything that could ask or wait for ever turned off
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o Acquire::Retries=3 -o Acquire::http::Timeout=60 -o DPkg::Lock::Timeout=180 "$@" </dev/null
}

become_root() { # fails where nobody could type a password
  [ "$(id -u)" != 0 ] || return 0
  command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; } || return 1
  as_root=(sudo)
}

have_lists() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

unpack() { # FOLDER PACKAGE PATH
  local attempt
  mkdir -p "$(dirname "$1")"
  parts=$(mktemp -d "$1.XXXXXX")
  trap 'rm -rf "$parts"' EXIT
  have_lists || { become_root && apt update; } >"$parts/log" 2>&1 || true
  for attempt in 1 2 3; do
    if (as_root=() && cd "$parts" && apt download "$2" >log 2>&1) &&
      mkdir -p "$parts/content" && dpkg-deb --fsys-tarfile "$parts"/*.deb | tar x -C "$parts/content" "./$3"; then
      mv -T "$parts/content" "$1" 2>/dev/null || [ -e "$1/$3" ] # another run was faster
      say "$3 of $2 unpacked in $SECONDS s"
      return
    fi
    [ "$attempt" = 3 ] || { become_root && apt update; } >>"$parts/log" 2>&1 || true
  done
  tail -n 5 "$parts/log" >&2
  give_up "apt-get could not download $2"
}

if [ "$1" = --unpack ]; then
  unpack "${@:2}"
  exit
fi

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

become_root || give_up "these packages are missing: $names. Run as root: apt-get install $names"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
started=$SECONDS
say "installing packages: $names"
have_lists || apt update >"$log" 2>&1 || true
for attempt in 1 2 3; do
  if apt install --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    say "packages installed in $((SECONDS - started)) s"
    exit 0
  fi
  [ "$attempt" = 3 ] || { sleep $((attempt * 2 - 1)); apt update >>"$log" 2>&1 || true; }
done
tail -n 15 "$log" >&2
give_up "apt-get could not install: $names"
