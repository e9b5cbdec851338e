#!/usr/bin/env bash
# Unmodified S3 clients against `dugout start`: boto3 (s3-clients.py), @aws-sdk/client-s3 and client-s3vectors (s3-clients.mjs),
# rclone with FILES files both ways; and the commands of the Supabase CLI about storage. Arguments are names of clients; all without
# any. Packages of npm and PyPI are installed into a temporary folder, or taken from CLIENTS and from python3's own. DUGOUT names a
# binary to test instead of a release build of this checkout.
# s3cmd is not among them: it signs the path without what its host_base has before it, so that Supabase refuses it, too.
source "$(dirname "$0")/environment.sh"
source "$root/scripts/one-server.sh"

[ $# -gt 0 ] || set -- boto3 aws-sdk rclone cli
files=${FILES:-2000}
binary
workplace s3
port=${DUGOUT_CONFORMANCE_PORT:-54391}
mkdir -p "$work/project/supabase/files/deep"
printf 'a file\n' >"$work/project/supabase/files/a.txt"
printf 'a deep file\n' >"$work/project/supabase/files/deep/b.txt"
cat >"$work/project/supabase/config.toml" <<TOML
project_id = "clients"
[api]
port = $port
[db]
port = $((port + 1))
[storage.buckets.seeded]
public = true
objects_path = "./files"
TOML
serve "$port" --dev
S3_ENDPOINT=$(value STORAGE_S3_URL) AWS_ACCESS_KEY_ID=$(value S3_PROTOCOL_ACCESS_KEY_ID) AWS_SECRET_ACCESS_KEY=$(value S3_PROTOCOL_ACCESS_KEY_SECRET)
AWS_REGION=$(value S3_PROTOCOL_REGION)
export S3_ENDPOINT AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION
export TMPDIR=$work HOME=$work

# check NAME COMMAND…: runs it and says whether it succeeded.
passed=0 failed=0
check() {
  local name=$1
  shift
  if "$@" >"$work/said" 2>&1; then
    passed=$((passed + 1))
    printf 'ok %s\n' "$name"
  else
    failed=$((failed + 1))
    printf 'not ok %s: %s\n' "$name" "$(tail -n 5 "$work/said")"
  fi
}

# tally NAME: the checks of a client.
tally() {
  printf '%s: %s of %s\n' "$1" "$passed" "$((passed + failed))"
  [ "$failed" = 0 ] || status=1
  passed=0 failed=0
}

run_boto3() {
  if ! python3 -c 'import boto3' 2>/dev/null; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet boto3
    export PATH=$work/venv/bin:$PATH
  fi
  python3 scripts/s3-clients.py || status=1
}

run_aws-sdk() {
  if [ -z "${CLIENTS:-}" ]; then
    CLIENTS=$work/clients
    mkdir "$CLIENTS"
    (cd "$CLIENTS" && npm init -y >/dev/null && npm install --silent --no-audit --no-fund @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3 \
      @aws-sdk/s3-request-presigner@3 @aws-sdk/s3-presigned-post@3 @aws-sdk/client-s3vectors@3)
  fi
  CLIENTS=$CLIENTS node scripts/s3-clients.mjs || status=1
}

run_rclone() {
  have rclone || die "rclone is missing: apt-get install rclone"
  local n
  # rclone does not start with it, and the endpoint is plain HTTP.
  unset AWS_CA_BUNDLE
  export RCLONE_CONFIG=$work/rclone.conf
  printf '[ours]\ntype = s3\nprovider = Other\nendpoint = %s\naccess_key_id = %s\nsecret_access_key = %s\nregion = %s\n' \
    "$S3_ENDPOINT" "$AWS_ACCESS_KEY_ID" "$AWS_SECRET_ACCESS_KEY" "$AWS_REGION" >"$RCLONE_CONFIG"
  mkdir "$work/there"
  for ((n = 0; n < files; n++)); do
    mkdir -p "$work/there/$((n % 37))"
    head -c $((n * 13 % 5000)) /dev/urandom >"$work/there/$((n % 37))/$n.bin"
  done
  head -c 30000000 /dev/urandom >"$work/there/large.bin"
  check 'mkdir' rclone mkdir ours:rclone
  check "sync of $files files there" rclone sync --transfers 8 "$work/there" ours:rclone
  check 'check' rclone check "$work/there" ours:rclone
  check "sync of $files files back" rclone sync --transfers 8 ours:rclone "$work/back"
  check 'the files are the same' diff -r "$work/there" "$work/back"
  check 'a second sync copies nothing' rclone sync --max-transfer 1 --checksum "$work/there" ours:rclone
  check 'lsf lists all' test "$(rclone lsf -R --files-only ours:rclone | wc -l)" = $((files + 1))
  check 'moveto' rclone moveto ours:rclone/large.bin ours:rclone/moved.bin
  check 'copy between buckets' rclone copyto ours:rclone/moved.bin ours:seeded/moved.bin
  check 'delete of a folder' rclone delete ours:rclone/1
  check 'purge' rclone purge ours:rclone
  check 'the bucket is gone' sh -c '! rclone lsf ours:rclone'
  tally rclone
}

run_cli() {
  local cli=$root/frontend/node_modules/.bin/supabase
  [ -x "$cli" ] || die "the CLI is missing: run scripts/install.sh"
  export SUPABASE_TELEMETRY_DISABLED=1 PATH=$root/frontend/node_modules/.bin:$PATH
  supabase() { "$cli" "$@" --workdir "$work/project"; }
  # shows WORD COMMAND…: succeeds if the command's output contains the word.
  shows() { supabase "${@:2}" | grep -q -- "$1"; }
  check 'seed buckets' supabase seed buckets --local
  check 'ls of the buckets' shows seeded storage ls ss:/// --local --experimental
  check 'ls -r shows the seeded files' shows 'deep/b.txt' storage ls -r ss:///seeded --local --experimental
  check 'cp there' supabase storage cp "$work/project/supabase/files/a.txt" ss:///seeded/copied.txt --local --experimental
  check 'cp back' supabase storage cp ss:///seeded/copied.txt "$work/copied.txt" --local --experimental
  check 'the file is the same' cmp "$work/project/supabase/files/a.txt" "$work/copied.txt"
  check 'cp -r there' supabase storage cp -r "$work/project/supabase/files" ss:///seeded/tree --local --experimental
  check 'mv' supabase storage mv ss:///seeded/copied.txt ss:///seeded/moved.txt --local --experimental
  check 'the file has moved' shows moved.txt storage ls ss:///seeded/ --local --experimental
  check 'rm' supabase storage rm ss:///seeded/moved.txt --local --experimental --yes
  check 'rm -r' supabase storage rm -r ss:///seeded/tree --local --experimental --yes
  check 'the files are gone' sh -c '! '"'$cli'"' storage ls -r ss:///seeded --local --experimental --workdir '"'$work/project'"' | grep -q "moved\|tree"'
  tally 'the CLI'
}

status=0
for client in "$@"; do "run_$client"; done
exit "$status"
