#!/usr/bin/env bash
# A large schema: how long loading its catalog takes, and what it costs meanwhile:  bench/catalog.sh [TABLES [POSTGRES_BIN]]
# Needs psql and curl. Uses the project's own PostgreSQL with its default settings, unless a folder of binaries is given.
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

tables=${1:-10000}
[ $# -lt 2 ] || export DUGOUT_PG_BIN=$2
for program in psql curl; do
  have "$program" || die "$program is missing: apt-get install postgresql-client curl"
done
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-catalog.XXXXXX")
chmod 755 "$work"
trap 'stop_server; "$root/scripts/test-cluster.sh" stop "$work/pg"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
now_ms() { printf '%s\n' "$EPOCHREALTIME" | awk '{ printf "%.0f\n", $1 * 1000 }'; }
rss() { awk '/^VmRSS:/ { printf "%.0f", $2 / 1024 }' "/proc/$server/status"; }
peak() { awk '/^VmHWM:/ { printf "%.0f", $2 / 1024 }' "/proc/$server/status"; }
status() { curl -s -o /dev/null -w '%{http_code}' "$url$1"; }
# The median time of five requests, in milliseconds.
answered_in() {
  for _ in 1 2 3 4 5; do curl -s -o /dev/null -w '%{time_total}\n' "$url$1"; done | median | awk '{ printf "%.1f", $1 * 1000 }'
}
# The duration of each load in milliseconds: reading and building.
loads() {
  awk '/Schema cache queried in/ { queried = $(NF - 1) } /Schema cache loaded in/ { print queried + $(NF - 1) }' "$work/rest.log"
}

say "$tables tables, $(date -u +%F), $(nproc) cores, commit $(git rev-parse --short HEAD)"
admin=$("$root/scripts/test-cluster.sh" start "$work/pg")
# PostgreSQL's default of 6,400 locks, which a load must not exceed.
sed -i '/^max_locks_per_transaction\|^max_connections/d' "$work/pg/data/postgresql.conf"
pid=$(head -n 1 "$work/pg/data/postmaster.pid")
kill -INT "$pid"
while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
owner=$(stat -c %U "$work/pg/data")
setpriv --reuid "$owner" --regid "$(id -g "$owner")" --clear-groups \
  "$(postgres_binaries)/pg_ctl" -D "$work/pg/data" -l "$work/pg/server.log" -w start >/dev/null
psql -qX "$admin" -v ON_ERROR_STOP=1 -v tables="$tables" -f "$root/bench/catalog.sql"
psql -qX "$admin" -c 'vacuum analyze'

port=$((20000 + RANDOM % 20000)) url=http://127.0.0.1:$port
begun=$(now_ms)
PGRST_DB_URI=${admin/supabase_admin/large_authenticator} PGRST_DB_SCHEMAS=large PGRST_DB_ANON_ROLE=large_anon NO_COLOR=1 \
  PGRST_SERVER_HOST=127.0.0.1 PGRST_SERVER_PORT=$port "$dugout" rest >"$work/rest.log" 2>&1 &
server=$!
until [ "$(status /table_1)" = 200 ]; do
  kill -0 "$server" 2>/dev/null || die "the server ended: $(tail -n 5 "$work/rest.log")"
  sleep 0.01
done
printf 'start to first 200: %s ms; the load of that: %.0f ms\n' "$(($(now_ms) - begun))" "$(loads | head -n 1)"
printf 'server memory with the catalog: %s MB (peak %s MB)\n' "$(rss)" "$(peak)"
printf 'read of a table %s ms, with an embedding %s ms\n' "$(answered_in '/table_7')" \
  "$(answered_in '/table_7?select=id,parent:table_3!table_7_parent_id_fkey(id)')"
printf 'unknown table %s ms, unknown function %s ms, unknown relationship %s ms, unknown parent %s ms\n' \
  "$(answered_in '/tabel_7777')" "$(answered_in '/rpc/serch_100')" "$(answered_in '/table_7?select=nothing(id)')" \
  "$(answered_in '/view_10?select=table_1(nothing(id))')"
printf 'description at the root: %s ms, %s MB\n' "$(answered_in /)" \
  "$(curl -s "$url/" | wc -c | awk '{ printf "%.0f", $1 / 1e6 }')"
printf 'server memory after that: %s MB (peak %s MB)\n' "$(rss)" "$(peak)"

latencies=$(for number in 1 2 3 4 5; do
  psql -qX "$admin" -c "create table large.fresh_$number (id int primary key); grant select on large.fresh_$number to large_anon; notify pgrst"
  begun=$(now_ms)
  until [ "$(status "/fresh_$number")" = 200 ]; do sleep 0.01; done
  printf '%s\n' "$(($(now_ms) - begun))"
done | median)
printf 'from DDL until it is answered: %s ms (median of 5)\n' "$latencies"

# Sends requests without a pause until the catalog has been loaded ten times.
before=$(loads | wc -l)
(while [ ! -e "$work/enough" ]; do psql -qX "$admin" -c 'notify pgrst' && sleep 0.1; done) &
announcing=$!
for _ in $(seq 2000); do printf 'url = "%s/table_7"\noutput = /dev/null\n' "$url"; done >"$work/requests"
while [ "$(($(loads | wc -l) - before))" -lt 10 ]; do
  curl -s -K "$work/requests" -w '%{http_code} %{time_total}\n' >>"$work/unsorted"
done
touch "$work/enough"
wait "$announcing"
sort -k2n "$work/unsorted" >"$work/answers"
# percentile PERCENT: milliseconds
percentile() { awk -v p="$1" '{ v[NR] = $2 } END { n = int(NR * p / 100); print v[n < 1 ? 1 : n] * 1000 }' "$work/answers"; }
printf '%s requests during %s loads: %s failed, p50 %s ms, p99 %s ms, p99.9 %s ms, longest %s ms\n' \
  "$(wc -l <"$work/answers")" "$(($(loads | wc -l) - before))" "$(grep -vc '^200' "$work/answers" || true)" \
  "$(percentile 50)" "$(percentile 99)" "$(percentile 99.9)" "$(percentile 100)"

before=$(loads | wc -l)
while [ "$(($(loads | wc -l) - before))" -lt 20 ]; do psql -qX "$admin" -c 'notify pgrst' && sleep 0.2; done
printf 'load, median of all: %.0f ms; server memory after %s loads: %s MB (peak %s MB)\n' \
  "$(loads | median)" "$(loads | wc -l)" "$(rss)" "$(peak)"
