#!/bin/bash
# Fails when a header of core that a plugin can include does not count in AbiHash. Arguments: the list of the files
# that count, and a file in the root of the source tree.
set -euo pipefail

counted=$(sort "$1")
root=$(dirname "$(realpath "$2")")
# The runtime, its table of extensions and preprocessing are above plugins, and build_id.h only says the hash. The others are for tests.
headers=$(cd "$root" && find core -name '*.h' \
  -not -path '*/testing/*' -not -path 'core/runtime/*' -not -path 'core/preprocess/*' \
  -not -path core/extension/extension_table.h -not -path core/plugin/registry/build_id.h -not -path core/request/scripted_executable.h | sort)
(($(wc -l <<<"$headers") > 100)) || { echo "no headers below $root/core"; exit 1; }

if missing=$(grep -vxFf <(echo "$counted") <<<"$headers"); then
  echo "These do not count; add their targets to abi_hash_header in core/plugin/registry/BUILD.bazel:"
  echo "$missing"
  exit 1
fi
grep -qx 'core/executor/team/work_team.cc' <<<"$counted" || { echo "the executor's sources do not count"; exit 1; }
