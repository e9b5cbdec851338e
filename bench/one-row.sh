# shellcheck shell=bash
# Sourced by first-light.sh: reads one row by key through /rest/v1, with a user's token and row level security. Compares that
# with pgbench's best on the same PostgreSQL with the same statements, also in one pipelined round trip.
# shellcheck disable=SC2154
for program in wrk pgbench psql; do
  have "$program" || die "$program is missing: apt-get install wrk postgresql-15"
done
start_server "$work/requests"
eval "$("$dugout" status -o env --data-dir "$work/requests")"

psql -qX "$DB_URL" -v ON_ERROR_STOP=1 -f "$root/bench/one-row.sql"
token=$(curl -fsS "http://127.0.0.1:$port/auth/v1/signup" -H "apikey: $ANON_KEY" -H 'content-type: application/json' \
  -d '{"email":"bench@x.test","password":"correct horse battery"}' | sed -E 's/.*"access_token":"([^"]+)".*/\1/')
claims=$(printf %s "$token" | cut -d. -f2 | tr '_-' '/+' | base64 -d 2>/dev/null || true)
user=$(printf %s "$claims" | sed -E 's/.*"sub":"([^"]+)".*/\1/')
psql -qX "$DB_URL" -v ON_ERROR_STOP=1 -c "insert into public.bench_rows select n, '$user', 'row ' || n from generate_series(1, 100000) n" -c 'vacuum analyze public.bench_rows'
sleep 1

export TOKEN=$token KEY=$ANON_KEY
url=http://127.0.0.1:$port
wrk -t1 -c32 -d3s -s "$root/bench/one-row.lua" "$url" >/dev/null
rates='' server_us='' postgres_us='' peers=''
for _ in 1 2 3; do
  postgres=$(postgres_of "$server")
  before_server=$(printf '%s\n' "$server" | cpu_of_all)
  before_postgres=$(printf '%s\n' "$postgres" | cpu_of_all)
  report=$(wrk -t1 -c32 -d8s --latency -s "$root/bench/one-row.lua" "$url")
  after_server=$(printf '%s\n' "$server" | cpu_of_all)
  after_postgres=$(printf '%s\n' "$postgres" | cpu_of_all)
  requests=$(printf '%s\n' "$report" | awk '/requests in/ { print $1 }')
  if printf '%s\n' "$report" | grep -E 'Non-2xx|Socket errors' >&2; then die "not every request was answered with 200"; fi
  rates="$rates $(printf '%s\n' "$report" | awk '/^Requests\/sec/ { print $2 }')"
  server_us="$server_us $(((after_server - before_server) / requests))"
  postgres_us="$postgres_us $(((after_postgres - before_postgres) / requests))"
  peers="$peers $(pgbench -n -M prepared -c 2 -j 1 -T 6 -D claims="$user" -f "$root/bench/one-row.pgbench.sql" "$DB_URL" 2>/dev/null |
    awk '/^tps/ { print $3 }')"
done
each() { printf '%s\n' "$@" | median; }
# shellcheck disable=SC2086 # lists of numbers
rate=$(each $rates) peer=$(each $peers)
# shellcheck disable=SC2086
printf 'one row by key, JWT and RLS, 32 connections: %s requests/s; pgbench pipelined %s/s; ratio %s\n' \
  "${rate%.*}" "${peer%.*}" "$(awk -v a="$rate" -v b="$peer" 'BEGIN { printf "%.2f", a / b }')"
# shellcheck disable=SC2086
printf 'CPU a request: server %s us, PostgreSQL %s us (medians of 3 runs)\n' "$(each $server_us)" "$(each $postgres_us)"
printf '%s\n' "$report" | sed -nE 's/^ +(50|99)% +(.*)/latency p\1: \2/p'
stop_server
