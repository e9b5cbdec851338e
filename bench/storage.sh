#!/usr/bin/env bash
# How fast /storage/v1 is: a public object of 1 KiB beside an answer of the same server from memory, pages of list-v2 in a large
# bucket, and uploads of 1 MiB beside dd with the same fsyncs. DUGOUT names a binary instead of a release build of this checkout,
# OBJECTS the size of the large bucket, SECONDS_EACH the length of a run.
source "$(dirname "$0")/../scripts/environment.sh"
source "$root/bench/server.sh"

for program in wrk psql curl; do have "$program" || die "$program is missing: apt-get install wrk postgresql-client curl"; done
binary
objects=${OBJECTS:-1000000} each=${SECONDS_EACH:-8}
work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-bench.XXXXXX")
chmod 755 "$work"
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

start_server "$work/data"
eval "$("$dugout" status -o env --data-dir "$work/data")"
base=http://127.0.0.1:$port/storage/v1
call() { curl -fsS -H "authorization: Bearer $SERVICE_ROLE_KEY" "$@"; }
call -o "$work/answer" "$base/bucket" --json '{"name":"bench","public":true}'
head -c 1024 /dev/urandom >"$work/small"
head -c 1048576 /dev/urandom >"$work/large"
call -o "$work/answer" -H 'content-type: application/octet-stream' --data-binary "@$work/small" "$base/object/bench/small"

# rate PATH: requests per second, the median of three runs.
rate() {
  local _
  for _ in 1 2 3; do
    wrk -t1 -c32 -d"${each}s" "$base$1" | awk '/^Requests\/sec/ { print $2 }'
  done | median
}
memory=$(rate /version) public=$(rate /object/public/bench/small)
printf 'public GET of 1 KiB, 32 connections: %s/s; an answer from memory: %s/s; ratio %s\n' \
  "${public%.*}" "${memory%.*}" "$(awk -v a="$public" -v b="$memory" 'BEGIN { printf "%.2f", a / b }')"

# The postgres of the project may write rows of storage.objects itself.
psql -qX "$DB_URL" -v ON_ERROR_STOP=1 <<SQL
insert into storage.objects (bucket_id, name, version, metadata)
select 'bench', 'd' || n % 1000 || '/' || n, gen_random_uuid()::text, '{"size": 1}' from generate_series(1, $objects) as n;
analyze storage.objects;
SQL
# page BODY: milliseconds, the median of nine.
page() {
  local _
  for _ in 1 2 3 4 5 6 7 8 9; do
    call -o "$work/page" -w '%{time_total}\n' "$base/object/list-v2/bench" --json "$1" | awk '{ print $1 * 1000 }'
  done | median
}
first=$(page '{"limit":1000}')
cursor=$(printf 'l:d500/%s' $((objects / 2)) | base64 -w0)
printf 'list-v2 of 1,000 in a bucket of %s objects: first page %s ms, in the middle %s ms, folders %s ms\n' "$objects" \
  "$first" "$(page "{\"limit\":1000,\"cursor\":\"$cursor\"}")" "$(page '{"limit":1000,"with_delimiter":true}')"

# eight COMMAND…: runs it 200 times with its number, eight at once; megabytes per second.
eight() {
  local begun=$EPOCHREALTIME
  seq 200 | xargs -P8 -I{} "$@"
  awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f\n", 200 / (b - a) }'
}
mkdir "$work/dd"
disk=$(eight dd if="$work/large" of="$work/dd/{}" bs=1M conv=fsync status=none)
put=$(eight curl -fsS -o /dev/null -X PUT -H "authorization: Bearer $SERVICE_ROLE_KEY" -H 'content-type: application/octet-stream' \
  --data-binary "@$work/large" "$base/object/bench/put/{}")
printf 'PUT of 1 MiB, eight at once: %s MB/s; dd with fsync: %s MB/s; ratio %s\n' \
  "$put" "$disk" "$(awk -v a="$put" -v b="$disk" 'BEGIN { printf "%.2f", a / b }')"
