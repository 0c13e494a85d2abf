#!/bin/bash
# No node of a real model, a shared topology or a block runs on a reference kernel on the CPU, neither of this project nor
# of oneDNN ("ref:any"), but for what exceptions.txt names with its reason: reference_nodes_test.sh WORKSPACE.
# Models and topologies are skipped where there is no shared folder.
set -uo pipefail
workspace=$1
shared=${DOVETAIL_SHARED:-$(dirname "$(realpath "$workspace")")/../shared}
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/nodes.XXXXXX")
trap 'rm -rf "$work"' EXIT

models=0
failures=0
fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

declare -a names types kernels used
while IFS=$'\t' read -r name type kernel reason; do
  [[ $name == \#* || -z $name ]] && continue
  [[ -n $reason ]] || fail "exceptions.txt: $name $type $kernel has no reason"
  names+=("$name")
  types+=("$type")
  kernels+=("$kernel")
  used+=(0)
done <testing/reference_nodes/exceptions.txt

is_excepted() { # model, type, kernel
  local i
  for i in "${!types[@]}"; do
    # shellcheck disable=SC2053
    if [[ $1 == ${names[i]} && $2 == ${types[i]} && $3 == ${kernels[i]} ]]; then
      used[i]=1
      return 0
    fi
  done
  return 1
}

# look NAME WORDS...: the nodes of the model that `dovetail profile WORDS` runs.
look() {
  local name=$1 output type kernel node
  shift
  models=$((models + 1))
  rm -f "$work/nodes.tsv"
  if ! output=$(tools/dovetail profile "$@" --device=CPU --seconds=0.001 --execution="$work/nodes.tsv" 2>&1); then
    fail "$name: $output"
    return
  fi
  while IFS=$'\t' read -r type kernel node; do
    is_excepted "$name" "$type" "$kernel" || fail "$name: $type '$node' runs on $kernel"
  done < <(awk -F '\t' '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["primitiveType"] ~ /^reference|(^|_|\+)ref:/ {
      print $column["layerType"] "\t" $column["primitiveType"] "\t" $column["name"]
    }' "$work/nodes.tsv")
  grep -q primitiveType "$work/nodes.tsv" || fail "$name: no table of nodes"
}

# inputs FOLDER: flags for the files in0.npy, in1.npy, … there.
inputs() {
  local i=0
  while [[ -e $1/in$i.npy ]]; do
    printf -- '--input=%d=%s\n' "$i" "$1/in$i.npy"
    i=$((i + 1))
  done
}

bench/blocks/blocks "$work/blocks" --small || fail "no blocks"
while IFS=$'\t' read -r name file; do
  look "$name" "$work/blocks/$file" --precision=f32
  look "$name" "$work/blocks/$file"
done <"$work/blocks/blocks.tsv"
blocks=$models

if [[ -e $shared/models/expected/openvino/index.tsv ]]; then
  cases=$shared/models/expected/openvino
  while IFS=$'\t' read -r name model _; do
    mapfile -t flags < <(inputs "$cases/$name")
    look "$name" "$shared/models/$model" "${flags[@]}"
  done < <(tail -n +2 "$cases/index.tsv")
  while IFS=$'\t' read -r name _; do
    source=$shared/topologies/$name
    mkdir "$work/network"
    if [[ -e $source/model.xml.gz ]]; then
      gzip -dc "$source/model.xml.gz" >"$work/network/model.xml"
    else
      cp "$source/model.xml" "$work/network/model.xml"
    fi
    # What is found depends on the weights of detectors, which are small.
    megabytes=$(awk -F '\t' '{ bytes += $2 } END { print int(bytes / 1e6) }' "$source/weights.tsv")
    mode=()
    ((megabytes > 40)) && mode=(zeros)
    tools/conformance/topologies/write_weights "$source" "$work/network/model.bin" "${mode[@]}" ||
      fail "$name: no weights"
    mapfile -t flags < <(inputs "$source")
    look "$name" "$work/network/model.xml" --precision=f32 "${flags[@]}"
    rm -r "$work/network"
  done < <(tail -n +2 "$shared/topologies/index.tsv")
  for i in "${!types[@]}"; do
    ((used[i])) || fail "exceptions.txt: no node needs ${names[i]} ${types[i]} ${kernels[i]}"
  done
else
  echo "skipped: models and topologies of the shared folder, which DOVETAIL_SHARED names"
fi
echo "$models models, $blocks of them blocks, $failures failures"
((models > 0 && failures == 0))
