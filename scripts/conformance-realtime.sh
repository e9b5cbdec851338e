#!/usr/bin/env bash
# The end-to-end check of supabase/realtime against /realtime/v1 of `dugout start --dev`, run by ../shared/conformance/realtime. It
# needs a checkout in REALTIME_CHECKOUT, and npm for Bun and the check's packages (REALTIME_CHECK_DIR keeps them). Arguments are
# names of the check's categories; `functional` and `load` without any. With UPDATE=1 the results replace those in
# crates/dugout/tests/conformance: category, name and result of each test, nothing of its text. DUGOUT names a binary to test
# instead of a release build of this checkout.
#
# One load test looks up when it sent a row by the row's id, which it has only after the data API's answer. A change that arrives
# before that answer counts as lost.
source "$(dirname "$0")/environment.sh"
source "$root/scripts/one-server.sh"

suite=$root/../shared/conformance/realtime
[ -d "$suite" ] || die "the runner is not there: $suite belongs beside this checkout"
[ -n "${REALTIME_CHECKOUT:-}" ] || die "say where realtime's sources are: REALTIME_CHECKOUT=/folder $0"

binary
workplace realtime
port=${DUGOUT_CONFORMANCE_PORT:-54381}
mkdir -p "${REALTIME_CHECK_DIR:-$work/check}"
printf '[auth.email]\nenable_confirmations = false\n' >"$work/project/supabase/config.toml"
# The load tests send more than the hundred messages a second of the default.
serve "$port" TENANT_MAX_EVENTS_PER_SECOND=0 --dev
SERVICE_KEY=$(value SERVICE_ROLE_KEY) ANON_KEY=$(value ANON_KEY) WORKDIR=${REALTIME_CHECK_DIR:-$work/check}
export SERVICE_KEY ANON_KEY WORKDIR

status=0
categories=${*:-functional load}
"$suite/run-check.sh" "$REALTIME_CHECKOUT" "http://127.0.0.1:$port" "$(value DB_URL)" --test "${categories// /,}" \
  --json "$work/result.json" || status=$?
[ "${UPDATE:-}" != 1 ] ||
  python3 - "$work/result.json" >"$root/crates/dugout/tests/conformance/realtime-check.jsonl" <<'PYTHON'
import json, sys
suites = json.load(open(sys.argv[1], encoding="utf-8"))["suites"]
for name, suite in suites.items():
    for test in suite["tests"]:
        row = {"file": name, "id": test["name"], "result": "passed" if test["passed"] else "failed"}
        print(json.dumps(row, ensure_ascii=False))
PYTHON
exit "$status"
