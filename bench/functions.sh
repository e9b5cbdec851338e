#!/usr/bin/env bash
# Edge Functions: what the gateway adds to a call of the process itself, first requests with and without a waiting process, requests
# a second (at a fixed rate, and as many as it can), and a native function beside the same work by RPC. DUGOUT names a binary instead
# of a release build of this checkout, SECONDS_EACH the length of a run, CALLS the calls that medians are of, STARTS the first requests.
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

for program in wrk psql curl node; do have "$program" || die "$program is missing: apt-get install wrk postgresql-client curl nodejs"; done
binary
each=${SECONDS_EACH:-8} calls=${CALLS:-4000} starts=${STARTS:-20}
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-functions-bench.XXXXXX")
chmod 755 "$work"
process=
# A core that sleeps between two requests takes its time to wake, on virtual machines more than the work takes. That is measured twice:
# as it is, and with cores that are kept awake by loops that any other process interrupts.
spinners=()
awake() {
  local _
  for _ in $(seq "$(nproc)"); do
    chrt --idle 0 sh -c 'while :; do :; done' &
    spinners+=($!)
  done
}
asleep() {
  [ ${#spinners[@]} = 0 ] || kill "${spinners[@]}" 2>/dev/null || true
  spinners=()
}
trap 'asleep; stop_server; [ -z "$process" ] || kill "$process" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# A project with a function for every first request, one that is called often, and the app's tables.
mkdir -p "$work/project/supabase/functions"
cp -r "$root/supabase/migrations" "$work/project/supabase/migrations"
printf 'project_id = "bench"\n' >"$work/project/supabase/config.toml"
for number in hello $(seq 1 "$starts"); do
  name=$([ "$number" = hello ] && echo hello || echo "first$number")
  mkdir "$work/project/supabase/functions/$name"
  echo 'Deno.serve((req) => Response.json({ hello: new URL(req.url).pathname }));' >"$work/project/supabase/functions/$name/index.ts"
  printf '[functions.%s]\nverify_jwt = false\n' "$name" >>"$work/project/supabase/config.toml"
done
deno=$(find "$root/node_modules/@deno" -maxdepth 2 -name deno 2>/dev/null | head -n 1)
export DUGOUT_DENO=${DUGOUT_DENO:-$deno} DUGOUT_FUNCTIONS_IDLE_S=600
[ -x "$DUGOUT_DENO" ] || die "Deno is missing: npm ci"

run() {
  project=$work/project start_server "$work/$1"
  eval "$("$dugout" status -o env --data-dir "$work/$1")"
  export ANON_KEY
}

printf '%s, %s cores, %s, load %s, %s, Deno %s\n' "$(date -u +%F)" "$(nproc)" "$(uname -sr)" "$(cut -d' ' -f1-3 /proc/loadavg)" \
  "${DUGOUT:+the program of DUGOUT, }commit $(git rev-parse --short HEAD)" "$("$DUGOUT_DENO" --version | sed -n 's/^deno \([^ ]*\).*/\1/p')"
for waiting in 1 0; do
  DUGOUT_FUNCTIONS_WARM=$waiting run "data$waiting"
  node "$root/bench/functions.mjs" starts "http://127.0.0.1:$port" "$starts" "$waiting"
  [ "$waiting" = 0 ] || stop_server
done

node "$root/bench/functions.mjs" overhead "http://127.0.0.1:$port" "$calls"
awake
printf 'with cores that are kept awake: '
node "$root/bench/functions.mjs" overhead "http://127.0.0.1:$port" "$calls"
asleep

# loaded NAME URL [WRK ARGUMENTS…]: 16 connections for a while.
loaded() {
  local name=$1 url=$2
  shift 2
  wrk -t1 -c16 -d"${each}s" --latency "$@" "$url" >"$work/wrk"
  awk -v name="$name" '/99%/ { p99 = $2 } /50%/ { p50 = $2 } /Requests\/sec/ { rate = $2 } /Non-2xx/ { bad = $0 }
    END { printf "hello, 16 connections, %s: %.0f requests/s, p50 %s, p99 %s%s\n", name, rate, p50, p99, bad }' "$work/wrk"
}
# The same function in a process without a gateway in front, for comparison.
alone=$((port + 1))
DENO_SERVE_ADDRESS=tcp:127.0.0.1:$alone DENO_DIR=$work/deno "$DUGOUT_DENO" run --quiet --allow-net --no-config \
  "$work/project/supabase/functions/hello/index.ts" >"$work/alone.log" 2>&1 &
process=$!
until curl -fs -o "$work/answer" "http://127.0.0.1:$alone/"; do sleep 0.1; done
export RATE=5000
for _ in 1 2 3; do
  loaded "the process itself at $RATE/s" "http://127.0.0.1:$alone/hello" -s "$root/bench/rate.lua"
  loaded "through the gateway at $RATE/s (goal: p99 under 10 ms)" "http://127.0.0.1:$port/functions/v1/hello" -s "$root/bench/rate.lua"
done
kill "$process"
loaded "through the gateway, as many as it can (goal: 5000)" "http://127.0.0.1:$port/functions/v1/hello"

# The native function `score` gives a lock back that nobody has; the same as a function of the database.
psql -qX "${DB_URL/postgres@/supabase_admin@}" -v ON_ERROR_STOP=1 <<'SQL'
create function public.bench_end_scoring(game uuid, device uuid) returns json language sql set search_path = '' as $$
  select private.end_scoring(game, device);
  select '{"released":true}'::json;
$$;
grant usage on schema private to authenticated;
grant execute on function public.bench_end_scoring(uuid, uuid) to authenticated;
notify pgrst, 'reload schema';
SQL
node "$root/bench/functions.mjs" native "http://127.0.0.1:$port" "$((calls / 4))"
awake
printf 'with cores that are kept awake: '
node "$root/bench/functions.mjs" native "http://127.0.0.1:$port" "$((calls / 4))"
asleep
