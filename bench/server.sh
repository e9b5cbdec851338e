# shellcheck shell=bash
# Sourced by first-light.sh: starts a server to measure, and reads its numbers from /proc.
server=
port=

# start_server DATA_DIR [ARGUMENTS…]: starts a server and waits for the first 200; sets server (pid), port and started_in (s).
# It serves this project, unless `project` names another.
start_server() {
  local data=$1 begun
  shift
  port=$((20000 + RANDOM % 12000))
  begun=$EPOCHREALTIME
  # shellcheck disable=SC2154 # set by the script that sources this
  "$dugout" start --port "$port" --data-dir "$data" --project "${project:-$root}" "$@" >>"$work/server.log" 2>&1 &
  server=$!
  until healthy "$port"; do
    kill -0 "$server" 2>/dev/null || die "the server ended: $(tail -n 5 "$work/server.log")"
    sleep 0.005
  done
  # shellcheck disable=SC2034
  started_in=$(awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.3f\n", b - a }')
}

stop_server() {
  [ -n "$server" ] || return 0
  kill -TERM "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=
}

# The PostgreSQL processes below a pid, one per line.
postgres_of() {
  local child
  cat "/proc/$1"/task/*/children 2>/dev/null | tr ' ' '\n' | while read -r child; do
    [ -n "$child" ] || continue
    printf '%s\n' "$child"
    postgres_of "$child"
  done
}

# Proportional set size in kB: shared pages count once, divided among the processes that share them.
pss() { awk '/^Pss:/ { print $2 }' "/proc/$1/smaps_rollup"; }
pss_of_all() {
  local pid
  while read -r pid; do pss "$pid"; done | awk '{ sum += $1 } END { print sum }'
}
megabytes() { awk '{ printf "%.0f", $1 / 1024 }'; }

# CPU time in microseconds that the pids on stdin have used so far.
cpu_of_all() {
  local pid
  while read -r pid; do
    # The name in parentheses may contain spaces, so fields are counted after it.
    sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null || true
  done | awk -v tick="$(getconf CLK_TCK)" '{ sum += $12 + $13 } END { printf "%.0f\n", sum * 1000000 / tick }'
}
