#!/bin/bash
# Runs the commands of docs/profiling.md, docs/comparing.md and docs/preprocessing.md in one folder, and looks at the files that they leave.
# Arguments: the program; the program that checks traces.
set -uo pipefail
dovetail=$PWD/$1
check=$PWD/$2
texts=("$PWD/docs/profiling.md" "$PWD/docs/comparing.md" "$PWD/docs/preprocessing.md")
work=$TEST_TMPDIR/pages
mkdir -p "$work"
ln -sfn "$PWD/examples" "$work/examples"
cd "$work" || exit 1
head -c $((240 * 320 * 3 / 2)) /dev/zero >frame.yuv # dark green

commands=0
while read -r -a words; do
  output=$("$dovetail" "${words[@]:1}" 2>&1) || { echo "FAILED: ${words[*]}: $output"; exit 1; }
  commands=$((commands + 1))
done < <(grep -hP '^    dovetail ' "${texts[@]}")
((commands == 15)) || { echo "$commands commands are in ${texts[*]}"; exit 1; }

for page in profile compare; do
  grep -q '<!DOCTYPE html>' $page.html && grep -q '"title":".*digit_classifier' $page.html ||
    { echo "FAILED: $page.html is no page"; exit 1; }
done
grep -q '<svg ' query.svg || { echo "FAILED: no picture of the graph"; exit 1; }
if grep -q '^CPU' <<<"$("$dovetail" devices)"; then
  grep -q '"places":{"arenas":\[' profile.html || { echo "FAILED: the CPU does not say what lies where"; exit 1; }
fi

# Traces, also of several streams and of a device with lanes of its own, are as the format asks.
classifier=examples/data/models/digit_classifier.xml
"$dovetail" profile $classifier --seconds=0.05 --streams=2 --trace=streams.json >/dev/null ||
  { echo "FAILED: profile --streams"; exit 1; }
traces=(trace.json streams.json)
if grep -q '^VPU' <<<"$("$dovetail" devices)"; then
  "$dovetail" estimate $classifier --trace=lanes.json >/dev/null || { echo "FAILED: estimate --trace"; exit 1; }
  traces+=(lanes.json)
fi
"$check" "${traces[@]}" || { echo "FAILED: traces are not as the format asks"; exit 1; }
# The check would see it.
sed 's/"ph":"X"/"ph":"Z"/' trace.json >wrong.json
! "$check" wrong.json 2>/dev/null || { echo "FAILED: a trace that is wrong passes"; exit 1; }
