#!/usr/bin/env bash
# How long the search functions take in the database, with many players:  bench/search.sh [PLAYERS]
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

have psql || die "psql is missing: apt-get install postgresql-client"
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-search.XXXXXX")
chmod 755 "$work"
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

players=${1:-200000}
start_server "$work/data"
eval "$("$dugout" status -o env --data-dir "$work/data")"
say "$players players, $(date -u +%F), $(nproc) cores, commit $(git rev-parse --short HEAD)"
psql -qX "$DB_URL" -v players="$players" -f "$root/bench/search.sql" >/dev/null
psql -qX "$DB_URL" -f "$root/bench/search-times.sql"
