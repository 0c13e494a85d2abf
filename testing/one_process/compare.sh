#!/bin/bash
# What a model costs that REFERENCE and CPU have compiled in one process, with both devices linked in and with CPU's
# library loaded. Fails when loaded there are other threads, or more anonymous memory than a tenth and the pages of the
# library's own tables, which are written when addresses in them are filled in: 0.1 to 0.25 MiB were seen.
#
#   bazel run -c opt //testing/one_process:compare_test -- MODEL
#
# Arguments: the two programs, and a model, or none for one of examples/.
set -euo pipefail

linked=$1 loaded=$2
model=${3:-examples/data/models/digit_classifier.xml}

# How much of a file's pages a process gets depends on how they came into memory, so both begin with fresh copies.
work=${TEST_TMPDIR:-$(mktemp -d)}/one_process
rm -rf "$work"
mkdir -p "$work"
cp -L "$linked" "$work/linked"
cp -L "$loaded" "$work/loaded"
library=backends/cpu/cpu_plugin.so
mkdir -p "$work/tree/dovetail/${library%/*}"
cp -L "$library" "$work/tree/dovetail/$library"

# The run of nine that takes the least anonymous memory, which differs from run to run by a tenth.
measure() {
  for _ in {1..9}; do
    TEST_SRCDIR=$work/tree TEST_WORKSPACE=dovetail "$work/$1" "$model"
  done | sort -t, -k2,2 -V | head -1
}

value() { grep -oP "$2 \K[0-9.]+" <<<"$1"; }

one=$(measure linked)
two=$(measure loaded)
printf 'linked  %s\nloaded  %s\n' "$one" "$two"
rm -rf "$work"
for what in RSS anonymous; do
  awk -v a="$(value "$one" "$what")" -v b="$(value "$two" "$what")" -v what="$what" \
    'BEGIN { printf "%s: %.3f times as much loaded\n", what, b / a }'
done
[[ $(value "$one" threads) == "$(value "$two" threads)" ]] || { echo "the numbers of threads differ"; exit 1; }
awk -v a="$(value "$one" anonymous)" -v b="$(value "$two" anonymous)" 'BEGIN { exit !(b <= 1.1 * a + 0.5) }' ||
  { echo "loaded takes more memory"; exit 1; }
