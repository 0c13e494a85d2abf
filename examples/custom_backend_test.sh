#!/bin/bash
# Builds the workspace examples/custom_backend as a user does, runs a model on its device linked and loaded, and runs
# the commands of docs/adding_a_backend.md on the plugin. The arguments are a file in the root of the source tree, and
# the program.
set -euo pipefail

root=$(dirname "$(realpath "$1")")
dovetail=$(realpath "$2")
text=$root/docs/adding_a_backend.md

# As embedding_test.sh does it, and with what that has compiled.
outer=${TEST_SRCDIR%%/execroot/*}
start=(--batch "--output_user_root=$outer/custom_backend_test" --nohome_rc)
flags=(
  "--disk_cache=$outer/examples_disk_cache"
  --incompatible_strict_action_env
  --noshow_progress
  --spawn_strategy=processwrapper-sandbox,local
  --symlink_prefix=/
)

cd "$root/examples/custom_backend"
bazel "${start[@]}" build "${flags[@]}" //:run_model //:sample_backend.so
bin=$(bazel "${start[@]}" info "${flags[@]}" bazel-bin 2>/dev/null)

work=$TEST_TMPDIR/custom_backend
mkdir -p "$work"
cd "$work"
ln -sfn "$root/examples" examples
cp -f "$bin/sample_backend.so" .

output=$("$bin/run_model" examples/data/models/digit_classifier.xml)
[[ "$output" == "f32[1,10]"* ]] || { echo "linked: $output"; exit 1; }

# The program was built elsewhere, of the same sources.
commands=0
while read -r -a words; do
  output=$("$dovetail" "${words[@]:1}" 2>&1) || { echo "FAILED: ${words[*]}: $output"; exit 1; }
  case ${words[1]} in
    devices) [[ "$output" == *"SAMPLE"*"Sample backend"* ]] ;;
    query) [[ "$output" == *"native"*"reference"* || "$output" == *"reference"*"native"* ]] ;;
    compare) [[ "$output" != *"first that is off"* ]] ;;
  esac || { echo "${words[*]}: $output"; exit 1; }
  commands=$((commands + 1))
done < <(grep -P '^    dovetail .*sample_backend' "$text")
((commands == 4)) || { echo "$commands commands are in $text"; exit 1; }
