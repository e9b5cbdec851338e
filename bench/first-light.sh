#!/usr/bin/env bash
# Benchmarks of the whole, as medians:  bench/first-light.sh [start] [memory] [requests] [builds] [test]
# Without arguments: start, memory and requests. `builds` compiles everything twice from scratch, `test` runs `make test` in
# a fresh clone; both take long. `requests` needs wrk, pgbench and psql (Debian: apt-get install wrk postgresql-15).
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

[ $# -gt 0 ] || set -- start memory requests
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-bench.XXXXXX")
chmod 755 "$work"
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export PATH=$PATH:/usr/lib/postgresql/17/bin:/usr/lib/postgresql/16/bin:/usr/lib/postgresql/15/bin

printf '%s, %s cores, %s, commit %s\n' "$(date -u +%F)" "$(nproc)" "$(uname -sr)" "$(git rev-parse --short HEAD)"

# seconds COMMAND…: runs COMMAND and prints its duration in seconds with two decimals. The command's output goes to stderr.
seconds() {
  local begun=$EPOCHREALTIME
  "$@" >&2
  awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f\n", b - a }'
}

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

measure_start() {
  local i first existing
  first=$(for i in 1 2 3 4 5; do
    start_server "$work/first$i"
    printf '%s\n' "$started_in"
    stop_server
  done | median)
  existing=$(for i in 1 2 3 4 5 6 7; do
    start_server "$work/first1"
    printf '%s\n' "$started_in"
    stop_server
  done | median)
  printf 'first start ever to first 200:            %s s (median of 5; goal under 6)\n' "$first"
  printf 'start with existing data to first 200:    %s s (median of 7; goal under 1.5)\n' "$existing"
}

measure_memory() {
  start_server "$work/memory"
  sleep 10
  printf 'idle memory, PSS: server %s MB, PostgreSQL %s MB, together %s MB (goal under 150)\n' \
    "$(pss "$server" | megabytes)" "$(postgres_of "$server" | pss_of_all | megabytes)" \
    "$({ printf '%s\n' "$server"; postgres_of "$server"; } | pss_of_all | megabytes)"
  stop_server
}

measure_builds() {
  local target=$work/target
  printf 'clean debug build:   %s s\n' "$(CARGO_TARGET_DIR=$target seconds cargo build --quiet --locked --workspace)"
  printf 'clean release build: %s s\n' "$(CARGO_TARGET_DIR=$target seconds cargo build --quiet --locked --release --bin dugout)"
}

measure_test() {
  git clone --quiet "$root" "$work/clone"
  printf 'make test in a fresh clone: %s s\n' "$(seconds make -C "$work/clone" test)"
}

for what in "$@"; do
  case $what in
    start) measure_start ;;
    memory) measure_memory ;;
    requests) source "$root/bench/one-row.sh" ;;
    builds) measure_builds ;;
    test) measure_test ;;
    *) die "unknown: $what; there are start, memory, requests, builds and test" ;;
  esac
done
