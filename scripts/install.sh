#!/usr/bin/env bash
# Installs the build's npm packages: PostgreSQL's binaries here, the app's packages in frontend/.
# Does nothing when the lock files are unchanged. With `--browser` also installs Chromium.
source "$(dirname "$0")/environment.sh"

have cargo || die "Rust is missing: install rustup or your distribution's cargo 1.95 or newer"
have node || die "Node.js is missing: install version 20 or newer"
have npm || die "npm is missing: it comes with Node.js"
have cc || die "a C compiler is missing: install gcc or clang"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || die "Node.js is $(node --version), version 20 or newer is needed"

# packages FOLDER: runs npm ci, unless the lock file is unchanged since the last install.
packages() {
  local installed=$1/node_modules/.installed-from
  cmp -s "$1/package-lock.json" "$installed" && return
  say "npm ci in $1"
  (cd "$1" && npm ci --no-progress --loglevel=error)
  cp "$1/package-lock.json" "$installed"
}

packages .
packages frontend

if [ "${1:-}" = --browser ] && [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  if [ -z "${CHROMIUM:-}" ] && [ "$(id -u)" = 0 ] && have apt-get; then
    say "apt-get install chromium"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
  else
    die "the browser tests need Chromium: install it (Debian: apt-get install chromium) or name one in CHROMIUM"
  fi
fi
