#!/usr/bin/env bash
# The client test suites of supabase-js, run by ../shared/conformance/clients: auth-js behind /auth/v1 of `dugout start` and
# against `dugout auth` alone, postgrest-js, and supabase-js with both. Arguments are names of suites; without any, all of
# them run. Needs a checkout of supabase-js in SUPABASE_JS_CHECKOUT. With UPDATE=1 the results replace those in
# crates/dugout/tests/conformance: file, name and result of each test that talks to the server, without the tests' text.
source "$(dirname "$0")/environment.sh"

suite=$root/../shared/conformance/clients
[ -d "$suite" ] || die "the runner is not there: $suite belongs beside this checkout"
[ -n "${SUPABASE_JS_CHECKOUT:-}" ] || die "say where supabase-js's sources are: SUPABASE_JS_CHECKOUT=/folder $0"

binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-clients.XXXXXX")
chmod 755 "$work"
export TMPDIR=${TMPDIR:-/tmp}
pids=()
finish() {
  [ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

first=${DUGOUT_CONFORMANCE_PORT:-54351}
origin=$first database=$((first + 1)) alone=$((first + 2))
confirm=$((first + 3)) autoconfirm=$((first + 4)) disabled=$((first + 5)) asymmetric=$((first + 6)) behind=$((first + 7))
secret=super-secret-jwt-token-with-at-least-32-characters-long
minted=$("$suite/run.sh" mint --jwt-secret "$secret")
key_anon=$(sed -n 's/^anon=//p' <<<"$minted")
key_service_role=$(sed -n 's/^service_role=//p' <<<"$minted")
"$suite/run.sh" keys --out "$work/keys.json" >/dev/null

# The settings of upstream's own configuration for these tests (packages/core/auth-js/test/supabase/config.toml).
# shellcheck disable=SC2054 # the commas are in the values
common=(
  GOTRUE_SITE_URL=http://127.0.0.1:3000
  GOTRUE_URI_ALLOW_LIST=https://127.0.0.1:3000,http://localhost:5173
  "GOTRUE_JWT_SECRET=$secret" GOTRUE_JWT_EXP=3600 GOTRUE_JWT_AUD=authenticated
  GOTRUE_JWT_ADMIN_ROLES=service_role,supabase_admin GOTRUE_JWT_DEFAULT_GROUP_NAME=authenticated
  GOTRUE_MAILER_AUTOCONFIRM=true GOTRUE_MAILER_OTP_EXP=3600 GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED=true
  GOTRUE_SMTP_MAX_FREQUENCY=1s GOTRUE_EXTERNAL_EMAIL_ENABLED=true
  GOTRUE_EXTERNAL_PHONE_ENABLED=true GOTRUE_SMS_AUTOCONFIRM=true GOTRUE_SMS_TEST_OTP=1234567890:123456
  GOTRUE_SMS_MAX_FREQUENCY=1s GOTRUE_SMS_PROVIDER=twilio GOTRUE_SMS_TWILIO_ACCOUNT_SID=AC0 GOTRUE_SMS_TWILIO_AUTH_TOKEN=x
  GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID=MG0
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED=true GOTRUE_SECURITY_MANUAL_LINKING_ENABLED=false
  GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED=true GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL=10
  GOTRUE_MFA_TOTP_ENROLL_ENABLED=true GOTRUE_MFA_TOTP_VERIFY_ENABLED=true
  GOTRUE_MFA_PHONE_ENROLL_ENABLED=true GOTRUE_MFA_PHONE_VERIFY_ENABLED=true
  GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED=true GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED=true
  GOTRUE_PASSKEY_ENABLED=true GOTRUE_WEBAUTHN_RP_ID=localhost "GOTRUE_WEBAUTHN_RP_DISPLAY_NAME=auth-js tests"
  GOTRUE_WEBAUTHN_RP_ORIGINS=http://localhost:5173
  GOTRUE_EXTERNAL_GOOGLE_ENABLED=true GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID=id GOTRUE_EXTERNAL_GOOGLE_SECRET=secret
  GOTRUE_OAUTH_SERVER_ENABLED=true GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION=true
  GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH=/oauth/consent GOTRUE_CUSTOM_OAUTH_ENABLED=true
)
for class in EMAIL_SENT SMS_SENT; do common+=("GOTRUE_RATE_LIMIT_$class=100000"); done
for class in TOKEN_REFRESH ANONYMOUS_USERS VERIFY OTP; do common+=("GOTRUE_RATE_LIMIT_$class=100000"); done

# serve LOG COMMAND: runs COMMAND in the background; NAME=VALUE settings may precede it.
serve() {
  local log=$work/$1.log
  shift
  env "${common[@]}" "$@" >"$log" 2>&1 &
  pids+=($!)
}
# ready URL LOG: waits until URL answers.
ready() {
  for _ in $(seq 300); do
    ! curl -fsS -o /dev/null "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  die "nothing answers at $1: $(tail -n 5 "$work/$2.log")"
}

keys="GOTRUE_JWT_KEYS=$(cat "$work/keys.json")"
mkdir -p "$work/project/supabase"
cp "$work/keys.json" "$work/project/supabase/signing_keys.json"
cat >"$work/project/supabase/config.toml" <<'TOML'
[api]
schemas = ["public", "personal", "graphql_public"]
[auth]
signing_keys_path = "./signing_keys.json"
TOML
serve origin "$dugout" start --project "$work/project" --port "$origin" --db-port "$database" --data-dir "$work/data"
ready "http://127.0.0.1:$origin/health" origin
database_url=$("$dugout" status -o env --data-dir "$work/data" | sed -n 's/^DB_URL="\(.*\)"$/\1/p')
# Fixtures need a superuser, who connects by the socket.
socket=$(find "$work/data" -name dugout.conf -exec sed -n "s/^unix_socket_directories = '\"\(.*\)\"'$/\1/p" {} +)
superuser_url="postgresql:///postgres?host=$socket&port=$database&user=supabase_admin"

# alone NAME PORT SETTINGS: starts `dugout auth` over the same database.
alone() {
  local name=$1 port=$2
  shift 2
  serve "$name" "DATABASE_URL=$database_url" "PORT=$port" "API_EXTERNAL_URL=http://127.0.0.1:$port" "$@" "$dugout" auth
  ready "http://127.0.0.1:$port/health" "$name"
}
alone alone "$alone" "$keys"
# The suite requests two codes within a second for an unknown number, which we limit like those for a known one.
alone confirm "$confirm" GOTRUE_MAILER_AUTOCONFIRM=false GOTRUE_SMS_AUTOCONFIRM=false GOTRUE_SMS_MAX_FREQUENCY=1ns \
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED=false
alone autoconfirm "$autoconfirm"
alone disabled "$disabled" GOTRUE_DISABLE_SIGNUP=true GOTRUE_EXTERNAL_PHONE_ENABLED=false GOTRUE_EXTERNAL_EMAIL_ENABLED=false
alone asymmetric "$asymmetric" "$keys"
# auth-js expects the API below /auth/v1, as behind a gateway.
node -e '
  const http = require("http"), [port, target] = process.argv.slice(1)
  http.createServer((request, response) => {
    const path = request.url.replace(/^\/auth\/v1/, "") || "/"
    const onward = http.request({ port: target, host: "127.0.0.1", path, method: request.method, headers: request.headers },
      (answer) => { response.writeHead(answer.statusCode, answer.rawHeaders); answer.pipe(response) })
    onward.on("error", () => response.destroy())
    request.pipe(onward)
  }).listen(port, "127.0.0.1")' "$behind" "$alone" &
pids+=($!)

status=0
# run NAME SUITE OPTIONS
run() {
  local name=$1 which=$2
  shift 2
  "$suite/run.sh" "$which" --checkout "$SUPABASE_JS_CHECKOUT" --anon-key "$key_anon" --service-key "$key_service_role" \
    --jwt-secret "$secret" --db-url "$superuser_url" "$@" || status=1
  [ "${UPDATE:-}" != 1 ] ||
    "$root/scripts/conformance_clients.py" "$TMPDIR/supabase-conformance" "$which" >"$root/crates/dugout/tests/conformance/$name.jsonl"
}
wanted=" ${*:-auth-js auth-js-alone auth-js-instances supabase-js postgrest-js} "
[[ $wanted != *" auth-js "* ]] ||
  run auth-js auth-js --url "http://127.0.0.1:$origin" --signing-keys "$work/keys.json" --messages
[[ $wanted != *" auth-js-alone "* ]] ||
  run auth-js-alone auth-js --url "http://127.0.0.1:$behind" --signing-keys "$work/keys.json"
[[ $wanted != *" auth-js-instances "* ]] ||
  run auth-js-instances auth-js-instances --auth-url-confirm "http://127.0.0.1:$confirm" \
    --auth-url-autoconfirm "http://127.0.0.1:$autoconfirm" --auth-url-disabled "http://127.0.0.1:$disabled" \
    --auth-url-asymmetric "http://127.0.0.1:$asymmetric" --messages
if [[ $wanted == *" supabase-js "* ]]; then
  run supabase-js supabase-js --url "http://127.0.0.1:$origin" --messages
fi
if [[ $wanted == *" postgrest-js "* ]]; then
  # One test expects the settings of Supabase's own PostgreSQL image.
  psql -qX -v ON_ERROR_STOP=1 "$superuser_url" <<'SQL'
alter role authenticator set effective_cache_size = '128MB';
alter role authenticator set jit = on;
select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator' \g /dev/null
SQL
  run postgrest-js postgrest-js --url "http://127.0.0.1:$origin" --messages
fi
exit "$status"
