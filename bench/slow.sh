#!/usr/bin/env bash
# Latency of a normal client beside slow ones (check 22):  bench/slow.sh [CONNECTIONS]
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-slow.XXXXXX")
chmod 755 "$work"
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -n "$(ulimit -Hn)"

start_server "$work/data"
eval "$("$dugout" status -o env --data-dir "$work/data")"
psql -qX "$DB_URL" -v ON_ERROR_STOP=1 -c "create table public.slow_bench as
  select n as id, repeat('0123456789', 1000) as text from generate_series(1, 60) n;
  alter table public.slow_bench add primary key (id); grant select, insert on public.slow_bench to anon;"
sleep 3
node "$root/bench/slow.mjs" "http://127.0.0.1:$port" "$ANON_KEY" "${1:-5000}"
