#!/usr/bin/env bash
# PostgREST's own specs, run by ../shared/conformance/postgrest against `dugout rest`. Needs a checkout of PostgREST in
# POSTGREST_CHECKOUT, Python 3.9, and Debian's PostgreSQL 15 with PostGIS for the fixtures. Arguments go to the runner.
# Upstream's text never enters this repository: only file, line, configuration, id and result of each case.
# DUGOUT names a binary to test instead of a release build of this checkout.
# The specs run twice: all of them with rollback, as the suite expects, and those that only read with commit and the hot lane
# forced, because the hot lane never takes requests that are rolled back. With UPDATE=1 both results replace those in
# crates/dugout/tests/conformance.
source "$(dirname "$0")/environment.sh"

suite=$root/../shared/conformance/postgrest
[ -d "$suite" ] || die "the runner is not there: $suite belongs beside this checkout"
[ -n "${POSTGREST_CHECKOUT:-}" ] || die "say where PostgREST's sources are: POSTGREST_CHECKOUT=/folder make conformance"
have psql || die "psql is missing: apt-get install postgresql-15 postgresql-15-postgis-3"

binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-conformance.XXXXXX")
chmod 755 "$work"
trap '"$suite/pg_start.sh" stop "$work/pg"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
url=$("$suite/pg_start.sh" start "$work/pg" "${DUGOUT_CONFORMANCE_PORT:-54341}")
results=$target/conformance-postgrest.json hot_results=$target/conformance-postgrest-hot.json
status=0
"$suite/pgrst_conformance.py" "$POSTGREST_CHECKOUT" --db-url "$url" --load-fixtures \
  --server-cmd "exec $dugout rest" --json "$results" "$@" || status=1

# The suite's usual db-pre-request function would keep every request off the hot lane; the cases about it set their own.
# shellcheck disable=SC2016 # expanded by the runner's shell
hot='[ "$PGRST_DB_PRE_REQUEST" != test.switch_role ] || export PGRST_DB_PRE_REQUEST=
  export PGRST_DB_TX_END=commit-allow-override DUGOUT_REST_LANE=hot'
"$root/scripts/conformance_reads.py" "$suite/pgrst_conformance.py" "$POSTGREST_CHECKOUT" --db-url "$url" --load-fixtures \
  --server-cmd "$hot; exec $dugout rest" --json "$hot_results" "$@" || status=1

# keep RESULTS FILE: one line per case, sorted.
keep() {
  python3 - "$1" >"$2" <<'PYTHON'
import json, sys
cases = json.load(open(sys.argv[1], encoding="utf-8"))["cases"]
keys = ("file", "line", "config", "id", "result")
lines = (json.dumps({key: case[key] for key in keys}) for case in sorted(cases, key=lambda case: [case[key] for key in keys]))
print("\n".join(lines))
PYTHON
}
if [ "${UPDATE:-}" = 1 ]; then
  keep "$results" "$root/crates/dugout/tests/conformance/postgrest.jsonl"
  keep "$hot_results" "$root/crates/dugout/tests/conformance/postgrest-hot.jsonl"
fi
exit "$status"
