#!/usr/bin/env bash
# A game with many watchers: from the moment the scorer's device sends a play until each of them has it.
#   bench/watch.sh [WATCHERS] [PLAYS]      200 watchers and 60 plays, one each second
# Needs psql and node. Each watcher has a socket and loads the game again at each play, as the app's page does. They share the
# machine with the server and PostgreSQL. DUGOUT names a binary instead of a release build of this checkout.
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

for program in psql node; do have "$program" || die "$program is missing: apt-get install postgresql-client nodejs"; done
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-watch.XXXXXX")
chmod 755 "$work"
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -n "$(ulimit -Hn)"
# All watchers have one address here.
export DUGOUT_LOG=error
for limit in CONCURRENT_USERS EVENTS_PER_SECOND JOINS_PER_SECOND CHANNELS_PER_CLIENT; do
  export "TENANT_MAX_$limit=0"
done

start_server "$work/data" --db-port $((20000 + RANDOM % 12000))
eval "$("$dugout" status -o env --data-dir "$work/data")"
for seed in demo demo_numbers; do psql -qX1 "$DB_URL" -v ON_ERROR_STOP=1 -f "$root/supabase/seeds/$seed.sql" >/dev/null; done
printf '%s, %s cores, %s, load %s, %scommit %s\n' "$(date -u +%F)" "$(nproc)" "$(uname -sr)" "$(cut -d' ' -f1-3 /proc/loadavg)" \
  "${DUGOUT:+the program of DUGOUT, }" "$(git rev-parse --short HEAD)"
node --experimental-websocket --no-warnings "$root/bench/watch.mjs" "http://127.0.0.1:$port" "$ANON_KEY" "${1:-200}" "${2:-60}"
