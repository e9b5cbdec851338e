#!/usr/bin/env bash
# Long runs of tests that `make test` runs for a short time:  scripts/soak.sh [fuzz] [gate] [plays] [statements] [kills] [uploads] [queue] [innings] [sockets] [connections]
# Without arguments: all of them. What it prints is also in bench/results/<date>-soak.txt, to be committed.
#   SECONDS_A_TARGET=600  how long each fuzz target runs (needs cargo-fuzz and a nightly compiler; skipped without them)
#   GATE_CASES=5000000  PLAYS_CASES=1200000  REST_SEEDS=200000  DUGOUT_TEST_KILLS=20  DUGOUT_TEST_UPLOAD_KILLS=20  DUGOUT_TEST_QUEUED=10000
#   DUGOUT_TEST_SOCKETS=2000  DUGOUT_TEST_SOAK=3600  realtime's sockets, and the seconds that they come and go
#   DUGOUT_TEST_CONNECTIONS=1000  connections of one tab, one after the other
source "$(dirname "$0")/environment.sh"

[ $# -gt 0 ] || set -- gate plays statements kills uploads queue innings sockets connections fuzz
export SECONDS_A_TARGET=${SECONDS_A_TARGET:-600} GATE_CASES=${GATE_CASES:-5000000} REST_SEEDS=${REST_SEEDS:-200000}
export PLAYS_CASES=${PLAYS_CASES:-1200000}
export DUGOUT_TEST_KILLS=${DUGOUT_TEST_KILLS:-20} DUGOUT_TEST_UPLOAD_KILLS=${DUGOUT_TEST_UPLOAD_KILLS:-20}
export DUGOUT_TEST_QUEUED=${DUGOUT_TEST_QUEUED:-10000}
export DUGOUT_TEST_SOCKETS=${DUGOUT_TEST_SOCKETS:-2000} DUGOUT_TEST_SOAK=${DUGOUT_TEST_SOAK:-3600}
# Each socket is a file here and in the server.
ulimit -n "$(ulimit -H -n)"
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-soak.XXXXXX")
chmod 755 "$work"
export TMPDIR=$work
cleanup() {
  scripts/test-cluster.sh stop "$work/pg"
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
DUGOUT_TEST_DATABASE_URL=$(scripts/test-cluster.sh start "$work/pg")
export DUGOUT_TEST_DATABASE_URL
results=bench/results/$(date -u +%F)-soak.txt
broken=

# told WORDS: prints a line and adds it to the results.
told() { printf '%s\n' "$*" | tee -a "$results"; }

# part NAME REGEX COMMAND…: runs a command; tells how it ended, and the lines of its output that match.
part() {
  local name=$1 lines=$2 begun=$SECONDS outcome=passed
  shift 2
  say "$name"
  if ! "$@" >"$work/log" 2>&1; then
    outcome=FAILED broken="$broken $name"
    tail -n 40 "$work/log"
  fi
  told "$name: $outcome in $((SECONDS - begun)) s"
  grep -E "$lines" "$work/log" | sed 's/^/  /' | tee -a "$results" || true
}

tests() { cargo test --workspace --locked "$@" -- --nocapture; }
innings() {
  cargo test --workspace --locked --no-run &&
    (cd frontend && npm run --silent build && DUGOUT_TEST_PITCHED=9 npx playwright test nine-innings --workers 1)
}
one() { cargo test --workspace --locked --test it -- --nocapture --exact "$1"; }
connections() {
  cargo test --workspace --locked --no-run &&
    (cd frontend && npm run --silent build && DUGOUT_TEST_CONNECTIONS=${DUGOUT_TEST_CONNECTIONS:-1000} npx playwright test realtime --workers 1)
}

told "# scripts/soak.sh $*: $(date -u +%F), $(nproc) cores, commit $(git rev-parse --short HEAD)"
for what in "$@"; do
  case $what in
    gate) part "gate, $GATE_CASES cases" '^GATE_SEED' tests --test gate ;;
    plays) part "plays, $PLAYS_CASES cases" '^test result' tests --test random ;;
    statements) part "statements, $REST_SEEDS seeds" '^\{' tests --test fuzzing ;;
    kills)
      part "kills, $DUGOUT_TEST_KILLS" ' kills$' one faults::kill::acknowledged_writes_survive_kills_under_load
      ;;
    uploads)
      part "uploads, $DUGOUT_TEST_UPLOAD_KILLS kills" ' uploads before ' \
        one faults::uploads::after_a_kill_acknowledged_objects_exist_and_no_partial_ones
      ;;
    queue)
      part "queue, $DUGOUT_TEST_QUEUED requests" ' requests in ' one extensions::net::every_request_of_a_long_queue_is_answered_once
      ;;
    innings) part "nine innings, pitch by pitch" '(passed|failed)' innings ;;
    sockets)
      part "sockets, $DUGOUT_TEST_SOCKETS for $DUGOUT_TEST_SOAK s" ' sockets, ' \
        one faults::sockets::sockets_that_come_and_go_leave_nothing_behind
      ;;
    connections) part "connections, ${DUGOUT_TEST_CONNECTIONS:-1000} of one tab" '(passed|failed)' connections ;;
    fuzz)
      if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
        told 'fuzz: skipped, cargo-fuzz or a nightly compiler is missing'
        continue
      fi
      for fuzzer in $(scripts/fuzz.sh); do
        part "fuzz $fuzzer, $SECONDS_A_TARGET s" '^stat::number_of_executed_units' scripts/fuzz.sh "$fuzzer" "$SECONDS_A_TARGET"
      done
      ;;
    *) die "unknown: $what; there are gate, plays, statements, kills, uploads, queue, innings, sockets, connections and fuzz" ;;
  esac
done
[ -z "$broken" ] || die "not in order:$broken"
