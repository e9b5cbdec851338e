#!/usr/bin/env bash
# supabase-js's own tests of Edge Functions, which run in Deno, against `dugout start --dev`:
#   scripts/conformance-functions.sh SUPABASE-JS    a checkout of supabase/supabase-js
# Its functions are served from that checkout. Its tests name port 54321, which must be free. Their client is supabase-js from npm.
source "$(dirname "$0")/environment.sh"

checkout=${1:?"usage: scripts/conformance-functions.sh SUPABASE-JS"}/packages/core/supabase-js
[ -d "$checkout/test/deno" ] || die "$checkout has no folder test/deno"
deno=${DUGOUT_DENO:-$(ls node_modules/@deno/*/deno 2>/dev/null | head -1)}
[ -x "$deno" ] || die "Deno is missing: run scripts/install.sh, or name it in DUGOUT_DENO"
deno=$(realpath "$deno")
binary

work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-functions.XXXXXX")
# Root runs PostgreSQL as another user.
chmod 755 "$work"
pid=
cleanup() {
  [ -z "$pid" ] || { kill "$pid" 2>/dev/null && wait "$pid"; } || true
  rm -rf "$work"
}
trap cleanup EXIT
mkdir -p "$work/project" "$work/tests"
cp -R "$checkout/supabase" "$work/project/"
cp "$checkout"/test/deno/*.test.ts "$work/tests/"
# The tests import deno.land and esm.sh.
cat >"$work/tests/map.json" <<'MAP'
{ "lock": false, "nodeModulesDir": "none", "imports": {
  "@supabase/supabase-js": "npm:@supabase/supabase-js@2",
  "https://deno.land/std@0.220.1/assert/mod.ts": "./assert.ts" } }
MAP
cat >"$work/tests/assert.ts" <<'ASSERT'
import assert from "node:assert";
export const assertEquals = assert.deepStrictEqual;
export const assertExists = (found: unknown, message?: string) => assert(found !== undefined && found !== null, message);
ASSERT

DUGOUT_DENO=$deno "$dugout" start --dev --port 54321 --project "$work/project" --data-dir "$work/data" >"$work/log" 2>&1 &
pid=$!
for ((tries = 0; tries < 300; tries++)); do
  healthy 54321 && break
  kill -0 "$pid" 2>/dev/null || die "the server ended: $(tail -3 "$work/log")"
  sleep 0.2
done
failed=0
for suite in edge-functions-integration cors-validation cors-http-methods cors-errors; do
  say "$suite"
  (cd "$work/tests" && NO_COLOR=1 DENO_DIR=$work/deno DENO_TLS_CA_STORE=system,mozilla \
    "$deno" test --quiet --allow-all --no-check --config map.json "$suite.test.ts") || failed=1
done
exit $failed
