#!/usr/bin/env bash
# NCCL over several processes, on doubles of CUDA and NCCL: what mpirun starts measures, and its points are fitted.
#   usage: tests/measure_nccl_test.sh PATH_OF_A_DOUBLE_OF_GRIDLOCK_MEASURE_NCCL PATH_OF_GRIDLOCK
set -euo pipefail
double=$(realpath "$1") gridlock=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FAKE_GPUS=2
failures=0
fail() {
  echo "measure_nccl_test: $*" >&2
  failures=$((failures + 1))
}
run() { timeout 60 mpirun --allow-run-as-root --oversubscribe --bind-to none -n "$1" "$double" "${@:2}" 2>"$work/log"; }

run 2 "$work/points.jsonl" || fail "fails on doubles that work: $(tail -n 5 "$work/log")"
for benchmark in all_reduce all_gather reduce_scatter all_to_all sendrecv; do
  grep -q "\"benchmark\":\"$benchmark\".*\"nodes\":1.0,\"ranks\":2.0.*\"seconds\"" "$work/points.jsonl" || fail "no $benchmark of two ranks"
done
"$gridlock" calibrate fit-collectives "$work/points.jsonl" --cluster hgx-h100 --preset h100-sxm -o "$work/p.yaml" >"$work/log" 2>&1 ||
  fail "its points are not fitted: $(tail -n 3 "$work/log")"
grep -q '^base: "h100-sxm"' "$work/p.yaml" || fail "no profile"

run 2 "$work/points.jsonl" && fail "overwrites points"
grep -q 'exists' "$work/log" || fail "does not say that the file exists"
run 1 "$work/one.jsonl" && fail "takes one rank"
FAKE_GPUS=1 run 2 "$work/none.jsonl" && fail "takes two ranks on one GPU"
grep -q 'no GPU of its own' "$work/log" || fail "does not say that a rank has no GPU: $(tail -n 3 "$work/log")"
run 2 && fail "takes no file"
run 2 "$work/no/such/folder.jsonl" && fail "does not see that the file cannot be written"
grep -q 'rank 0' "$work/log" || fail "does not say which rank failed: $(tail -n 5 "$work/log")"

[[ $failures -eq 0 ]] && echo "measure_nccl_test: ok"
exit $((failures > 0))
