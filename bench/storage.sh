#!/usr/bin/env bash
# Benchmarks of storage:  bench/storage.sh [reads] [lists] [writes] [memory] [images]
# Without arguments: all. Ours is the storage of `dugout start` with its default settings. Beside it runs the real storage-api, on a
# database of its own in the same PostgreSQL, where STORAGE_CHECKOUT names a checkout of supabase/storage with its packages (npm ci
# --ignore-scripts) and NODE a Node 24. Figures are medians.
#   DUGOUT=…                 measures this binary instead of a release build of this checkout
#   RUNS=3 SECONDS_EACH=5    the number of runs that the medians are of, and the seconds of each
#   OBJECTS=1000000          the size of the large bucket
#   UPLOADS=200 UPLOAD_MB=100   how many uploads come at once, and how long each is
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

[ $# -gt 0 ] || set -- reads lists writes memory images
for program in wrk psql curl node npm; do have "$program" || die "$program is missing: apt-get install wrk postgresql-client curl nodejs npm"; done
binary
runs=${RUNS:-3} each=${SECONDS_EACH:-5} objects=${OBJECTS:-1000000} uploads=${UPLOADS:-200} upload_mb=${UPLOAD_MB:-100}
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-bench.XXXXXX")
chmod 755 "$work"
theirs=
finish() {
  if [ -n "$theirs" ]; then kill "$theirs" 2>/dev/null || true; wait "$theirs" 2>/dev/null || true; fi
  stop_server
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM
ulimit -n "$(ulimit -H -n)"

printf '%s, %s cores, %s, commit %s\n' "$(date -u +%F)" "$(nproc)" "$(uname -sr)" "$(git rev-parse --short HEAD)"

median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0) ? a / b : 0 }'; }
# token CLAIMS: a JWT of this project.
token() {
  # shellcheck disable=SC2016 # a template of JavaScript
  node -e 'const [secret, claims] = process.argv.slice(1)
    const text = (value) => Buffer.from(value).toString("base64url")
    const body = `${text(JSON.stringify({ alg: "HS256", typ: "JWT" }))}.${text(claims)}`
    console.log(`${body}.${require("crypto").createHmac("sha256", secret).update(body).digest("base64url")}`)' "$JWT_SECRET" "$1"
}

mkdir -p "$work/project/supabase"
printf '[storage]\nfile_size_limit = "1GiB"\n' >"$work/project/supabase/config.toml"
# shellcheck disable=SC2034 # read by start_server
project=$work/project
DUGOUT_LOG=error start_server "$work/data" --db-port $((32100 + RANDOM % 500))
eval "$("$dugout" status -o env --data-dir "$work/data")"
ours=http://127.0.0.1:$port/storage/v1
user=317eadce-631a-4429-a0bb-f19a7a517b4a
service=$(token '{"role":"service_role","exp":4000000000}')
reader=$(token "{\"role\":\"authenticated\",\"sub\":\"$user\",\"exp\":4000000000}")
# call METHOD URL [ARGUMENTS…]: a request of the service.
call() { curl -fsS -o "$work/answer" -X "$1" -H "authorization: Bearer $service" "${@:2}"; }

# The superuser of the cluster, over the socket that only root and the owner of the files reach.
superuser() {
  local sockets
  sockets=$(sed -n 5p "$(find "$work/data" -name postmaster.pid | head -n 1)")
  psql -qX -v ON_ERROR_STOP=1 -h "$sockets" -p "$(sed -n 4p "$(find "$work/data" -name postmaster.pid | head -n 1)")" -U supabase_admin "$@"
}

start_theirs() {
  [ -n "${STORAGE_CHECKOUT:-}" ] || return 0
  local node=${NODE:-node} at=$((port + 40))
  [ -d "$STORAGE_CHECKOUT/node_modules" ] || die "$STORAGE_CHECKOUT has no packages: npm ci --ignore-scripts there"
  superuser postgres -c 'create database theirs' -c "alter role supabase_storage_admin login password 'beside'"
  superuser theirs <<'SQL'
create schema extensions;
create schema storage authorization supabase_storage_admin;
grant usage on schema storage, extensions to anon, authenticated, service_role;
alter default privileges for role supabase_storage_admin in schema storage grant all on tables to anon, authenticated, service_role;
alter default privileges for role supabase_storage_admin in schema storage grant all on routines to anon, authenticated, service_role;
SQL
  superuser postgres -c 'grant anon, authenticated, service_role to supabase_storage_admin'
  (
    cd "$STORAGE_CHECKOUT"
    exec env NODE_ENV=production SERVER_HOST=127.0.0.1 "SERVER_PORT=$at" "SERVER_ADMIN_PORT=$((at + 1))" \
      "DATABASE_URL=postgresql://supabase_storage_admin:beside@127.0.0.1:$(printf %s "$DB_URL" | sed -E 's#.*:([0-9]+)/.*#\1#')/theirs" \
      "STORAGE_FILE_BACKEND_PATH=$work/theirs" "STORAGE_PUBLIC_URL=http://127.0.0.1:$at" "AUTH_JWT_SECRET=$JWT_SECRET" \
      AUTH_JWT_ALGORITHM=HS256 "ANON_KEY=$ANON_KEY" "SERVICE_KEY=$service" STORAGE_BACKEND=file STORAGE_S3_BUCKET=stub \
      STORAGE_S3_REGION=us-east-1 TENANT_ID=stub UPLOAD_FILE_SIZE_LIMIT=1073741824 IMAGE_TRANSFORMATION_ENABLED=false \
      PG_QUEUE_ENABLE=false LOG_LEVEL=error "$node" --import tsx src/start/server.ts >"$work/theirs.log" 2>&1
  ) &
  theirs=$!
  theirs_url=http://127.0.0.1:$at
  for _ in $(seq 600); do
    curl -sf -o "$work/answer" "$theirs_url/status" && return
    kill -0 "$theirs" 2>/dev/null || break
    sleep 0.2
  done
  die "storage-api does not answer: $(tail -n 20 "$work/theirs.log")"
}

# prepare URL DATABASE: a public and a private bucket with an object of 1 KiB each, which a policy shows to its owner.
prepare() {
  local bucket
  head -c 1024 /dev/urandom >"$work/small"
  for bucket in bench private; do
    call POST "$1/bucket" --json "{\"name\":\"$bucket\",\"public\":$([ "$bucket" = bench ] && echo true || echo false)}"
    call POST "$1/object/$bucket/small" -H 'content-type: application/octet-stream' --data-binary "@$work/small"
  done
  superuser "$2" <<SQL
update storage.objects set owner_id = '$user' where bucket_id = 'private';
create policy own on storage.objects for select to authenticated
  using (owner_id = (select current_setting('request.jwt.claims', true)::json ->> 'sub'));
SQL
}

# rate URL [TOKEN]: requests per second with 32 connections, the median of the runs.
rate() {
  local run header=()
  [ -z "${2:-}" ] || header=(-H "authorization: Bearer $2")
  wrk -t1 -c32 -d1s "${header[@]}" "$1" >"$work/warm"
  for ((run = 0; run < runs; run++)); do
    wrk -t1 -c32 "-d${each}s" "${header[@]}" "$1" >"$work/wrk"
    ! grep -q 'Non-2xx' "$work/wrk" || die "$1: $(grep Non-2xx "$work/wrk")"
    awk '/^Requests\/sec/ { print int($2) }' "$work/wrk"
  done | median
}

measure_reads() {
  local memory public own other
  start_theirs
  prepare "$ours" postgres
  memory=$(rate "$ours/version")
  public=$(rate "$ours/object/public/bench/small")
  own=$(rate "$ours/object/authenticated/private/small" "$reader")
  printf 'public GET of 1 KiB, 32 connections: %s/s; an answer from memory: %s/s; ratio %s (goal 0.25)\n' \
    "$public" "$memory" "$(ratio "$public" "$memory")"
  printf 'GET of 1 KiB under a policy: %s/s\n' "$own"
  if [ -z "$theirs" ]; then return; fi
  prepare "$theirs_url" theirs
  other=$(rate "$theirs_url/object/public/bench/small")
  printf 'storage-api, public GET: %s/s; ours is %s times that (goal 8)\n' "$other" "$(ratio "$public" "$other")"
  other=$(rate "$theirs_url/object/authenticated/private/small" "$reader")
  printf 'storage-api, GET under a policy: %s/s; ours is %s times that (goal 5)\n' "$other" "$(ratio "$own" "$other")"
}

measure_lists() {
  local first middle folders
  call POST "$ours/bucket" --json '{"name":"large"}'
  # The postgres of the project may write rows of storage.objects itself.
  psql -qX "$DB_URL" -v ON_ERROR_STOP=1 <<SQL
insert into storage.objects (bucket_id, name, version, metadata)
select 'large', 'd' || n % 1000 || '/' || n, gen_random_uuid()::text, '{"size": 1}' from generate_series(1, $objects) as n;
analyze storage.objects;
SQL
  # page BODY: milliseconds, the median of nine.
  page() {
    local _
    for _ in 1 2 3 4 5 6 7 8 9; do
      call POST "$ours/object/list-v2/large" -w '%{time_total}\n' --json "$1" | awk '{ print $1 * 1000 }'
    done | median
  }
  first=$(page '{"limit":1000}')
  middle=$(page "{\"limit\":1000,\"cursor\":\"$(printf 'l:d500/%s' $((objects / 2)) | base64 -w0)\"}")
  folders=$(page '{"limit":1000,"with_delimiter":true}')
  printf 'list-v2 of 1,000 in a bucket of %s objects: first page %s ms, in the middle %s ms, folders %s ms (goal 20)\n' \
    "$objects" "$first" "$middle" "$folders"
}

measure_writes() {
  local disk put run
  call POST "$ours/bucket" --json '{"name":"writes"}'
  for ((run = 0; run < runs; run++)); do
    node bench/storage-load.mjs disk "$work/disk" 200 8 1048576 >>"$work/disk-rates"
    rm -rf "$work/disk"
    node bench/storage-load.mjs put "$ours/object/writes/put$run" "$service" 200 8 1048576 >>"$work/put-rates"
  done
  disk=$(median <"$work/disk-rates") put=$(median <"$work/put-rates")
  printf 'PUT of 1 MiB, eight at once: %s MB/s; the same writes and syncs without a server: %s MB/s; ratio %s (goal 0.8)\n' \
    "$put" "$disk" "$(ratio "$put" "$disk")"
}

measure_memory() {
  local before peak now sending
  call POST "$ours/bucket" --json '{"name":"memory"}'
  before=$(pss "$server") peak=0
  node bench/storage-load.mjs put "$ours/object/memory/put" "$service" "$uploads" "$uploads" $((upload_mb * 1048576)) >"$work/rate" &
  sending=$!
  while kill -0 "$sending" 2>/dev/null; do
    now=$(pss "$server")
    [ "$now" -le "$peak" ] || peak=$now
    sleep 0.2
  done
  wait "$sending"
  printf '%s uploads of %s MB at once: the server grows by %s MB (goal under 64), %s MB/s\n' "$uploads" "$upload_mb" \
    "$(awk -v a="$before" -v b="$peak" 'BEGIN { printf "%.1f", (b - a) / 1024 }')" "$(cat "$work/rate")"
}

measure_images() {
  local before after width count=10
  mkdir "$work/npm"
  (cd "$work/npm" && npm init -y >/dev/null && npm install --silent --no-audit --no-fund jpeg-js@0.4.4)
  PACKAGES=$work/npm node bench/storage-photo.mjs 4000 3000 >"$work/photo.jpg"
  call POST "$ours/bucket" --json '{"name":"photos","public":true}'
  call POST "$ours/object/photos/photo.jpg" -H 'content-type: image/jpeg' --data-binary "@$work/photo.jpg"
  # One width after the other, so that none comes from the cache.
  call GET "$ours/render/image/public/photos/photo.jpg?width=790"
  before=$(printf '%s\n' "$server" | cpu_of_all)
  for ((width = 800; width < 800 + count; width++)); do call GET "$ours/render/image/public/photos/photo.jpg?width=$width"; done
  after=$(printf '%s\n' "$server" | cpu_of_all)
  printf 'JPEG of 12 megapixels to 800 pixels: %s ms of CPU (goal under 150); from the cache: %s/s (goal over 5000)\n' \
    "$(awk -v a="$before" -v b="$after" -v n="$count" 'BEGIN { printf "%.0f", (b - a) / n / 1000 }')" \
    "$(rate "$ours/render/image/public/photos/photo.jpg?width=800")"
}

for part in "$@"; do "measure_$part"; done
