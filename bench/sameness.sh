#!/usr/bin/env bash
# Do times reveal whether an address has an account (check 13)?  bench/sameness.sh [SAMPLES]
# What can be counted is counted in a test (auth::sameness): answers, statements and hashes. Times are for people to judge:
# on a busy machine they say little.
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

dugout=${DUGOUT:-$root/target/release/dugout}
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-sameness.XXXXXX")
chmod 755 "$work"
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Addresses wait for confirmation, and no limit that a client would meet stands in the way.
for limit in TOKEN_REFRESH OTP EMAIL_SENT VERIFY; do export "GOTRUE_RATE_LIMIT_$limit=1000000000"; done
export GOTRUE_MAILER_AUTOCONFIRM=false GOTRUE_SMTP_MAX_FREQUENCY=1ns
start_server "$work/data"
eval "$("$dugout" status -o env --data-dir "$work/data")"
sleep 3
printf '%s, %s cores, commit %s\n' "$(date -u +%F)" "$(nproc)" "$(git -C "$root" rev-parse --short HEAD)"
node "$root/bench/auth/sameness.mjs" "http://127.0.0.1:$port/auth/v1" "$ANON_KEY" "$SERVICE_ROLE_KEY" "${1:-400}"
