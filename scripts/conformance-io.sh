#!/usr/bin/env bash
# PostgREST's io tests (pytest: command line, configuration, signals, logs, reloading, replicas) with `dugout rest` as the
# binary. Needs a checkout of PostgREST in POSTGREST_CHECKOUT, Python 3.9, Debian's PostgreSQL 15, nginx and, when run as
# root, the user postgres. Arguments go to pytest. With UPDATE=1 the ids and results replace those in
# crates/dugout/tests/conformance.
source "$(dirname "$0")/environment.sh"

[ -n "${POSTGREST_CHECKOUT:-}" ] || die "say where PostgREST's sources are: POSTGREST_CHECKOUT=/folder scripts/conformance-io.sh"
bin=${DUGOUT_PG_BIN:-/usr/lib/postgresql/15/bin}
[ -x "$bin/pg_basebackup" ] || die "there is no PostgreSQL in $bin: apt-get install postgresql-15, or set DUGOUT_PG_BIN"
have nginx || die "nginx is missing: apt-get install nginx"

binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-io.XXXXXX")
chmod 755 "$work"
mkdir "$work/bin" "$work/replica"
as_owner() { if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres --clear-groups "$@"; else "$@"; fi; }
[ "$(id -u)" != 0 ] || chown postgres "$work" "$work/replica"

# end FOLDER…: stops a cluster immediately, and removes it.
end() {
  for folder; do
    [ ! -d "$folder/data" ] || (cd "$folder" && as_owner "$bin/pg_ctl" -D data stop --mode=immediate >/dev/null) || true
    rm -rf "$folder/data"
  done
}
trap 'end "$work/replica" "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

printf '#!/bin/sh\nexec %q rest "$@"\n' "$dugout" >"$work/bin/postgrest"
chmod 755 "$work/bin/postgrest"
python3 -m venv "$work/python"
# urllib3 before 2: requests-unixsocket supports no later version.
"$work/python/bin/pip" install --quiet pytest syrupy requests requests-unixsocket 'urllib3<2' pyjwt pyyaml
export PATH=$work/bin:$bin:$PATH PGHOST=$work PGUSER=Postgrest_Test_Authenticator PGDATABASE=postgres PGTZ=utc
export PGOPTIONS='-c search_path=public,test'
sql() { psql -q -U postgres -v ON_ERROR_STOP=1 -v PGUSER="$PGUSER" "$@" >/dev/null; }

# serve FOLDER SETTINGS: starts the cluster in FOLDER.
serve() {
  (cd "$1" && as_owner "$bin/pg_ctl" -D data -l log -w -o "-F -k $1 -c hba_file=$work/hba $2" start >/dev/null)
}

# primary FIXTURES: creates a cluster with these fixtures, as upstream's own scripts do.
primary() {
  end "$work"
  as_owner env TZ=utc "$bin/initdb" -D "$work/data" --no-locale --encoding=UTF8 --no-sync -U postgres --auth=trust >/dev/null
  printf '%s\n' "local $PGDATABASE some_protected_user password" "local all all trust" "local replication all trust" >"$work/hba"
  serve "$work" "-c listen_addresses= -c autovacuum=off -c shared_preload_libraries=pg_stat_statements"
  createuser -U postgres --no-inherit --login "$PGUSER"
  if [ "${2:-}" = replica ]; then
    export PGREPLICASLOT=replica_1 PGREPLICAHOST=$work/replica
    (cd "$work" && as_owner "$bin/pg_basebackup" -h "$work" -U postgres -X stream -C -S "$PGREPLICASLOT" -R -D "$work/replica/data")
    serve "$work/replica" "-c listen_addresses= -c max_standby_streaming_delay=3s"
  fi
  sql -f "$POSTGREST_CHECKOUT/test/io/fixtures/$1"
  sql -c 'vacuum analyze'
}

# tests NAME FILES AND OPTIONS…: runs these tests in the checkout.
tests() {
  local name=$1
  shift
  (cd "$POSTGREST_CHECKOUT" && "$work/python/bin/pytest" -q -p no:cacheprovider --junit-xml "$work/$name.xml" --tb="${TB:-no}" "$@") || status=1
}

status=0
io=test/io
primary load.sql
tests io "$io" --ignore=$io/test_big_schema.py --ignore=$io/test_replica.py "$@"
primary big_schema.sql
tests big "$io/test_big_schema.py" "$@"
primary replica.sql replica
tests replica "$io/test_replica.py" "$@"

python3 - "$work" >"$work/results" <<'PYTHON'
import glob, json, sys, xml.etree.ElementTree as xml
rows = []
for file in glob.glob(sys.argv[1] + "/*.xml"):
    for case in xml.parse(file).iter("testcase"):
        result = next((word for word in ("failure", "error", "skipped") if case.find(word) is not None), "pass")
        rows.append((case.get("classname").removeprefix("test.io."), case.get("name"), result))
for file, name, result in sorted(rows):
    print(json.dumps({"file": file, "id": name, "result": result}))
PYTHON
[ "${UPDATE:-}" != 1 ] || cp "$work/results" "$root/crates/dugout/tests/conformance/postgrest-io.jsonl"
printf '%s of %s passed\n' "$(grep -c '"pass"' "$work/results")" "$(wc -l <"$work/results")"
exit "$status"
