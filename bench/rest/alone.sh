# shellcheck shell=bash
# Sourced by rest.sh: `dugout rest` beside the server, on the same PostgreSQL without a row limit, and its memory use.
# shellcheck disable=SC2154
alone=
alone_url=

# start_alone [COMMAND…]: starts it (through COMMAND, such as env A=B) and waits until it answers.
start_alone() {
  local at=$((20000 + RANDOM % 12000))
  alone_url=http://127.0.0.1:$at
  [ -n "$server" ] || start_server "$work/data"
  PGRST_DB_URI=$authenticator PGRST_DB_SCHEMAS=public PGRST_DB_ANON_ROLE=anon PGRST_SERVER_HOST=127.0.0.1 \
    PGRST_SERVER_PORT=$at PGRST_DB_PRE_REQUEST=public.bench_patience "$@" "$dugout" rest >>"$work/rest.log" 2>&1 &
  alone=$!
  until curl -fsS "$alone_url/bench_people?limit=1" >/dev/null 2>&1; do
    kill -0 "$alone" 2>/dev/null || die "the data API ended: $(tail -n 5 "$work/rest.log")"
    sleep 0.05
  done
}

stop_alone() {
  [ -n "$alone" ] || return 0
  kill -TERM "$alone" 2>/dev/null || true
  wait "$alone" 2>/dev/null || true
  alone=
}

# of_status NAME: a value of its /proc status, in kB.
of_status() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$alone/status"; }

# extra COMMAND…: the largest growth of its memory while COMMAND ran, in kB.
extra() {
  local before
  before=$(of_status VmRSS)
  printf 5 >"/proc/$alone/clear_refs"
  "$@" >&2
  printf '%s\n' "$(($(of_status VmHWM) - before))"
}

# make_rows json|csv: writes 50 MB of rows.
make_rows() {
  awk -v form="$1" 'BEGIN {
    text = "a line in the log that is about as long as such lines are when nobody has thought about it much";
    if (form == "csv") print "item,text"; else printf "[";
    rows = form == "csv" ? 480000 : 410000;
    for (n = 1; n <= rows; n++)
      if (form == "csv") printf "%d,%s\n", n, text;
      else printf "%s{\"item\":%d,\"text\":\"%s\"}", (n > 1 ? "," : ""), n, text;
    if (form != "csv") printf "]";
  }'
}

# insert json|csv: sends one request with all rows.
insert() {
  local type=application/json
  [ "$1" = csv ] && type=text/csv
  curl -fsS "$alone_url/bench_log" -H "content-type: $type" -H 'prefer: return=minimal' --data-binary "@$work/rows.$1"
}
