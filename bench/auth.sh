#!/usr/bin/env bash
# Benchmarks of auth:  bench/auth.sh [rates] [isolation]
# Without arguments: both. Needs wrk, psql, curl and node.
#   GOTRUE_BIN=…             also measures this GoTrue on the same machine, and prints the ratios
#   KINDS='refresh user sign-in sign-up'   the kinds of requests
#   RUNS=3 SECONDS_A_RUN=6   the number of runs that the medians are of, and the length of each
# `rates`: sign-ups, sign-ins, refreshes and reads of a user per second, and CPU per request of the server and of PostgreSQL.
# The cluster runs without fsync, because the cost of the disk is the same for both servers.
# `isolation`: GET /auth/v1/user and reads of the data API at 200 per second, idle and while sign-ins saturate the hashing.
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

[ $# -gt 0 ] || set -- rates isolation
for program in wrk psql curl node; do
  have "$program" || die "$program is missing: apt-get install wrk postgresql-client curl nodejs"
done
runs=${RUNS:-3} seconds=${SECONDS_A_RUN:-6} connections=${CONNECTIONS:-32}
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-auth.XXXXXX")
chmod 755 "$work"
pid=
stop_auth() {
  [ -n "$pid" ] || return 0
  kill -TERM "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  pid=
}
cleanup() {
  stop_auth
  stop_server
  [ ! -d "$work/pg" ] || "$root/scripts/test-cluster.sh" stop "$work/pg"
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

# Settings that both servers understand, with rate limits too high for the load test to reach.
settings() {
  cat <<END
GOTRUE_SITE_URL=http://localhost:3000
API_EXTERNAL_URL=http://localhost:$auth_port
GOTRUE_API_HOST=127.0.0.1
PORT=$auth_port
GOTRUE_DB_DRIVER=postgres
DATABASE_URL=postgres://supabase_auth_admin@127.0.0.1:$pg_port/$1?sslmode=disable
GOTRUE_DB_MAX_POOL_SIZE=10
GOTRUE_JWT_SECRET=super-secret-jwt-token-with-at-least-32-characters-long
GOTRUE_JWT_AUD=authenticated
GOTRUE_JWT_DEFAULT_GROUP_NAME=authenticated
GOTRUE_MAILER_AUTOCONFIRM=true
GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL=10
GOTRUE_LOG_LEVEL=error
GOTRUE_RATE_LIMIT_TOKEN_REFRESH=1000000000
GOTRUE_RATE_LIMIT_OTP=1000000000
DUGOUT_LOG=error
END
}

# start_auth NAME PROGRAM [ARGUMENTS…]: starts one of the servers over its own database, with forty users and sessions.
start_auth() {
  local name=$1 n environment
  shift
  auth_port=$((20000 + RANDOM % 12000))
  psql -qX "$cluster" -c "create database $name"
  psql -qX "${cluster/\/postgres/\/$name}" -c 'create schema auth authorization supabase_auth_admin'
  mapfile -t environment < <(settings "$name")
  if [ "$name" = theirs ]; then (cd "$gotrue_home" && env -i PATH="$PATH" "${environment[@]}" "$1" migrate) >>"$work/$name.log" 2>&1; fi
  (cd "${gotrue_home:-$root}" && exec env -i PATH="$PATH" "${environment[@]}" "$@") >>"$work/$name.log" 2>&1 &
  pid=$!
  until curl -fso /dev/null "http://127.0.0.1:$auth_port/health"; do
    kill -0 "$pid" 2>/dev/null || die "$name ended: $(tail -n 3 "$work/$name.log")"
    sleep 0.05
  done
  for n in $(seq 40); do
    curl -fsS "http://127.0.0.1:$auth_port/signup" -H 'content-type: application/json' \
      -d "{\"email\":\"bench$n@x.test\",\"password\":\"correct horse battery\"}"
    echo
  done | sed -E 's/.*"access_token":"([^"]+)".*"refresh_token":"([^"]+)".*/\1 \2/' >"$work/$name.tokens"
  export TOKENS=$work/$name.tokens
}

load() {
  local report
  report=$(KIND=$1 wrk -t1 -c"$3" -d"$2s" --timeout 30s --latency -s "$root/bench/auth/requests.lua" "http://127.0.0.1:$auth_port")
  if printf '%s\n' "$report" | grep -E 'Non-2xx|Socket errors' >&2; then die "$1: not every request was answered well"; fi
  printf '%s\n' "$report"
}

# The previous run has rotated the sessions' tokens: every run of refreshes starts with the active ones.
living() {
  psql -qXAt "${cluster/\/postgres/\/$1}" -c "select 'x', token from auth.refresh_tokens where not revoked order by id desc limit 40" |
    tr '|' ' ' >"$work/$1.refresh"
}

# measure NAME KIND: requests per second, CPU per request of the server and of PostgreSQL in microseconds, p99 in milliseconds.
measure() {
  local name=$1 kind=$2 count=$connections report requests before_server before_postgres
  local rates='' server_us='' postgres_us='' p99=''
  # More than eight connections do not make hashing faster, and its queue is bounded.
  case $kind in sign-*) count=8 ;; esac
  TOKENS=$work/$name.tokens load user 1 4 >/dev/null
  for _ in $(seq "$runs"); do
    if [ "$kind" = refresh ]; then
      living "$name"
      export TOKENS=$work/$name.refresh
    else
      export TOKENS=$work/$name.tokens
    fi
    before_server=$(printf '%s\n' "$pid" | cpu_of_all)
    before_postgres=$(postgres_cpu)
    report=$(load "$kind" "$seconds" "$count")
    requests=$(awk '/requests in/ { print $1 }' <<<"$report")
    rates+="$(awk '/^Requests\/sec/ { print $2 }' <<<"$report")"$'\n'
    server_us+="$(awk -v a="$before_server" -v b="$(printf '%s\n' "$pid" | cpu_of_all)" -v n="$requests" 'BEGIN { print (b - a) / n }')"$'\n'
    postgres_us+="$(awk -v a="$before_postgres" -v b="$(postgres_cpu)" -v n="$requests" 'BEGIN { print (b - a) / n }')"$'\n'
    p99+="$(awk '$1 == "99%" { print $2 }' <<<"$report" | sed -E 's/us$/ .001/; s/ms$/ 1/; s/([0-9])s$/\1 1000/' | awk '{ print $1 * $2 }')"$'\n'
  done
  printf '%s %s %s %s\n' "$(printf '%s' "$rates" | median)" "$(printf '%s' "$server_us" | median)" \
    "$(printf '%s' "$postgres_us" | median)" "$(printf '%s' "$p99" | median)"
}
# The whole cluster: the CPU time of ended processes is accounted to their parent.
postgres_cpu() {
  sed 's/.*) //' "/proc/$postmaster/stat" | awk -v tick="$(getconf CLK_TCK)" '{ printf "%.0f\n", ($12 + $13 + $14 + $15) * 1000000 / tick }' >"$work/ended"
  { cat "$work/ended"; postgres_of "$postmaster" | cpu_of_all; } | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

read -ra kinds <<<"${KINDS:-refresh user sign-in sign-up}"
rates() {
  local kind name ours theirs
  cluster=$("$root/scripts/test-cluster.sh" start "$work/pg")
  pg_port=$((33000 + RANDOM % 12000))
  psql -qX "$cluster" -c 'create role postgres; create role anon; create role authenticated; create role service_role; create role dashboard_user' \
    -c 'create role supabase_auth_admin superuser login' -c "alter role supabase_auth_admin set search_path = auth" \
    -c "alter system set listen_addresses = '127.0.0.1'" -c "alter system set port = $pg_port" -c 'alter system set max_connections = 60'
  restart_cluster
  : >"$work/ours.figures"
  start_auth ours "$dugout" auth
  for kind in "${kinds[@]}"; do printf '%s %s\n' "$kind" "$(measure ours "$kind")"; done >"$work/ours.figures"
  stop_auth
  if [ -n "${GOTRUE_BIN:-}" ]; then
    gotrue_home=${GOTRUE_HOME:-$(dirname "$GOTRUE_BIN")}
    start_auth theirs "$GOTRUE_BIN"
    for kind in "${kinds[@]}"; do printf '%s %s\n' "$kind" "$(measure theirs "$kind")"; done >"$work/theirs.figures"
    stop_auth
  fi
  printf '\n%-10s %-8s %9s %9s %9s %8s\n' '' '' 'requests/s' 'server us' 'postgres us' 'p99 ms'
  for kind in "${kinds[@]}"; do
    for name in ours theirs; do
      [ -s "$work/$name.figures" ] || continue
      awk -v kind="$kind" -v name="$name" '$1 == kind { printf "%-10s %-8s %10.0f %9.0f %11.0f %8.1f\n", kind, name, $2, $3, $4, $5 }' "$work/$name.figures"
    done
    if [ -s "$work/theirs.figures" ]; then
      ours=$(awk -v kind="$kind" '$1 == kind { print $2, $3 + $4 }' "$work/ours.figures")
      theirs=$(awk -v kind="$kind" '$1 == kind { print $2, $3 + $4 }' "$work/theirs.figures")
      printf '%-10s %-8s %9sx %s of the CPU a request\n' '' ratio "$(ratio "${ours% *}" "${theirs% *}")" "$(ratio "${ours#* }" "${theirs#* }")"
    fi
  done
}

# Restarts the cluster, so that it listens on the port chosen here.
restart_cluster() {
  postmaster=$(head -n 1 "$work/pg/postmaster.pid" 2>/dev/null || find "$work/pg" -name postmaster.pid -exec head -n 1 {} \;)
  data=$(find "$work/pg" -name postmaster.pid -printf '%h\n' | head -n 1)
  local owner command
  owner=$(stat -c %U "$data")
  command=$(tr '\0' '\n' <"/proc/$postmaster/cmdline" | head -n 1)
  kill -INT "$postmaster"
  while kill -0 "$postmaster" 2>/dev/null; do sleep 0.05; done
  sed -i '/^host/d' "$data/pg_hba.conf"
  echo 'host all all 127.0.0.1/32 trust' >>"$data/pg_hba.conf"
  setpriv --reuid "$owner" --regid "$(id -g "$owner")" --clear-groups "$command" -D "$data" -k "$work/pg" >>"$work/pg.log" 2>&1 &
  cluster=postgresql://supabase_admin@127.0.0.1:$pg_port/postgres
  until psql -qX "$cluster" -c 'select 1' >/dev/null 2>&1; do sleep 0.05; done
  postmaster=$(head -n 1 "$data/postmaster.pid")
}

isolation() {
  local token n idle busy wanted loading
  # Here, too, the rate limits are too high for the load test to reach.
  GOTRUE_RATE_LIMIT_TOKEN_REFRESH=1000000000 GOTRUE_RATE_LIMIT_OTP=1000000000 start_server "$work/data"
  eval "$("$dugout" status -o env --data-dir "$work/data")"
  psql -qX "$DB_URL" -c 'create table public.bench_rows (id int primary key); insert into public.bench_rows select generate_series(1, 1000); grant select on public.bench_rows to anon, authenticated' >/dev/null
  sleep 3
  # shellcheck disable=SC2154 # start_server sets it
  for n in $(seq 8); do
    token=$(curl -fsS "http://127.0.0.1:$port/auth/v1/signup" -H "apikey: $ANON_KEY" -H 'content-type: application/json' \
      -d "{\"email\":\"bench$n@x.test\",\"password\":\"correct horse battery\"}" | sed -E 's/.*"access_token":"([^"]+)".*/\1/')
  done
  wanted=("http://127.0.0.1:$port/auth/v1/user|apikey: $ANON_KEY|authorization: Bearer $token"
    "http://127.0.0.1:$port/rest/v1/bench_rows?id=eq.7|apikey: $ANON_KEY|authorization: Bearer $token")
  node "$root/bench/auth/arrivals.mjs" 200 3 "${wanted[@]}" >/dev/null
  printf '\n%-34s %8s %8s %8s\n' '200 requests/s' 'p50 ms' 'p99 ms' failures
  for n in 0 1; do
    for _ in $(seq "$runs"); do node "$root/bench/auth/arrivals.mjs" 200 "$seconds" "${wanted[$n]}"; done | sort -n -k 2 >"$work/idle.$n"
  done
  node "$root/bench/auth/sign-ins.mjs" "http://127.0.0.1:$port/auth/v1" "$ANON_KEY" 8 >"$work/sign-ins" &
  loading=$!
  sleep 2
  for n in 0 1; do
    for _ in $(seq "$runs"); do node "$root/bench/auth/arrivals.mjs" 200 "$seconds" "${wanted[$n]}"; done | sort -n -k 2 >"$work/busy.$n"
  done
  kill "$loading"
  wait "$loading" 2>/dev/null || true
  for n in 0 1; do
    idle=$(sed -n "$(((runs + 1) / 2))p" "$work/idle.$n") busy=$(sed -n "$(((runs + 1) / 2))p" "$work/busy.$n")
    # shellcheck disable=SC2086 # three numbers each
    printf '%-34s %8s %8s %8s\n' "$([ $n = 0 ] && echo 'GET /auth/v1/user' || echo 'GET /rest/v1/bench_rows'), idle" $idle \
      '  while sign-ins saturate hashing' $busy
    # shellcheck disable=SC2086
    printf '%-34s %17s\n' '  p99, times idle' "$(ratio "$(set -- $busy && echo "$2")" "$(set -- $idle && echo "$2")")"
  done
  tail -n 1 "$work/sign-ins"
  stop_server
}

printf '%s, %s cores, %s, commit %s, %s connections\n' "$(date -u +%F)" "$(nproc)" "$(uname -sr)" "$(git rev-parse --short HEAD)" "$connections"
for what in "$@"; do
  case $what in
    rates | isolation) "$what" ;;
    *) die "unknown: $what; there are rates and isolation" ;;
  esac
done
