# shellcheck shell=bash
# Sourced by rest.sh: allocations per request, and how often the server copies each byte of a body.
# shellcheck disable=SC2154
have cc || die "allocations needs a C compiler"
cc -O2 -shared -fPIC -fno-builtin -fno-tree-loop-distribute-patterns -o "$work/count.so" "$root/bench/rest/count.c"
stop_server
COUNT_FILE=$work/counts LD_PRELOAD=$work/count.so start_server "$work/data"

# counted COMMAND…: the server's allocations, allocated bytes and copied bytes while COMMAND runs.
counted() {
  local before after
  before=$(od -An -tu8 -w24 "$work/counts")
  "$@" >/dev/null
  after=$(od -An -tu8 -w24 "$work/counts")
  printf '%s %s\n' "$before" "$after" | awk '{ print $4 - $1, $5 - $2, $6 - $3 }'
}

load_briefly() { wrk -t1 -c8 -d3s -s "$root/bench/rest/requests.lua" "http://127.0.0.1:$port" >"$work/wrk"; }
printf 'allocations a request (malloc, calloc, realloc), warm, log at its default\n'
for kind in key list search insert bulk rpc; do
  export KIND=$kind
  wrk -t1 -c8 -d2s -s "$root/bench/rest/requests.lua" "http://127.0.0.1:$port" >/dev/null
  measured=$(counted load_briefly)
  requests=$(awk '/requests in/ { print $1 }' "$work/wrk")
  printf '%s %s\n' "$measured" "$requests" |
    awk -v kind="$kind" '{ printf "  %-8s %6.1f allocations of %8.0f bytes\n", kind, $1 / $4, $2 / $4 }'
done
stop_server
start_alone env COUNT_FILE="$work/counts" LD_PRELOAD="$work/count.so"
curl -fsS "$alone_url/bench_readings?limit=10" >/dev/null
measured=$(counted curl -fsS -o "$work/answer" "$alone_url/bench_readings")
size=$(wc -c <"$work/answer")
printf '%s %s\n' "$measured" "$size" |
  awk '{ printf "  a long answer of %.0f MB: each byte is copied %.2f times within the server (copies of 1 kB and more; the kernel copies it in and out)\n", $4 / 1e6, $3 / $4 }'
make_rows json >"$work/rows.json"
size=$(wc -c <"$work/rows.json")
measured=$(counted insert json)
printf '%s %s\n' "$measured" "$size" |
  awk '{ printf "  an insert of %.0f MB of JSON: each byte is copied %.2f times within the server\n", $4 / 1e6, $3 / $4 }'
stop_alone
