#!/usr/bin/env bash
# The GPU benchmarks where no GPU is.
#   usage: tests/measure_cuda_test.sh CMAKE PATH_OF_GRIDLOCK [PATH_OF_GRIDLOCK_MEASURE_CUDA]
# - gridlock calibrate --device cuda: exit code 4, one sentence, no file, with gridlock-measure-cuda beside it and without
# - gridlock-measure-cuda, where it is built: exit code 4, one sentence, no file; wrong options: 2
# - the program alone, without the simulator, configures where it is built
# - GRIDLOCK_CUDA=OFF leaves it out of the build, and nothing else
set -euo pipefail
cmake=$1
gridlock=$2
program=${3:-}
gridlock=$(realpath "$gridlock")
[[ -z $program ]] || program=$(realpath "$program")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  echo "measure_cuda_test: $*" >&2
  failures=$((failures + 1))
}

# expect CODE PATTERN ARGUMENTS: the exit code, and one line on stderr that matches.
expect() {
  local code=$1 pattern=$2 got=0
  shift 2
  CUDA_VISIBLE_DEVICES='' "$program" "$@" >"$work/out" 2>"$work/err" || got=$?
  [[ $got -eq $code ]] || fail "$* exits with $got, not $code"
  tail -n 1 "$work/err" | grep -qE "$pattern" || fail "$* says: $(cat "$work/err")"
  [[ ! -s $work/out ]] || fail "$* prints on stdout"
}

# calibrate PATTERN: what gridlock says in $work/bin.
calibrate() {
  local got=0
  CUDA_VISIBLE_DEVICES='' "$work/bin/gridlock" calibrate --device cuda --preset h200-sxm -o "$work/p.yaml" 2>"$work/err" || got=$?
  [[ $got -eq 4 ]] || fail "calibrate --device cuda exits with $got, not 4: $(cat "$work/err")"
  [[ $(wc -l <"$work/err") -eq 1 ]] || fail "calibrate --device cuda says more than a sentence: $(cat "$work/err")"
  grep -qE "$1" "$work/err" || fail "calibrate --device cuda says: $(cat "$work/err")"
  [[ ! -e $work/p.yaml && ! -e $work/p.points.jsonl ]] || fail "calibrate --device cuda leaves files"
}
mkdir "$work/bin"
cp "$gridlock" "$work/bin/gridlock"
calibrate 'without the CUDA Toolkit or NCCL'
if [[ -n $program ]]; then
  cp "$program" "$work/bin/gridlock-measure-cuda"
  calibrate '(driver|GPU)'
fi

if [[ -n $program ]]; then
  expect 4 '^error: .*(driver|GPU)' -o "$work/points.jsonl"
  [[ $(wc -l <"$work/err") -eq 1 ]] || fail "more than one sentence: $(cat "$work/err")"
  [[ ! -e $work/points.jsonl ]] || fail "a file of no points was left"
  expect 4 '^error: .*(driver|GPU)' --list
  expect 2 "unknown plan 'fast'" --plan fast
  expect 2 'seconds above 0' --limit -3
  expect 2 "unexpected 'points'" points
  expect 2 'see --help' --no-such-option
  if readelf -d "$program" | grep -q 'libcuda\.so'; then fail "linked to the driver library"; fi
  "$cmake" -S calibrate/gpu/standalone -B "$work/alone" -G Ninja >"$work/log" 2>&1 || fail "$(cat "$work/log")"
  ninja -C "$work/alone" -t query gridlock-measure-cuda >/dev/null || fail "calibrate/gpu/standalone builds no gridlock-measure-cuda"
fi

"$cmake" -S . -B "$work/build" -G Ninja -DGRIDLOCK_CUDA=OFF -DGRIDLOCK_TESTS=OFF >"$work/log" 2>&1 || fail "$(cat "$work/log")"
ninja -C "$work/build" -t query gridlock >"$work/log" 2>&1 || fail "without CUDA there is no gridlock: $(cat "$work/log")"
if ninja -C "$work/build" -t query gridlock-measure-cuda >/dev/null 2>&1; then fail "GRIDLOCK_CUDA=OFF builds CUDA"; fi

[[ $failures -eq 0 ]] && echo "measure_cuda_test: ok"
exit $((failures > 0))
