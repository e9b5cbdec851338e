#!/usr/bin/env bash
# Fuzzes the data API: scripts/fuzz.sh TARGET [SECONDS]. Without a target, says which there are.
# It needs cargo-fuzz and a nightly compiler; the corpus it grows stays in crates/rest/fuzz/corpus, which git ignores.
# The last lines say how many inputs were executed. An input that breaks something is kept in crates/rest/fuzz/artifacts.
source "$(dirname "$0")/environment.sh"

fuzz=crates/rest/fuzz
target=${1:-}
if [ -z "$target" ]; then
  for file in "$fuzz"/fuzz_targets/*.rs; do basename "$file" .rs; done
  exit 0
fi
seconds=${2:-600}

# A seed is a line of seeds/TARGET.txt, with escapes as printf %b knows them.
corpus=$fuzz/corpus/$target
mkdir -p "$corpus"
number=0
if [ -e "$fuzz/seeds/$target.txt" ]; then
  while IFS= read -r seed; do
    number=$((number + 1))
    printf '%b' "$seed" >"$corpus/seed-$number"
  done <"$fuzz/seeds/$target.txt"
fi

if [ "$target" = database ]; then
  work=$(mktemp -d "${TMPDIR:-/tmp}/dugout-fuzz.XXXXXX")
  chmod 755 "$work"
  trap 'scripts/test-cluster.sh stop "$work/pg"; rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  FUZZ_DATABASE_URL=$(scripts/test-cluster.sh start "$work/pg")
  export FUZZ_DATABASE_URL
fi

# No sanitizer: the crates are without unsafe code, so what is looked for are panics, overflows, endless time and memory.
# An input may take five seconds and 2 GB at most.
nice -n 19 cargo +nightly fuzz run --fuzz-dir "$fuzz" --sanitizer none "$target" "$corpus" -- \
  -dict="$fuzz/grammar.dict" -max_total_time="$seconds" -max_len=8192 -timeout=5 -rss_limit_mb=2048 \
  -print_final_stats=1 -verbosity=1
