#!/usr/bin/env bash
# Benchmarks of realtime:  bench/realtime.sh [quiet] [fanout] [idle] [joins] [latency] [changes]
# Without arguments: all. Needs psql. The load is the example realtime-load, on the same machine.
#   LOAD=…               uses this program for the load instead of building it
#   RUNS=3 TIME=5        the number of runs that the medians are of, and the seconds of each
#   SOCKETS=15000        how many sockets are idle
# Messages have 200 bytes and version 2.0.0. The server has no limits, and PostgreSQL runs without fsync.
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

[ $# -gt 0 ] || set -- quiet fanout idle joins latency changes
have psql || die "psql is missing: apt-get install postgresql-client"
runs=${RUNS:-3} time=${TIME:-5} sockets=${SOCKETS:-15000}
binary
load=${LOAD:-}
if [ -z "$load" ]; then
  cargo build --quiet --release --locked -p dugout --example realtime-load
  load=$target/release/examples/realtime-load
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-realtime.XXXXXX")
chmod 755 "$work"
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# Each socket is a file here and in the server.
ulimit -n "$(ulimit -H -n)"
export DUGOUT_REALTIME_PRIVATE_ONLY=false DUGOUT_DB_DURABILITY=none DUGOUT_LOG=error
for limit in CONCURRENT_USERS EVENTS_PER_SECOND JOINS_PER_SECOND CHANNELS_PER_CLIENT; do
  export "TENANT_MAX_$limit=0"
done

printf '%s, %s cores, %s, commit %s\n' "$(date -u +%F)" "$(nproc)" "$(uname -sr)" "$(git rev-parse --short HEAD)"

value() { "$dugout" status -o json --data-dir "$work/data" | sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p"; }

start() {
  stop_server
  start_server "$work/data" --db-port $((20000 + RANDOM % 12000))
  secret=$(value JWT_SECRET) database=$(value DB_URL)
}

# measure ARGUMENTS…: the median run by its first number.
measure() {
  for ((run = 0; run < runs; run++)); do
    "$load" "http://127.0.0.1:$port" "$secret" "$@"
  done | awk -F ': ' '{ split($2, part, " "); print part[1] "\t" $0 }' | sort -n | cut -f 2- | sed -n "$(((runs + 1) / 2))p"
}

# cpu SECONDS: the share of one core, in percent, that the server and PostgreSQL use in that time.
cpu() {
  local before after
  before=$(all | cpu_of_all)
  sleep "$1"
  after=$(all | cpu_of_all)
  awk -v a="$before" -v b="$after" -v s="$1" 'BEGIN { printf "%.2f", (b - a) / s / 10000 }'
}
all() {
  printf '%s\n' "$server"
  postgres_of "$server"
}

measure_quiet() {
  local watching
  sleep 5
  printf 'idle CPU of server and PostgreSQL, nobody there: %s %% of a core (goal under 0.5)\n' "$(cpu 30)"
  table
  "$load" "http://127.0.0.1:$port" "$secret" watch 45 >"$work/watch" 2>&1 &
  watching=$!
  until grep -q '^open' "$work/watch"; do
    kill -0 $watching 2>/dev/null || die "$(cat "$work/watch")"
    sleep 0.2
  done
  sleep 3
  printf 'idle CPU of server and PostgreSQL, one subscriber to changes: %s %% of a core (goal under 0.5)\n' "$(cpu 30)"
  wait $watching
}

measure_fanout() {
  local shape
  for shape in '100 20' '1 500'; do
    # shellcheck disable=SC2086 # two arguments
    printf '%s (as much as there can be; goal 200000)\n' "$(measure fanout $shape 0 "$time")"
    # shellcheck disable=SC2086
    printf '%s (at half of the goal; p95 under 30 ms)\n' "$(measure fanout $shape 100000 "$time")"
  done
}

measure_idle() {
  start
  local before during idling
  before=$(pss "$server")
  "$load" "http://127.0.0.1:$port" "$secret" idle "$sockets" 8 >"$work/idle" 2>&1 &
  idling=$!
  until grep -q '^open' "$work/idle"; do
    kill -0 $idling 2>/dev/null || die "$(cat "$work/idle")"
    sleep 0.2
  done
  sleep 3
  during=$(pss "$server")
  wait $idling
  printf '%s idle sockets, each in a channel: %s kB each (goal 18), %s MB in all\n' "$sockets" \
    "$(awk -v a="$before" -v b="$during" -v n="$sockets" 'BEGIN { printf "%.1f", (b - a) / n }')" \
    "$(printf '%s\n' "$during" | megabytes)"
}

measure_joins() {
  psql -qX "$database" -c 'drop policy if exists load on realtime.messages' \
    -c 'create policy load on realtime.messages for select to authenticated using (true)' 2>/dev/null
  printf '%s (goal: p50 under 3 ms)\n' "$(measure joins 500)"
}

table() {
  psql -qX "$database" 2>/dev/null <<'SQL'
drop table if exists public.load;
create table public.load (id bigint generated always as identity primary key, owner uuid, payload jsonb);
alter table public.load enable row level security;
create policy load on public.load for select to authenticated using (owner is null or owner = (select auth.uid()));
grant select on public.load to authenticated;
alter publication supabase_realtime add table public.load;
SQL
}

measure_latency() {
  table
  printf '%s (goal: p50 under 5 ms)\n' "$(measure changes 1 20 "$time" all "$database")"
}

measure_changes() {
  table
  printf '%s (goal: 150000 deliveries/s, p95 under 150 ms)\n' "$(measure changes 500 300 "$time" all "$database")"
  printf '%s (goal: 300 changes/s)\n' "$(measure changes 500 300 "$time" one "$database")"
}

start
for what in "$@"; do
  "measure_$what"
done
