# shellcheck shell=bash
# Sourced by rest.sh: requests per second and CPU per request of each kind, and their ratio to pgbench.
# shellcheck disable=SC2154
# KIND:FIXED:MOST, see statements.mjs.
kinds=${KINDS:-key:77777:100000 list:1234:2000 search:1234:2000 insert:77777:100000 bulk:77777:100000 rpc:77777:100000}
label() {
  case $1 in
    key) printf 'one row by key' ;;
    list) printf '20 rows, two embeds' ;;
    search) printf 'full-text search' ;;
    insert) printf 'insert of one' ;;
    bulk) printf 'insert of 1,000' ;;
    rpc) printf 'function call' ;;
  esac
}

# load KIND SECONDS CONNECTIONS: wrk's report.
load() {
  local report
  report=$(KIND=$1 wrk -t1 -c"$3" -d"$2s" --latency -s "$root/bench/rest/requests.lua" "http://127.0.0.1:$port")
  if printf '%s\n' "$report" | grep -E 'Non-2xx|Socket errors' >&2; then die "not every request was answered well"; fi
  printf '%s\n' "$report"
}

# The statements that the server sends: PostgreSQL logs those of the API's role, and the server forwards that log.
capture() {
  local entry kind rest
  stop_server
  # shellcheck disable=SC2030,SC2031
  DUGOUT_LOG=debug start_server "$work/data"
  psql -qX "$admin" -c "alter role authenticator set log_statement = 'all'"
  for entry in $kinds; do
    kind=${entry%%:*} rest=${entry#*:}
    mkdir -p "$work/peer/$kind"
    # Twice: connections read the role's settings when they open, and the first request of a kind may send extra statements.
    load "$kind" 1 4 >/dev/null
    psql -qXAt "$admin" -c "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator'" >/dev/null
    sleep 0.3
    : >"$work/server.log"
    FIXED=${rest%%:*} load "$kind" 2 4 >/dev/null
    sleep 0.3
    node "$root/bench/rest/statements.mjs" "$work/server.log" "$work/peer/$kind" "${rest%%:*}" "${rest#*:}"
    if ! [ -s "$work/peer/$kind/anon.sql" ] || ! [ -s "$work/peer/$kind/authenticated.sql" ]; then
      die "$kind: no statements in the log"
    fi
  done
  psql -qX "$admin" -c 'alter role authenticator reset log_statement'
  stop_server
  start_server "$work/data"
}

# peer KIND CLIENTS SECONDS: transactions per second of pgbench, a third of them anonymous.
peer() {
  local variables=() line
  while IFS= read -r line; do variables+=(-D "$line"); done <"$work/peer/$1/variables"
  pgbench -n -M prepared -c "$2" -j "$(($2 > 2 ? 2 : $2))" -T "$3" "${variables[@]}" \
    -f "$work/peer/$1/anon.sql@1" -f "$work/peer/$1/authenticated.sql@2" "$authenticator" >"$work/pgbench.log" 2>&1 ||
    die "pgbench: $(grep -v '^pgbench (' "$work/pgbench.log" | head -n 3 | cut -c 1-1000)"
  awk '/^tps/ { print $3 }' "$work/pgbench.log"
}

empty_log() { psql -qX "$admin" -c 'truncate public.bench_log'; }

# milliseconds 1.23s | 4.56ms | 789.00us
milliseconds() { sed -E 's/us$/ .001/; s/ms$/ 1/; s/s$/ 1000/' | awk '{ printf "%.2f\n", $1 * $2 }'; }

measure() {
  local kind=$1 best=0 clients=1 c tps postgres before_server before_postgres report requests
  local rates='' server_us='' postgres_us='' peers='' p50='' p99=''
  for c in 1 2 4 8 16; do
    empty_log
    tps=$(peer "$kind" "$c" 2)
    if awk -v a="$tps" -v b="$best" 'BEGIN { exit !(a > b) }'; then best=$tps clients=$c; fi
  done
  load "$kind" 2 32 >/dev/null
  for _ in $(seq "$runs"); do
    empty_log
    postgres=$(postgres_of "$server")
    before_server=$(printf '%s\n' "$server" | cpu_of_all)
    before_postgres=$(printf '%s\n' "$postgres" | cpu_of_all)
    report=$(load "$kind" "$seconds" 32)
    requests=$(printf '%s\n' "$report" | awk '/requests in/ { print $1 }')
    server_us="$server_us $((($(printf '%s\n' "$server" | cpu_of_all) - before_server) / requests))"
    postgres_us="$postgres_us $((($(printf '%s\n' "$postgres" | cpu_of_all) - before_postgres) / requests))"
    rates="$rates $(printf '%s\n' "$report" | awk '/^Requests\/sec/ { print $2 }')"
    p50="$p50 $(printf '%s\n' "$report" | awk '$1 == "50%" { print $2 }' | milliseconds)"
    p99="$p99 $(printf '%s\n' "$report" | awk '$1 == "99%" { print $2 }' | milliseconds)"
    empty_log
    peers="$peers $(peer "$kind" "$clients" "$seconds")"
  done
  of() { printf '%s\n' "$@" | median; }
  # shellcheck disable=SC2086 # lists of numbers
  printf '%-20s %9.0f %9.0f %3s %7.2f %9.0f %9.0f %9.2f %8.2f\n' "$(label "$kind")" "$(of $rates)" "$(of $peers)" "$clients" \
    "$(awk -v a="$(of $rates)" -v b="$(of $peers)" 'BEGIN { print a / b }')" \
    "$(of $server_us)" "$(of $postgres_us)" "$(of $p50)" "$(of $p99)"
}

capture
printf 'a third each anonymous, HS256 and ES256; row level security; 32 connections; medians of %s runs of %s s\n' "$runs" "$seconds"
printf '%-20s %9s %9s %3s %7s %9s %9s %9s %8s\n' '' 'requests' 'pgbench' '' '' 'server' 'Postgres' 'p50' 'p99'
printf '%-20s %9s %9s %3s %7s %9s %9s %9s %8s\n' '' 'a second' 'a second' 'c' 'ratio' 'us each' 'us each' 'ms' 'ms'
for entry in $kinds; do measure "${entry%%:*}"; done
