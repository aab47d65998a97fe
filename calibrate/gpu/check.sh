#!/usr/bin/env bash
# The GPU benchmarks on a real device, in under 8 minutes: builds them, runs each and each of its failures, checks memory accesses with
# compute-sanitizer, measures the full plan and the held-out shapes, and writes a profile where a built gridlock is at hand.
#   usage: calibrate/gpu/check.sh [FOLDER]      (default: gpu-check; made, and must not hold an earlier run)
# Needs: a C++20 compiler, CMake, the CUDA Toolkit, NCCL, {fmt} and nlohmann-json (CMAKE_PREFIX_PATH is honoured), no SimGrid, no
# network. NCCL and cuBLASLt of Python's wheels are found. Environment: BUDGET, seconds (default 470); MEASURE, a built
# gridlock-measure-cuda; GRIDLOCK, a built gridlock; PRESET, the profile whose other values the new one keeps (default: by GPU).
# Leaves in FOLDER: build.log, plan.txt, check.jsonl, sanitizer.txt, points.jsonl, held_out.jsonl, nvidia-smi.txt, and profile.yaml, profile.html and profile.txt, where the
# held-out shapes are compared.
# Exit codes: 0 all well; 1 a check failed; 4 a tool or the GPU is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:-gpu-check}"
out=$(cd "${1:-gpu-check}" && pwd)
budget=${BUDGET:-470}
build=$out/build
failures=0

say() { echo "[${SECONDS} s] $*"; }
fail() {
  echo "check failed: $*" >&2
  failures=$((failures + 1))
}
missing() {
  echo "missing: $*" >&2
  exit 4
}
left() { echo $((budget - SECONDS)); }

for file in check points held_out; do
  [[ ! -e $out/$file.jsonl ]] || missing "an empty folder: $out/$file.jsonl is there from an earlier run"
done
if command -v nvidia-smi >/dev/null; then nvidia-smi -q -d CLOCK,POWER,PERFORMANCE,MEMORY,ECC >"$out/nvidia-smi.txt" 2>&1 || true; fi

# The folder of a package of NVIDIA's among Python's wheels that holds FILE, if there is one.
wheel_with() {
  command -v python3 >/dev/null || return 0
  python3 - "$1" <<'PYTHON'
import glob, os, sys
for base in sys.path:
    for found in sorted(glob.glob(os.path.join(base, "nvidia", "*", "include", sys.argv[1]))):
        print(os.path.dirname(os.path.dirname(found)))
        sys.exit()
PYTHON
}

configure() {
  cmake -S "$root/calibrate/gpu/standalone" -B "$build" -DCMAKE_BUILD_TYPE=Release ${arch:+-DCMAKE_CUDA_ARCHITECTURES=$arch}
}

build() {
  local tool arch=''
  for tool in cmake c++; do
    command -v "$tool" >/dev/null || missing "$tool"
  done
  if ! command -v nvcc >/dev/null; then
    [[ -x /usr/local/cuda/bin/nvcc ]] || missing "nvcc of the CUDA Toolkit"
    export PATH=$PATH:/usr/local/cuda/bin
  fi
  export NCCL_ROOT=${NCCL_ROOT:-$(wheel_with nccl.h)} CUBLAS_ROOT=${CUBLAS_ROOT:-$(wheel_with cublasLt.h)}
  # The device's own architecture alone: a third of the compile time.
  if command -v nvidia-smi >/dev/null; then
    arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d '. ') || arch=''
    [[ $arch =~ ^[0-9]+$ ]] || arch=''
  fi
  if ! configure >"$out/build.log" 2>&1; then
    # Packages are fetched only where something is missing and a package manager is there to bring it.
    command -v apt-get >/dev/null || { tail -n 20 "$out/build.log" >&2; missing "something to build with (above)"; }
    # shellcheck source=scripts/packages.sh
    . "$root/scripts/packages.sh"
    install_packages g++ cmake libfmt-dev nlohmann-json3-dev || missing "Debian packages libfmt-dev and nlohmann-json3-dev (above)"
    rm -rf "$build"
    configure >>"$out/build.log" 2>&1 || { tail -n 20 "$out/build.log" >&2; missing "something to build with (above)"; }
  fi
  cmake --build "$build" -j "$(nproc)" >>"$out/build.log" 2>&1 || { tail -n 40 "$out/build.log" >&2; fail "the build"; exit 1; }
}
measure=${MEASURE:-$build/gridlock-measure-cuda}
if [[ -z ${MEASURE:-} ]]; then
  say "building"
  build
fi

say "the device"
if ! "$measure" --plan check --list >"$out/plan.txt" 2>&1; then
  cat "$out/plan.txt" >&2
  exit 4
fi
tail -n 1 "$out/plan.txt"

say "every benchmark, and every failure"
"$measure" --plan check --limit 10 -o "$out/check.jsonl" || fail "the check plan ends with $?"
planned=$(grep -c ' s  [a-z]' "$out/plan.txt")
found=$(grep -c '"benchmark"' "$out/check.jsonl")
[[ $found -eq $planned ]] || fail "$found of $planned points in check.jsonl"
# Faults have to fail as planned; nothing else may.
faults=$(grep -c '"benchmark":"fault"' "$out/check.jsonl" || true)
for sign in 'out of memory' 'cudaMemcpyAsync' 'ncclCommInitAll' 'illegal memory access' 'timed out'; do
  grep '"benchmark":"fault"' "$out/check.jsonl" | grep -q "\"error\":\"[^\"]*$sign" || fail "no fault ended with '$sign'"
done
[[ $faults -eq 5 ]] || fail "$faults faults, not 5"
if grep -v '"benchmark":"fault"' "$out/check.jsonl" | grep '"error"' >&2; then fail "points that should have been measured (above)"; fi

say "memory accesses"
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
if [[ -n $sanitizer ]]; then
  "$sanitizer" --tool memcheck --target-processes all --report-api-errors no --error-exitcode 9 --log-file "$out/sanitizer.txt" \
    "$measure" --plan check --only gemm,attention,softmax,copy,scale,triad,launch,host_copy --limit 120 --budget 60 \
    -o "$out/sanitized.jsonl" || fail "under compute-sanitizer the benchmarks end with $?"
  rm -f "$out/sanitized.jsonl"
  grep 'ERROR SUMMARY' "$out/sanitizer.txt" || fail "compute-sanitizer gives no summary"
  if grep 'ERROR SUMMARY' "$out/sanitizer.txt" | grep -qv ' 0 errors'; then fail "compute-sanitizer finds errors: $out/sanitizer.txt"; fi
else
  echo "note: no compute-sanitizer here, memory accesses are not checked" | tee "$out/sanitizer.txt"
fi

say "held-out shapes"
"$measure" --plan held-out --budget 60 -o "$out/held_out.jsonl" 2>"$out/held_out.log" || fail "the held-out shapes: $(tail -n 1 "$out/held_out.log")"
tail -n 1 "$out/held_out.log"
rm -f "$out/held_out.log"
say "the full plan"
budget_left=$(left)
"$measure" --plan full --budget $((budget_left > 10 ? budget_left : 10)) -o "$out/points.jsonl" || fail "the full plan ends with $?"
rm -rf "$build"

# The preset of the catalogue for a GPU of that name.
preset_of() {
  case $1 in
    *H200*) echo h200-sxm ;;
    *H100*) echo h100-sxm ;;
    *A100*) echo a100-sxm ;;
    *B200*) echo b200-sxm ;;
  esac
}
gridlock=${GRIDLOCK:-$root/build/release/gridlock}
device=$(sed -n '1s/.*"device":"\([^"]*\)".*/\1/p' "$out/points.jsonl")
preset=${PRESET:-$(preset_of "$device")}
if [[ ! -x $gridlock ]]; then
  echo "No gridlock is built here. Where one is: gridlock calibrate --device cuda --preset ${preset:-PRESET} --points points.jsonl -o profile.yaml"
elif [[ -z $preset ]]; then
  echo "No preset is known for $device: set PRESET, or gridlock calibrate --device cuda --preset PRESET --points points.jsonl -o profile.yaml"
else
  node=()
  [[ -e $root/scenarios/hardware/hgx-${preset%%-*}.yaml ]] && node=(--cluster "hgx-${preset%%-*}")
  "$gridlock" calibrate --device cuda --preset "$preset" "${node[@]}" --points "$out/points.jsonl" \
    --against "$out/held_out.jsonl" -o "$out/profile.yaml" --html "$out/profile.html" >"$out/profile.txt" || fail "the profile"
  cat "$out/profile.txt"
fi
say "$failures failures; results in $out"
exit $((failures > 0))
