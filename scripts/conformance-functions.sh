#!/usr/bin/env bash
# supabase-js's own tests of Edge Functions, which run in Deno, against `dugout start --dev`:
#   scripts/conformance-functions.sh SUPABASE-JS    a checkout of supabase/supabase-js
# Its functions are served from that checkout. Its tests name port 54321, which must be free. Their client is supabase-js from npm.
source "$(dirname "$0")/environment.sh"
source "$root/scripts/one-server.sh"

checkout=${1:?"usage: scripts/conformance-functions.sh SUPABASE-JS"}/packages/core/supabase-js
[ -d "$checkout/test/deno" ] || die "$checkout has no folder test/deno"
deno=${DUGOUT_DENO:-$(find node_modules/@deno -maxdepth 2 -name deno 2>/dev/null | head -n 1)}
[ -x "$deno" ] || die "Deno is missing: run scripts/install.sh, or name it in DUGOUT_DENO"
deno=$(realpath "$deno")
binary

workplace functions
mkdir -p "$work/tests"
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

serve 54321 "DUGOUT_DENO=$deno" --dev
failed=0
for suite in edge-functions-integration cors-validation cors-http-methods cors-errors; do
  say "$suite"
  (cd "$work/tests" && NO_COLOR=1 DENO_DIR=$work/deno DENO_TLS_CA_STORE=system,mozilla \
    "$deno" test --quiet --allow-all --no-check --config map.json "$suite.test.ts") || failed=1
done
exit $failed
