#!/usr/bin/env bash
# From a clean checkout to a running Dugout: installs, builds, starts. Arguments go to `dugout start`.
source "$(dirname "$0")/environment.sh"

scripts/install.sh
scripts/build-app.sh
exec cargo run --quiet --bin dugout -- start "$@"
