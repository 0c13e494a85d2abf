#!/bin/bash
# Builds and tests the configurations of backends, one after the other, and prints a table.
#
#   tools/sweep.sh [--build] [CONFIGURATION...] [-- TARGET...]
#
# A configuration is all, a preset of .bazelrc (interpreter_only, cpu_only), or without_NAME, which leaves that
# backend out; by default these are all of them. --build: tests are built but not run. Targets are those of Bazel,
# //... by default. Sources are compiled once for all of them, as the choice of backends changes only what is linked.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

verb=test
[[ ${1-} == --build ]] && { verb=build; shift; }
backends=$(grep -oP '^    "\K\w+(?=": _backend)' backends/backends.bzl)
configurations=()
while (($#)) && [[ $1 != -- ]]; do configurations+=("$1"); shift; done
targets=("${@:2}")
((${#targets[@]})) || targets=(//...)
((${#configurations[@]})) || read -r -a configurations <<<"all interpreter_only cpu_only $(printf 'without_%s ' $backends)"

flags_of() { # configuration
  case $1 in
    without_*)
      grep -qx "${1#without_}" <<<"$backends" || return 1
      echo "--//backends:with_${1#without_}=false"
      ;;
    *)
      grep -q "^build:$1 --//backends:preset=" .bazelrc || return 1
      echo "--config=$1"
      ;;
  esac
}

for configuration in "${configurations[@]}"; do
  flags_of "$configuration" >/dev/null || { echo "sweep: there is no configuration '$configuration'" >&2; exit 2; }
done

log=$(mktemp)
trap 'rm -f "$log"' EXIT
count() { grep -cE "^//[^ ]+ +(\(cached\) )?($1)" "$log"; }

printf '%-22s %8s %8s %8s %8s  %s\n' configuration passed failed skipped seconds verdict
result=0
for configuration in "${configurations[@]}"; do
  start=$SECONDS
  verdict=ok
  bazel $verb --keep_going --noshow_progress "$(flags_of "$configuration")" -- "${targets[@]}" </dev/null >"$log" 2>&1 || {
    verdict=FAILED
    result=1
    cp "$log" "sweep_$configuration.log"
  }
  counts=(- - -)
  [[ $verb == build ]] ||
    counts=("$(count 'PASSED|FLAKY')" "$(count 'FAILED|TIMEOUT|NO STATUS|INCOMPLETE')" "$(count SKIPPED)")
  printf '%-22s %8s %8s %8s %8d  %s\n' "$configuration" "${counts[@]}" $((SECONDS - start)) $verdict
done
exit $result
