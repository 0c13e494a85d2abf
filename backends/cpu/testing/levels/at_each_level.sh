#!/bin/bash
# Runs a test program once more at each level of instructions that the processor has:
#   at_each_level.sh PRINT_LEVELS [--own] PROGRAM [ARGUMENT]...
# PRINT_LEVELS is the program of print_levels.cc. At the processor's greatest level, which programs use by
# themselves, only with --own. One line says which levels the processor lacks.
set -uo pipefail
print_levels=$1
shift
own=no
[[ $1 != --own ]] || { own=yes && shift; }
# Of the shell's own test, which is not cut into parts and has no report but its log.
unset TEST_SHARD_INDEX TEST_TOTAL_SHARDS XML_OUTPUT_FILE

levels=$("$print_levels") || exit 1
count=0 lacking=() failed=()
while read -r level state; do
  if [[ $state == lacking ]]; then
    lacking+=("$level")
  elif [[ $state == usable || $own == yes ]]; then
    echo "---- $level"
    count=$((count + 1))
    DOVETAIL_MAX_CPU_ISA=$level "$@" </dev/null || failed+=("$level")
  fi
done <<<"$levels"

echo "ran at $count levels of instructions; this processor lacks: ${lacking[*]:-none}"
((${#failed[@]} == 0)) || { echo "FAILED at: ${failed[*]}" && exit 1; }
