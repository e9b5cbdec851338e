#!/usr/bin/env bash
# Two suites of upstream's against /storage/v1 of `dugout start`: the acceptance suite of supabase/storage and the tests of storage-js that
# talk to a server, run by ../shared/conformance/storage. It needs checkouts in STORAGE_CHECKOUT and SUPABASE_JS_CHECKOUT. Arguments
# are names of suites; both without any. With UPDATE=1 the results replace those in crates/dugout/tests/conformance: file, name
# and result of each test, nothing of its text. ENABLE names the parts of the acceptance suite that are switched on.
# DUGOUT names a binary to test instead of a release build of this checkout.
source "$(dirname "$0")/environment.sh"
source "$root/scripts/one-server.sh"

suite=$root/../shared/conformance/storage
[ -d "$suite" ] || die "the runner is not there: $suite belongs beside this checkout"
have psql || die "psql is missing: apt-get install postgresql-client"

binary
workplace storage
port=${DUGOUT_CONFORMANCE_PORT:-54361}
touch "$work/project/supabase/config.toml"
# Stands for the server that purges a CDN's caches.
node -e 'require("http").createServer((_, answer) => answer.writeHead(204).end()).listen(Number(process.argv[1]), "127.0.0.1")' \
  $((port + 2)) &
cdn=$!
trap 'kill "$cdn" 2>/dev/null || true; leave_workplace' EXIT
serve "$port" CDN_PURGE_ENDPOINT_URL=http://127.0.0.1:$((port + 2)) S3_PROTOCOL_ACCESS_KEY_ID=conformance S3_PROTOCOL_ACCESS_KEY_SECRET=conformance-secret
SERVICE_KEY=$(value SERVICE_ROLE_KEY) ANON_KEY=$(value ANON_KEY)
export SERVICE_KEY ANON_KEY
# A user's token, for the policies of seed-rls.sql.
# shellcheck disable=SC2016 # a template of JavaScript
AUTHENTICATED_KEY=$(node -e '
  const { createHmac } = require("crypto"), text = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const now = Math.floor(Date.now() / 1000), sub = "317eadce-631a-4429-a0bb-f19a7a517b4a"
  const body = `${text({ alg: "HS256", typ: "JWT" })}.${text({ role: "authenticated", aud: "authenticated", sub, iat: now, exp: now + 7200 })}`
  console.log(`${body}.${createHmac("sha256", process.argv[1]).update(body).digest("base64url")}`)' "$(value JWT_SECRET)")
export AUTHENTICATED_KEY
psql -qX -v ON_ERROR_STOP=1 "$(value DB_URL)" -f "$suite/seed-rls.sql"

status=0
# keep REPORT NAME: one line a test, sorted.
keep() {
  [ "${UPDATE:-}" = 1 ] || return 0
  python3 - "$1" >"$root/crates/dugout/tests/conformance/$2.jsonl" <<'PYTHON'
import json, os, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
rows = [
    {"file": os.path.basename(file["name"]), "id": " › ".join([*test["ancestorTitles"], test["title"]]), "result": test["status"]}
    for file in report["testResults"]
    for test in file["assertionResults"]
]
for row in sorted(rows, key=lambda row: (row["file"], row["id"])):
    print(json.dumps(row, ensure_ascii=False))
PYTHON
}
base=http://127.0.0.1:$port/storage/v1
wanted=" ${*:-acceptance storage-js} "
if [[ $wanted == *" acceptance "* ]]; then
  [ -n "${STORAGE_CHECKOUT:-}" ] || die "say where supabase/storage's sources are: STORAGE_CHECKOUT=/folder $0"
  ENABLE=${ENABLE-tus wire rls render cdn vector} STORAGE_BACKEND=file S3_ACCESS_KEY_ID=conformance \
    S3_SECRET_ACCESS_KEY=conformance-secret "$suite/run.sh" "$STORAGE_CHECKOUT" "$base" --json "$work/acceptance.json" || status=1
  keep "$work/acceptance.json" storage-acceptance
fi
if [[ $wanted == *" storage-js "* ]]; then
  [ -n "${SUPABASE_JS_CHECKOUT:-}" ] || die "say where supabase-js's sources are: SUPABASE_JS_CHECKOUT=/folder $0"
  # Upstream's seed has this bucket with these values, which a snapshot shows.
  psql -qX -v ON_ERROR_STOP=1 "$(value DB_URL)" <<'SQL'
update storage.buckets set owner = '4d56e902-f0a0-4662-8448-a4d9e643c142', created_at = '2021-02-17T04:43:32.77Z',
  updated_at = '2021-02-17T04:43:32.77Z' where id = 'bucket2';
SQL
  mkdir -p "$work/storage-js"
  WORKDIR=${STORAGE_JS_WORKDIR:-$work/storage-js} "$suite/run-storage-js.sh" "$SUPABASE_JS_CHECKOUT" "$base" || status=1
  keep "${STORAGE_JS_WORKDIR:-$work/storage-js}/results.json" storage-js
fi
exit "$status"
