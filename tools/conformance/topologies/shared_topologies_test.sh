#!/bin/bash
# Every network of the developers' shared topologies gives its expected outputs on the reference device:
# shared_topologies_test.sh WORKSPACE. Their weights are generated; all together would be several
# gigabytes, so one network is written at a time.
set -uo pipefail
workspace=$1
topologies=tools/conformance/topologies

shared=${DOVETAIL_SHARED:-$(dirname "$(realpath "$workspace")")/../shared}/topologies
if [[ ! -e $shared/index.tsv ]]; then
  echo "skipped: needs topologies of the shared folder, which DOVETAIL_SHARED names"
  exit 0
fi
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/topologies.XXXXXX")
trap 'rm -rf "$work"' EXIT

# prepare NETWORK: a set of this one case in $work.
prepare() {
  local source=$shared/$1 target=$work/$1
  mkdir "$target" || return 1
  ln -s "$(realpath "$source")"/*.npy "$target" || return 1
  if [[ -e $source/model.xml.gz ]]; then
    gzip -dc "$source/model.xml.gz" >"$target/model.xml" || return 1
  else
    cp "$source/model.xml" "$target/model.xml" || return 1
  fi
  awk -F '\t' -v name="$1" 'NR == 1 || $1 == name' "$shared/index.tsv" >"$work/index.tsv" || return 1
  "$topologies/write_weights" "$source" "$target/model.bin"
}

count=0 failures=0
while IFS=$'\t' read -r name _; do
  count=$((count + 1))
  # f32, whatever the environment asks for. How far it is goes to stderr, and so to the test's log.
  output=$(prepare "$name" && tools/dovetail conformance "$work" --device=REFERENCE --precision=f32 --list-failures)
  if [[ $output != *"1 passed, 0 failed, 0 skipped" ]]; then
    failures=$((failures + 1))
    echo "FAILED: $name: $output"
  fi
  rm -rf "${work:?}/$name"
done < <(tail -n +2 "$shared/index.tsv")
echo "$count networks, $failures failures"
((count > 0 && failures == 0))
