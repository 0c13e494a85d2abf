#!/bin/bash
# Builds the workspace examples/custom_operation as a user does, runs its model with the operations linked and loaded,
# and runs the commands of docs/custom_operations.md with the library. The arguments are a file in the root of the
# source tree, and the program.
set -euo pipefail

root=$(dirname "$(realpath "$1")")
dovetail=$(realpath "$2")
text=$root/docs/custom_operations.md

# As embedding_test.sh does it, and with what that has compiled.
outer=${TEST_SRCDIR%%/execroot/*}
start=(--batch "--output_user_root=$outer/custom_operation_test" --nohome_rc)
flags=(
  "--disk_cache=$outer/examples_disk_cache"
  --incompatible_strict_action_env
  --noshow_progress
  --spawn_strategy=processwrapper-sandbox,local
  --symlink_prefix=/
)
export DOVETAIL_INFERENCE_PRECISION_HINT=f32

cd "$root/examples/custom_operation"
bazel "${start[@]}" build "${flags[@]}" //:make_model //:run_model //:sample_operations.so
bin=$(bazel "${start[@]}" info "${flags[@]}" bazel-bin 2>/dev/null)

work=$TEST_TMPDIR/custom_operation
mkdir -p "$work"
cd "$work"
cp -f "$bin/sample_operations.so" .
"$bin/make_model" sample.xml
for library in "" sample_operations.so; do
  # shellcheck disable=SC2086
  output=$("$bin/run_model" sample.xml $library)
  [[ "$output" == $'kept: 0.916'*' 1.31'*' 1.49'*$'\nplaces: 2 3 4' ]] || {
    echo "$output"
    echo "That is not what was to be expected."
    exit 1
  }
done

# The program was built elsewhere, of the same sources.
commands=0
while read -r -a words; do
  output=$("$dovetail" "${words[@]:1}" 2>&1) || { echo "FAILED: ${words[*]}: $output"; exit 1; }
  if [[ ${words[1]} == devices ]]; then
    [[ "$output" == *"extension sample_operations "*"sample.Squash, sample.KeepAbove, Gelu-7 (kernel)"* ]] || {
      echo "$output"
      exit 1
    }
  fi
  commands=$((commands + 1))
done < <(grep -P '^    dovetail ' "$text")
((commands == 6)) || { echo "$commands commands are in $text"; exit 1; }

output=$("$dovetail" operations --extension=sample_operations.so)
[[ "$output" == *"extension sample_operations "*"sample.Squash"* ]] || { echo "operations: $output"; exit 1; }

# Without the library: all that lacks, by one error, and an export that names it.
if output=$("$dovetail" inspect sample.xml 2>&1); then exit 1; fi
[[ "$output" == *"'KeepAbove' of 'sample': layer 'keep'"*"'Squash' of 'sample': layer 'squash'"* ]] || {
  echo "$output"
  exit 1
}
if output=$("$dovetail" benchmark sample.blob 2>&1); then exit 1; fi
[[ "$output" == *"extension 'sample_operations', which is not there"* ]] || { echo "$output"; exit 1; }
