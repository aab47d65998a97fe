#!/usr/bin/env bash
# Wall time and peak memory of the scenarios that docs/performance.md has budgets for: three runs each, the median of the wall
# time. Usage: tests/bench/budgets.sh [path of the gridlock program]. Not a test: nothing asserts these numbers.
set -euo pipefail
cd "$(dirname "$0")/../.."
gridlock=${1:-build/release/gridlock}
big=$(mktemp --suffix=.yaml)
trap 'rm -f "$big"' EXIT
sed 's/nodes: 512/nodes: 16384/; s/data: 64/data: 2048/; s/global: 1536/global: 49152/; s/leaf_radix: 64/leaf_radix: 64\n    core_radix: 128/' \
  scenarios/gpt3-175b-4096xh100.yaml > "$big"

measure() {
  local name=$1 runs=()
  shift
  for _ in 1 2 3; do
    runs+=("$(/usr/bin/time -f '%e %M' "$@" 2>&1 >/dev/null | tail -n 1)")
  done
  printf '%-48s' "$name"
  printf '%s\n' "${runs[@]}" | sort -n | sed -n 2p | awk '{printf "%8.2f s %8.0f MB\n", $1, $2 / 1000}'
}

measure "flagship, 4,096 GPUs, folded" "$gridlock" run scenarios/gpt3-175b-4096xh100.yaml
measure "Llama 405B, 16,384 GPUs, folded" "$gridlock" run scenarios/llama3.1-405b-16384xh100.yaml
measure "flagship layout at 131,072 GPUs, folded" "$gridlock" run "$big"
measure "flagship, one slow GPU" "$gridlock" run scenarios/gpt3-175b-4096xh100-slow-gpu.yaml
measure "64 GPUs, unfolded" "$gridlock" run scenarios/quick-64xh100.yaml --no-fold
measure "flagship, ecmp" "$gridlock" run scenarios/gpt3-175b-4096xh100-ecmp.yaml
