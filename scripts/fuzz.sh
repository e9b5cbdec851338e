#!/usr/bin/env bash
# Fuzzes the data API: scripts/fuzz.sh TARGET [SECONDS]. Without a target, lists the targets.
# Needs cargo-fuzz and a nightly compiler. The corpus is kept in crates/rest/fuzz/corpus, which git ignores.
# The last lines show how many inputs were executed. Failing inputs are stored in crates/rest/fuzz/artifacts.
source "$(dirname "$0")/environment.sh"

fuzz=crates/rest/fuzz
fuzzer=${1:-}
if [ -z "$fuzzer" ]; then
  for file in "$fuzz"/fuzz_targets/*.rs; do basename "$file" .rs; done
  exit 0
fi
seconds=${2:-600}

# Each line of seeds/TARGET.txt is a seed, with the escapes of printf %b.
corpus=$fuzz/corpus/$fuzzer
mkdir -p "$corpus"
number=0
if [ -e "$fuzz/seeds/$fuzzer.txt" ]; then
  while IFS= read -r seed; do
    number=$((number + 1))
    printf '%b' "$seed" >"$corpus/seed-$number"
  done <"$fuzz/seeds/$fuzzer.txt"
fi

if [ "$fuzzer" = database ]; then
  work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-fuzz.XXXXXX")
  chmod 755 "$work"
  trap 'scripts/test-cluster.sh stop "$work/pg"; rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  FUZZ_DATABASE_URL=$(scripts/test-cluster.sh start "$work/pg")
  export FUZZ_DATABASE_URL
fi

# Without a sanitizer: the crates have no unsafe code, so the targets are panics, overflows, hangs and memory use.
# An input may take at most five seconds and 2 GB.
nice -n 19 cargo +nightly fuzz run --fuzz-dir "$fuzz" --sanitizer none "$fuzzer" "$corpus" -- \
  -dict="$fuzz/grammar.dict" -max_total_time="$seconds" -max_len=8192 -timeout=5 -rss_limit_mb=2048 \
  -print_final_stats=1 -verbosity=1
