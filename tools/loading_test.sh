#!/bin/bash
# Runs the commands of docs/loading.md, in order, in one folder. Argument: the program.
set -uo pipefail
dovetail=$PWD/$1
text=$PWD/docs/loading.md
work=$TEST_TMPDIR/loading
mkdir -p "$work"
ln -sfn "$PWD/examples" "$work/examples"
cd "$work" || exit 1

commands=0
while read -r -a words; do
  output=$("$dovetail" "${words[@]:1}" 2>&1) || { echo "FAILED: ${words[*]}: $output"; exit 1; }
  commands=$((commands + 1))
done < <(grep -P '^    dovetail ' "$text")
((commands == 6)) || { echo "$commands commands are in $text"; exit 1; }

# What they leave.
[[ -s classifier.blob ]] || { echo "FAILED: no export"; exit 1; }
# A device without the CPU's backend, such as the GPU, may keep what its driver has compiled there, too.
entries=$(find cache -type f -size +10k | wc -l)
((entries >= 1)) || { echo "FAILED: no entry in the cache: $(ls cache)"; exit 1; }
