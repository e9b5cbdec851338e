#!/usr/bin/env bash
# Benchmarks of the data API:  bench/rest.sh [rates] [allocations] [streaming] [bulk] [idle]
# Without arguments: all of them. Needs wrk, pgbench, psql, curl and node; `allocations` also a C compiler.
#   RUNS=3 SECONDS_A_RUN=8   the number of runs that the medians are of, and the length of each
# Requests come in turn from an anonymous client, a user with an HS256 token and a user with an ES256 token; every table has
# row level security. The baseline is pgbench with the statements that the server was observed to send.
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

[ $# -gt 0 ] || set -- rates allocations streaming bulk idle
for program in wrk pgbench psql curl node; do
  have "$program" || die "$program is missing: apt-get install wrk postgresql-15 curl nodejs"
done
# shellcheck disable=SC2034 # for the sections
runs=${RUNS:-3} seconds=${SECONDS_A_RUN:-8}
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-rest.XXXXXX")
chmod 755 "$work"
source "$root/bench/rest/alone.sh"
trap 'stop_alone; stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# 5,000 connections need as many open files, in the load generator too.
ulimit -n "$(ulimit -Hn)"

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# hs256 SUBJECT: a JSON Web Token signed with HS256.
hs256() {
  local head body
  encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
  head=$(printf '{"alg":"HS256","typ":"JWT"}' | encode)
  body=$(printf '{"role":"authenticated","aud":"authenticated","sub":"%s","exp":%d}' "$1" $(($(date +%s) + 86400)) | encode)
  printf '%s.%s.%s' "$head" "$body" "$(printf '%s' "$head.$body" | openssl dgst -sha256 -hmac "$JWT_SECRET" -binary | encode)"
}

# Starts a server with filled tables, ten users and their tokens.
prepare() {
  local n token subject subjects=
  start_server "$work/data"
  eval "$("$dugout" status -o env --data-dir "$work/data")"
  admin=${DB_URL/postgres@/supabase_admin@} authenticator=${DB_URL/postgres@/authenticator@}
  TOKENS=
  for n in 1 2 3 4 5 6 7 8 9 10; do
    token=$(curl -fsS "http://127.0.0.1:$port/auth/v1/signup" -H "apikey: $ANON_KEY" -H 'content-type: application/json' \
      -d "{\"email\":\"bench$n@x.test\",\"password\":\"correct horse battery\"}" | sed -E 's/.*"access_token":"([^"]+)".*/\1/')
    subject=$(psql -qXAt "$admin" -c "select id from auth.users where email = 'bench$n@x.test'")
    subjects="$subjects,$subject"
    TOKENS="$TOKENS - $(hs256 "$subject") $token"
  done
  psql -qX "$DB_URL" -v ON_ERROR_STOP=1 -v users="{${subjects#,}}" -f "$root/bench/rest/schema.sql"
  # The schema cache reloads by itself.
  sleep 3
  export TOKENS ANON_KEY
}

printf '%s, %s cores, %s, commit %s\n' "$(date -u +%F)" "$(nproc)" "$(uname -sr)" "$(git rev-parse --short HEAD)"
prepare
for what in "$@"; do
  # shellcheck disable=SC1090 # each is checked by itself
  case $what in
    rates | allocations | streaming | bulk | idle) source "$root/bench/rest/$what.sh" ;;
    *) die "unknown: $what; there are rates, allocations, streaming, bulk and idle" ;;
  esac
done
