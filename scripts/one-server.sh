# shellcheck shell=bash
# Sourced by the suites that run against one `dugout start`: the server, its folder, and what `dugout status` says of it.
server=

# workplace NAME: sets work to a new folder with an empty project. It is removed at the end of the script, after the server.
workplace() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-$1.XXXXXX")
  # Root runs PostgreSQL as another user, who must be able to pass here.
  chmod 755 "$work"
  mkdir -p "$work/project/supabase"
  trap leave_workplace EXIT
  trap 'exit 130' INT TERM
}

leave_workplace() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait
  rm -rf "$work"
}

# serve PORT [NAME=VALUE…] [ARGUMENTS…]: starts the server on PORT, with PostgreSQL on the next one, and waits until it answers.
serve() {
  local port=$1 variables=()
  shift
  while [[ ${1:-} == [A-Z]*=* ]]; do
    variables+=("$1")
    shift
  done
  # shellcheck disable=SC2154 # `binary` sets dugout
  env "${variables[@]}" "$dugout" start --project "$work/project" --port "$port" --db-port $((port + 1)) \
    --data-dir "$work/data" "$@" >"$work/server.log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    if healthy "$port"; then return; fi
    kill -0 "$server" 2>/dev/null || die "the server ended: $(tail -n 5 "$work/server.log")"
    sleep 0.2
  done
  die "the server does not answer: $(tail -n 5 "$work/server.log")"
}

# value NAME: what `dugout status` prints under NAME.
value() { "$dugout" status -o env --data-dir "$work/data" | sed -n "s/^$1=\"\(.*\)\"\$/\1/p"; }
