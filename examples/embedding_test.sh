#!/bin/bash
# Builds and runs the workspace examples/embedding as a user does. The argument is a file in the root of the
# source tree.
set -euo pipefail

root=$(dirname "$(realpath "$1")")

# The inner Bazel keeps what it builds inside the outer one's output base, so that the next run starts from
# there and "bazel clean --expunge" takes it along. In a batch it leaves no server behind, even when the test
# is stopped half-way, and can wait for no lock that the outer one holds.
inner=${TEST_SRCDIR%%/execroot/*}/embedding_test
start=(--batch "--output_user_root=$inner" --nohome_rc)
# As the outer one does it; no links to outputs, which would go into the source tree.
flags=(
  "--disk_cache=${TEST_SRCDIR%%/execroot/*}/examples_disk_cache"
  --incompatible_strict_action_env
  --noshow_progress
  --spawn_strategy=processwrapper-sandbox,local
  --symlink_prefix=/
)

# Digits of f32 are expected, whatever the tests around run in.
export DOVETAIL_INFERENCE_PRECISION_HINT=f32

cd "$root/examples/embedding"
if ! output=$(bazel "${start[@]}" run "${flags[@]}" //:embedding); then
  echo "$output"
  exit 1
fi
echo "$output"

# REFERENCE and no other: linking one backend links no other.
[[ "$output" == $'devices: REFERENCE\nprobabilities: 0.09003'*' 0.24472'*' 0.66524'* ]] || {
  echo "That is not what was to be expected."
  exit 1
}
