#!/bin/bash
# Runs the commands of docs/profiling.md, docs/comparing.md and docs/preprocessing.md in one folder, and looks at the files that they leave.
# Argument: the program.
set -uo pipefail
dovetail=$PWD/$1
texts=("$PWD/docs/profiling.md" "$PWD/docs/comparing.md" "$PWD/docs/preprocessing.md")
work=$TEST_TMPDIR/pages
mkdir -p "$work"
ln -sfn "$PWD/examples" "$work/examples"
cd "$work" || exit 1

commands=0
while read -r -a words; do
  output=$("$dovetail" "${words[@]:1}" 2>&1) || { echo "FAILED: ${words[*]}: $output"; exit 1; }
  commands=$((commands + 1))
done < <(grep -hP '^    dovetail ' "${texts[@]}")
((commands == 10)) || { echo "$commands commands are in ${texts[*]}"; exit 1; }

for page in profile compare; do
  grep -q '<!DOCTYPE html>' $page.html && grep -q '"title":".*digit_classifier' $page.html ||
    { echo "FAILED: $page.html is no page"; exit 1; }
done
grep -q '<svg ' query.svg || { echo "FAILED: no picture of the graph"; exit 1; }
grep -q '"traceEvents"' trace.json || { echo "FAILED: no trace"; exit 1; }
