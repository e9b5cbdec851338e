#!/usr/bin/env bash
# Every test of the project, on one temporary PostgreSQL. The last line counts the passed, failed and skipped tests.
# With CI=true a skipped test is a failure, unless it lacks ../shared, which only some checkouts have, a GoTrue to
# compare with (GOTRUE_BIN), what scripts/install.sh could not fetch, or util-linux.
source "$(dirname "$0")/environment.sh"

started=$SECONDS
scripts/install.sh --browser
scripts/check.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-test.XXXXXX")
chmod 755 "$work"
# Everything that a suite leaves behind is removed with this folder.
export TMPDIR=$work
cleanup() {
  scripts/test-cluster.sh stop "$work/pg"
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

DUGOUT_TEST_DATABASE_URL=$(scripts/test-cluster.sh start "$work/pg")
export DUGOUT_TEST_DATABASE_URL
export DUGOUT_TEST_SKIPS=$work/skips
: >"$DUGOUT_TEST_SKIPS"
export DUGOUT_BIN=${DUGOUT:-$target/debug/dugout}
export NO_COLOR=1
# Tests mostly wait, for servers and for PostgreSQL.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((2 * $(getconf _NPROCESSORS_ONLN)))}
passed=0 failed=0 skipped=0
broken='' flaky=''

# suite NAME COMMAND…: runs a suite, continues even if it fails, and keeps its output for counting.
suite() {
  local name=$1 begun=$SECONDS
  shift
  say "$name"
  if ! "$@" 2>&1 | tee "$work/$name.log"; then
    broken="$broken $name"
  fi
  printf -- '--- %s: %s s\n' "$name" "$((SECONDS - begun))"
}

# count NAME REGEX: the sum of the numbers that REGEX's first group matches in a suite's output.
count() { sed -nE "s/$2/\\1/p" "$work/$1.log" | awk '{ sum += $1 } END { print sum + 0 }'; }

# add NAME PASSED FAILED SKIPPED: each a regular expression whose first group is the number.
add() {
  local without
  passed=$((passed + $(count "$1" "$2")))
  failed=$((failed + $(count "$1" "$3")))
  without=$(count "$1" "$4")
  skipped=$((skipped + without))
  if [ "$without" -gt 0 ]; then printf '%s of %s, see its output above\n' "$without" "$1" >>"$DUGOUT_TEST_SKIPS"; fi
}

# retry_cargo: runs the failed Rust tests again, one at a time and without the others' load. Those that pass now are listed as
# flaky and count as passed, as Playwright does it. More than five failures are no matter of load, and neither is a program that
# ended without a list of its failures.
retry_cargo() {
  local names programs
  mapfile -t names < <(sed -nE '/^failures:$/,/^test result/s/^    ([a-z0-9_]+(::[a-z0-9_]+)+)$/\1/p' "$work/cargo.log" | sort -u)
  programs=$(sed -nE 's/^error: ([0-9]+) targets? failed:$/\1/p' "$work/cargo.log")
  if [ "${#names[@]}" -gt 5 ] || [ "${#names[@]}" != "$(count cargo '^test result: .* ([0-9]+) failed;.*')" ] ||
    [ "$programs" != "$(grep -c '^test result: FAILED' "$work/cargo.log")" ]; then
    return
  fi
  suite again cargo test --workspace --locked --no-fail-fast -- --exact --test-threads=1 "${names[@]}"
  if [ "$(count again '^test result: .* ([0-9]+) passed;.*')" = "${#names[@]}" ] && [ "${broken%again}" = "$broken" ]; then
    flaky="${names[*]}" broken=${broken% cargo} failed=$((failed - ${#names[@]})) passed=$((passed + ${#names[@]}))
  fi
}

in_frontend() { (cd frontend && npm run --silent "$@"); }

suite cargo cargo test --workspace --locked --no-fail-fast
add cargo '^test result: .* ([0-9]+) passed;.*' '^test result: .* ([0-9]+) failed;.*' '^test result: .* ([0-9]+) ignored;.*'
# Rust has no skipped status: the kit lists skipped tests in a file, and they are subtracted from the passed.
if [ -n "$broken" ]; then retry_cargo; fi
noted=$(grep -vc ' of cargo, ' "$DUGOUT_TEST_SKIPS" || true)
skipped=$((skipped + noted))
passed=$((passed - noted))

suite vitest in_frontend test
add vitest '^ +Tests .*[^0-9]([0-9]+) passed.*' '^ +Tests .*[^0-9]([0-9]+) failed.*' '^ +Tests .*[^0-9]([0-9]+) skipped.*'
suite node in_frontend e2e:node
add node '^[#ℹ]+ pass ([0-9]+)$' '^[#ℹ]+ fail ([0-9]+)$' '^[#ℹ]+ skipped ([0-9]+)$'
suite playwright in_frontend e2e
add playwright '^ +([0-9]+) passed.*' '^ +([0-9]+) (failed|interrupted|did not run).*' '^ +([0-9]+) skipped.*'

if [ -s "$DUGOUT_TEST_SKIPS" ]; then
  say "skipped"
  cat "$DUGOUT_TEST_SKIPS"
  if [ "${CI:-}" = true ] && grep -vE '\.\./shared is absent|GOTRUE_BIN|scripts/install\.sh|util-linux' "$DUGOUT_TEST_SKIPS" >/dev/null; then
    broken="$broken skips"
  fi
fi
if [ -n "$broken" ] && [ "$failed" = 0 ]; then
  # A suite that could not be built or started counts as one failure.
  failed=1
fi
if [ -n "$flaky" ]; then say "flaky, failed beside the others and passed alone: $flaky"; fi
say "make test took $((SECONDS - started)) s${broken:+; not in order:$broken}"
printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
[ -z "$broken" ] && [ "$failed" = 0 ]
