#!/usr/bin/env bash
# The real storage-api beside `dugout storage`: both get the same requests over databases of their own, and their answers are
# compared (scripts/beside-storage/). Prints the differences that scripts/beside-storage/explained.mjs does not name, and fails
# if there is any. All results are in bench/results/storage-beside.jsonl, or in the file named by RESULTS.
# It needs a checkout of supabase/storage with its packages (npm ci --ignore-scripts) in STORAGE_CHECKOUT, and Node 24, which
# NODE may name. DUGOUT names a binary to test instead of a release build of this checkout.
source "$(dirname "$0")/environment.sh"

node=${NODE:-node}
[ -d "${STORAGE_CHECKOUT:-/none}/node_modules" ] || die "say where supabase/storage with its packages is: STORAGE_CHECKOUT=/folder $0"
"$node" -e 'process.exit(Number(Number(process.versions.node.split(".")[0]) < 24))' || die "storage-api needs Node 24: NODE=/path/to/node $0"
binary
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-beside.XXXXXX")
chmod 755 "$work"
pids=()
finish() {
  [ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null || true
  wait
  scripts/test-cluster.sh stop "$work/pg" || true
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

cluster=$(scripts/test-cluster.sh start "$work/pg")
have psql || die "psql is missing: apt-get install postgresql-client"
psql -qX -v ON_ERROR_STOP=1 "$cluster" <<'SQL'
create database ours;
create database theirs;
create role anon nologin;
create role authenticated nologin;
create role service_role nologin bypassrls;
create role authenticator login noinherit;
grant anon, authenticated, service_role to authenticator;
create role supabase_storage_admin login noinherit createrole;
grant authenticator to supabase_storage_admin;
create role postgres nologin;
SQL
for database in ours theirs; do
  psql -qX -v ON_ERROR_STOP=1 "${cluster%/postgres}/$database" <<'SQL'
create schema extensions;
create schema storage authorization supabase_storage_admin;
grant usage on schema storage, extensions to anon, authenticated, service_role;
alter default privileges for role supabase_storage_admin in schema storage grant all on tables to anon, authenticated, service_role;
alter default privileges for role supabase_storage_admin in schema storage grant all on routines to anon, authenticated, service_role;
create schema storage_vectors;
create extension vector;
grant usage, create on schema storage_vectors to service_role;
SQL
done

port=${DUGOUT_CONFORMANCE_PORT:-54371}
# key ROLE: a token.
key() { "$node" -e "import('$root/scripts/beside-storage/credentials.mjs').then((m) => console.log(m.token({ role: '$1' })))"; }
anon=$(key anon) service=$(key service_role)
settings() {
  printf '%s\n' SERVER_HOST=127.0.0.1 "SERVER_PORT=$1" "SERVER_ADMIN_PORT=$(($1 + 5))" "DATABASE_URL=${cluster%/postgres}/$2" \
    "STORAGE_FILE_BACKEND_PATH=$work/$2" "STORAGE_PUBLIC_URL=http://127.0.0.1:$1" \
    AUTH_JWT_SECRET=a-secret-of-at-least-thirty-two-characters AUTH_JWT_ALGORITHM=HS256 \
    "ANON_KEY=$anon" "SERVICE_KEY=$service" STORAGE_BACKEND=file STORAGE_S3_BUCKET=stub STORAGE_S3_REGION=us-east-1 TENANT_ID=stub \
    UPLOAD_FILE_SIZE_LIMIT=52428800 UPLOAD_SIGNED_URL_EXPIRATION_TIME=7200 TUS_URL_EXPIRY_MS=86400000 \
    S3_PROTOCOL_ACCESS_KEY_ID=beside-id S3_PROTOCOL_ACCESS_KEY_SECRET=beside-secret IMAGE_TRANSFORMATION_ENABLED=false \
    VECTOR_ENABLED=true VECTOR_BUCKET_PROVIDER=pgvector "VECTOR_DATABASE_URL=${cluster%/postgres}/$2" VECTOR_DATABASE_CREATE=false \
    VECTOR_STORE_MIGRATIONS_ENABLED=true PG_QUEUE_ENABLE=false LOG_LEVEL=error
}
mapfile -t ours < <(settings "$port" ours)
mapfile -t theirs < <(settings $((port + 1)) theirs)
env "${ours[@]}" "$dugout" storage >"$work/ours.log" 2>&1 &
pids+=($!)
(cd "$STORAGE_CHECKOUT" && exec env "${theirs[@]}" "$node" --import tsx src/start/server.ts >"$work/theirs.log" 2>&1) &
pids+=($!)
for who in ours theirs; do
  [ "$who" = ours ] && at=$port || at=$((port + 1))
  for _ in $(seq 300); do
    curl -sf -o "$work/status" "http://127.0.0.1:$at/status" && break
    sleep 0.2
  done
  [ -e "$work/status" ] || die "$who does not answer: $(tail -n 20 "$work/$who.log")"
  rm -f "$work/status"
done
"$node" scripts/beside-storage/compare.mjs "http://127.0.0.1:$port" "http://127.0.0.1:$((port + 1))" \
  "${RESULTS:-bench/results/storage-beside.jsonl}"
