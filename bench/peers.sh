#!/usr/bin/env bash
# Dugout beside a hand-written service and PocketBase:  bench/peers.sh [key] [insert] [search] [bulk]
# Without arguments: all of them. Needs wrk, psql, curl, openssl, node and npm. The service (bench/peers/fastify.mjs) uses the
# same PostgreSQL as Dugout. PocketBase is left out unless POCKETBASE names its program, such as the one that
# `go install github.com/pocketbase/pocketbase/examples/base@v0.36.8` makes.
#   RUNS=3 SECONDS_A_RUN=2   the number of runs that the medians are of, and the length of each
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

[ $# -gt 0 ] || set -- key insert search bulk
for program in wrk psql curl openssl node npm; do have "$program" || die "$program is missing"; done
runs=${RUNS:-3} seconds=${SECONDS_A_RUN:-2}
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-peers.XXXXXX")
chmod 755 "$work"
fastify='' pocketbase=''
finish() {
  for pid in $fastify $pocketbase; do kill "$pid" 2>/dev/null || true; done
  stop_server
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# milliseconds 1.23s | 4.56ms | 789.00us
milliseconds() { sed -E 's/us$/ .001/; s/ms$/ 1/; s/s$/ 1000/' | awk '{ printf "%.2f\n", $1 * $2 }'; }
# hs256 SUBJECT: a JSON Web Token.
hs256() {
  local head body
  encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
  head=$(printf '{"alg":"HS256","typ":"JWT"}' | encode)
  body=$(printf '{"role":"authenticated","aud":"authenticated","sub":"%s","exp":%d}' "$1" $(($(date +%s) + 86400)) | encode)
  printf '%s.%s.%s' "$head" "$body" "$(printf '%s' "$head.$body" | openssl dgst -sha256 -hmac "$JWT_SECRET" -binary | encode)"
}
# await URL: until it answers.
await() {
  for _ in $(seq 300); do
    if curl -s -o "$work/answer" "$1"; then return; fi
    sleep 0.1
  done
  die "$1 does not answer"
}

start_dugout() {
  local subject=7b8a4f5e-7b54-4a43-9d5e-000000000001
  start_server "$work/data"
  eval "$("$dugout" status -o env --data-dir "$work/data")"
  psql -qX "$DB_URL" -v ON_ERROR_STOP=1 -v subject="$subject" -f "$root/bench/peers/schema.sql" 2>"$work/psql.log" ||
    die "$(cat "$work/psql.log")"
  TOKEN=$(hs256 "$subject")
  export TOKEN ANON_KEY
  # The schema cache reloads by itself.
  sleep 3
}

start_fastify() {
  npm install --silent --no-audit --no-fund --prefix "$work" fastify@5.12 pg@8.23 fast-jwt@6.3 >"$work/npm.log" 2>&1 ||
    die "npm: $(tail -n 3 "$work/npm.log")"
  cp "$root/bench/peers/fastify.mjs" "$work/"
  fastify_port=$((port + 1))
  PORT=$fastify_port DATABASE_URL=$DB_URL AUTHENTICATOR_URL=${DB_URL/postgres@/authenticator@} JWT_SECRET=$JWT_SECRET \
    NODE_ENV=production node "$work/fastify.mjs" >"$work/fastify.log" 2>&1 &
  fastify=$!
  await "http://127.0.0.1:$fastify_port/"
}

start_pocketbase() {
  pocketbase_port=$((port + 2))
  "$POCKETBASE" superuser upsert bench@x.test correct-horse --dir "$work/pb" >"$work/pocketbase.log" 2>&1
  "$POCKETBASE" serve --http "127.0.0.1:$pocketbase_port" --dir "$work/pb" >>"$work/pocketbase.log" 2>&1 &
  pocketbase=$!
  await "http://127.0.0.1:$pocketbase_port/api/health"
  node "$root/bench/peers/pocketbase.mjs" "http://127.0.0.1:$pocketbase_port" bench@x.test correct-horse
}

url_of() {
  case $1 in
    dugout*) printf 'http://127.0.0.1:%s' "$port" ;;
    fastify*) printf 'http://127.0.0.1:%s' "$fastify_port" ;;
    *) printf 'http://127.0.0.1:%s' "$pocketbase_port" ;;
  esac
}
name_of() {
  case $1 in
    dugout) printf 'Dugout' ;;
    fastify) printf 'Fastify' ;;
    dugout_rls) printf 'Dugout, RLS' ;;
    fastify_rls) printf 'Fastify, RLS' ;;
    *) printf 'PocketBase' ;;
  esac
}

# load PEER KIND CONNECTIONS DURATION: wrk's report.
load() {
  local report
  report=$(PEER=$1 KIND=$2 wrk -t1 -c"$3" -d"$4" --latency -s "$root/bench/peers/requests.lua" "$(url_of "$1")")
  if printf '%s\n' "$report" | grep -E 'Non-2xx|Socket errors' >&2; then die "$1: not every request was answered well"; fi
  printf '%s\n' "$report"
}

# measure KIND CONNECTIONS: a line per peer. The peers take turns, so that a busy moment of the machine meets all of them.
measure() {
  local kind=$1 connections=$2 peer report
  rm -f "$work"/measured.*
  for _ in $(seq "$runs"); do
    for peer in "${peers[@]}"; do
      if [ "$kind $peer" = 'search pocketbase' ]; then continue; fi
      load "$peer" "$kind" "$connections" 1s >/dev/null
      report=$(load "$peer" "$kind" "$connections" "${seconds}s")
      printf '%s\n' "$report" | awk '/^Requests\/sec/ { print $2 }' >>"$work/measured.$peer.rate"
      printf '%s\n' "$report" | awk '$1 == "50%" { print $2 }' | milliseconds >>"$work/measured.$peer.p50"
      printf '%s\n' "$report" | awk '$1 == "99%" { print $2 }' | milliseconds >>"$work/measured.$peer.p99"
    done
  done
  for peer in "${peers[@]}"; do
    [ -f "$work/measured.$peer.rate" ] || continue
    printf '%-16s %-13s %4s %9.0f %8.2f %8.2f\n' "$(label "$kind")" "$(name_of "$peer")" "$connections" \
      "$(median <"$work/measured.$peer.rate")" "$(median <"$work/measured.$peer.p50")" "$(median <"$work/measured.$peer.p99")"
  done
}
label() {
  case $1 in
    key) printf 'read by key' ;;
    insert) printf 'insert of one' ;;
    search) printf 'text search' ;;
  esac
}

# 100,000 inserts of one with 64 in flight.
bulk() {
  local peer report
  printf '%-16s %-13s %4s %9s\n' '' '' '' seconds
  for peer in "${peers[@]}"; do
    report=$(COUNT=100000 load "$peer" insert 64 300s)
    printf '%-16s %-13s %4s %9.1f\n' '100,000 inserts' "$(name_of "$peer")" 64 \
      "$(printf '%s\n' "$report" | awk '/requests in/ { sub("s,", "", $4); print $4 * 100000 / $1 }')"
  done
}

printf '%s, %s cores, %s, commit %s\n' "$(date -u +%F)" "$(nproc)" "$(uname -sr)" "$(git rev-parse --short HEAD)"
start_dugout
start_fastify
peers=(dugout fastify dugout_rls fastify_rls)
if [ -n "${POCKETBASE:-}" ]; then
  start_pocketbase
  peers+=(pocketbase)
fi
addresses=()
for peer in "${peers[@]}"; do addresses+=("$peer=$(url_of "$peer")"); done
node "$root/bench/peers/verify.mjs" "${addresses[@]}"
printf 'medians of %s runs of %s s; Fastify is one process, Dugout has a thread per core\n' "$runs" "$seconds"
printf '%-16s %-13s %4s %9s %8s %8s\n' '' '' 'c' 'a second' 'p50 ms' 'p99 ms'
for what in "$@"; do
  case $what in
    key) for connections in 4 16 32 64; do measure key "$connections"; done ;;
    insert | search) measure "$what" 32 ;;
    bulk) bulk ;;
    *) die "unknown: $what; there are key, insert, search and bulk" ;;
  esac
done
