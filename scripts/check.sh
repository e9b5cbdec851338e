#!/usr/bin/env bash
# Checks of the sources that need no running server. Generated files (routes.txt, openapi/, COMPATIBILITY.md's list of
# deviations) are compared by tests of `make test`, because the code generates them.
source "$(dirname "$0")/environment.sh"

scripts/install.sh
scripts/build-app.sh

say "cargo fmt"
cargo fmt --all --check

say "cargo clippy"
cargo clippy --workspace --all-targets --locked -- -D warnings

if have cargo-deny; then
  say "cargo deny"
  cargo deny --all-features check
else
  say "cargo deny: not installed here (cargo install cargo-deny), licences and advisories stay unchecked"
fi

if have cargo-machete; then
  say "cargo machete"
  cargo machete
else
  say "cargo machete: not installed (cargo install cargo-machete), unused dependencies are not checked"
fi

say "eslint and tsc"
(cd frontend && npm run --silent lint && npm run --silent typecheck)

say "lock files"
if grep -l '"resolved"' package-lock.json frontend/package-lock.json; then
  die "these lock files name a registry's addresses: keep .npmrc's omit-lockfile-registry-resolved and make them anew"
fi

if have shellcheck; then
  say "shellcheck"
  shellcheck -x scripts/*.sh bench/*.sh bench/rest/*.sh .ci/run
fi
