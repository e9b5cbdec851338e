#!/usr/bin/env bash
# PostgREST's own specs, run by ../shared/conformance/postgrest against `dugout rest`. It needs a checkout of PostgREST in
# POSTGREST_CHECKOUT, Python 3.9, and Debian's PostgreSQL 15 with PostGIS for the fixtures. Arguments go to the runner;
# upstream's text never enters this repository: only file, line, configuration, id and result of each case.
source "$(dirname "$0")/environment.sh"

suite=$root/../shared/conformance/postgrest
[ -d "$suite" ] || die "the runner is not there: $suite belongs beside this checkout"
[ -n "${POSTGREST_CHECKOUT:-}" ] || die "say where PostgREST's sources are: POSTGREST_CHECKOUT=/folder make conformance"
have psql || die "psql is missing: apt-get install postgresql-15 postgresql-15-postgis-3"

cargo build --release --bin dugout
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-conformance.XXXXXX")
chmod 755 "$work"
trap '"$suite/pg_start.sh" stop "$work/pg"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
url=$("$suite/pg_start.sh" start "$work/pg" "${DUGOUT_CONFORMANCE_PORT:-54341}")
"$suite/pgrst_conformance.py" "$POSTGREST_CHECKOUT" --db-url "$url" --load-fixtures \
  --server-cmd "exec $root/target/release/dugout rest" --json "$root/target/conformance-postgrest.json" "$@"
