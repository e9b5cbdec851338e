# shellcheck shell=bash
# Sourced by rest.sh: one insert of 50 MB.
# shellcheck disable=SC2154
start_alone env
for form in json csv; do
  make_rows "$form" >"$work/rows.$form"
  psql -qX "$admin" -c 'truncate public.bench_log'
  begun=$EPOCHREALTIME
  grown=$(extra insert "$form")
  took=$(awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
  printf 'insert of %s MB of %s, %s rows: %s s, %s MB of extra server memory at most\n' \
    "$(wc -c <"$work/rows.$form" | awk '{ printf "%.0f", $1 / 1e6 }')" "$form" \
    "$(psql -qXAt "$admin" -c 'select count(*) from public.bench_log')" "$took" "$(printf '%s\n' "$grown" | megabytes)"
done
psql -qX "$admin" -c 'truncate public.bench_log'
stop_alone
