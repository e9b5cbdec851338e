#!/usr/bin/env bash
# Resumable uploads by unmodified clients against `dugout start`: tus-js-client (upload-clients.mjs) and Uppy
# (upload-clients-uppy.mjs). Their packages are installed from npm into a temporary folder, or taken from CLIENTS. DUGOUT names a
# binary to test instead of a release build of this checkout.
source "$(dirname "$0")/environment.sh"
source "$root/scripts/one-server.sh"

binary
workplace uploads
touch "$work/project/supabase/config.toml"
if [ -z "${CLIENTS:-}" ]; then
  CLIENTS=$work/clients
  mkdir "$CLIENTS"
  (cd "$CLIENTS" && npm init -y >/dev/null && npm install --silent --no-audit --no-fund \
    tus-js-client@4.3.1 @uppy/core@6.3.1 @uppy/tus@6.0.0)
fi
export CLIENTS
port=${DUGOUT_CONFORMANCE_PORT:-54381}
serve "$port"
SERVICE_KEY=$(value SERVICE_ROLE_KEY)
export SERVICE_KEY
export BASE=http://127.0.0.1:$port/storage/v1 TMPDIR=$work
status=0
for suite in upload-clients upload-clients-uppy; do
  node "scripts/$suite.mjs" || status=1
done
exit "$status"
