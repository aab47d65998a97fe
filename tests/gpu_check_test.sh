#!/usr/bin/env bash
# calibrate/gpu/check.sh on doubles of CUDA, cuBLASLt and NCCL: everything but the build and the device.
#   usage: tests/gpu_check_test.sh PATH_OF_A_DOUBLE_OF_GRIDLOCK_MEASURE_CUDA
set -euo pipefail
double=$(realpath "$1")
check=$(realpath "$(dirname "$0")/../calibrate/gpu/check.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  echo "gpu_check_test: $*" >&2
  failures=$((failures + 1))
}
# No compute-sanitizer: it has nothing to look at. Ten seconds for the full plan: its rest is skipped.
run() { PATH=/usr/bin:/bin GRIDLOCK=/nowhere BUDGET=1 PRESET='' "$check" "$1" >"$work/log" 2>&1; }

MEASURE=$double run "$work/good" || fail "fails on doubles that work: $(tail -n 5 "$work/log")"
grep -q '0 failures' "$work/log" || fail "does not say that all was well"
for file in check held_out points; do
  head -n 1 "$work/good/$file.jsonl" | grep -q '"schema":"gridlock.points/1"' || fail "$file.jsonl is no file of points"
done

MEASURE=$double run "$work/good" && fail "overwrites the points of an earlier run"

# A program whose GEMMs all fail must be found out.
mkdir "$work/bin"
cat >"$work/bin/measure" <<'BROKEN'
#!/usr/bin/env bash
"$DOUBLE" "$@" || exit
for argument; do if [[ $argument == *check.jsonl ]]; then sed -i 's/\("benchmark":"gemm".*\)"seconds":\[[^]]*\]/\1"error":"no"/' "$argument"; fi; done
BROKEN
chmod +x "$work/bin/measure"
DOUBLE=$double MEASURE=$work/bin/measure run "$work/bad" && fail "does not see that every GEMM failed"
grep -q 'should have been measured' "$work/log" || fail "does not say what failed: $(tail -n 5 "$work/log")"

[[ $failures -eq 0 ]] && echo "gpu_check_test: ok"
exit $((failures > 0))
