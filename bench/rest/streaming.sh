# shellcheck shell=bash
# Sourced by rest.sh: the server's memory use for a response of 100,000 rows.
# shellcheck disable=SC2154
start_alone env
read_fast() { curl -fsS -o "$work/answer" "$alone_url/bench_readings"; }
read_slowly() { curl -fsS --limit-rate 4M -o "$work/answer" "$alone_url/bench_readings"; }
read_eight() {
  local pids='' _
  for _ in 1 2 3 4 5 6 7 8; do
    curl -fsS -o /dev/null "$alone_url/bench_readings" &
    pids="$pids $!"
  done
  # shellcheck disable=SC2086
  wait $pids
}
fast=$(for _ in 1 2 3; do extra read_fast; done | median)
slow=$(extra read_slowly)
eight=$(extra read_eight)
printf '100,000 rows, %s MB of JSON: %s kB of extra server memory at most; read at 4 MB/s %s kB; eight at once %s kB (goal under 32 MB)\n' \
  "$(wc -c <"$work/answer" | awk '{ printf "%.0f", $1 / 1e6 }')" "$fast" "$slow" "$eight"
stop_alone
