#!/usr/bin/env bash
# How long every list takes in the database, with many players, ten times as many rows of statistics, posts and articles:
#   bench/lists.sh [PLAYERS] [TRIES]
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

have psql || die "psql is missing: apt-get install postgresql-client"
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-lists.XXXXXX")
chmod 755 "$work"
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

players=${1:-200000}
start_server "$work/data"
eval "$("$dugout" status -o env --data-dir "$work/data")"
printf '%s\n' "\\i $root/bench/search.sql" "\\i $root/bench/lists.sql" >"$work/seed.sql"
psql -qX "$DB_URL" -v players="$players" -f "$work/seed.sql" >/dev/null
say "$players players, $(date -u +%F), $(nproc) cores, commit $(git rev-parse --short HEAD)"
psql -qX "$DB_URL" -v tries="${2:-40}" -f "$root/bench/lists-times.sql"
