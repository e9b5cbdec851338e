#!/usr/bin/env bash
# A temporary PostgreSQL for one run of the tests; fast, because nothing in it has to survive a crash.
#   start DIR   creates it in DIR, which must not exist, and prints its URL
#   stop DIR    stops it and removes DIR
# Its superuser is supabase_admin, as in the clusters that dugout creates.
# To run a single test by hand:  export DUGOUT_TEST_DATABASE_URL=$(scripts/test-cluster.sh start /tmp/t)
source "$(dirname "$0")/environment.sh"

dir=${2:?"usage: scripts/test-cluster.sh start|stop DIR"}

# PostgreSQL refuses to run as root, so root runs it as an ordinary user.
as_owner() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid "$owner" --regid "$(id -g "$owner")" --clear-groups "$@"
  else
    "$@"
  fi
}
owner=nobody
id postgres >/dev/null 2>&1 && owner=postgres

start() {
  local bin
  bin=$(postgres_binaries)
  mkdir -m 755 "$dir"
  [ "$(id -u)" != 0 ] || chown "$owner" "$dir"
  if ! as_owner test -x "$bin/postgres"; then
    # The checkout lies below a folder that only root may enter.
    cp -R "$(dirname "$bin")" "$dir/postgres"
    bin=$dir/postgres/bin
  fi
  # shellcheck disable=SC2015 # the checkout need not be readable from here on
  cd /
  as_owner "$bin/initdb" -D "$dir/data" -U supabase_admin -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$dir/initdb.log" 2>&1 ||
    die "initdb failed: $(tail -n 3 "$dir/initdb.log")"
  cat >>"$dir/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$dir'
max_connections = 400
max_locks_per_transaction = 256
wal_level = logical
max_wal_senders = 100
max_replication_slots = 100
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
shared_buffers = 128MB
max_wal_size = 1GB
CONF
  as_owner "$bin/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w -t 30 start >/dev/null ||
    die "the test cluster did not start: $(tail -n 5 "$dir/server.log")"
  printf 'postgresql://supabase_admin@%s:5432/postgres\n' "$(printf %s "$dir" | sed 's#/#%2F#g')"
}

stop() {
  local pid_file=$dir/data/postmaster.pid pid
  if [ -f "$pid_file" ]; then
    pid=$(head -n 1 "$pid_file")
    # SIGQUIT: immediate shutdown, because the data is not needed.
    kill -QUIT "$pid" 2>/dev/null || true
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.05
    done
  fi
  rm -rf "$dir"
}

case $1 in
  start) start ;;
  stop) stop ;;
  *) die "usage: scripts/test-cluster.sh start|stop DIR" ;;
esac
