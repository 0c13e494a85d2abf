#!/bin/bash
# Fails when docs/operations.md is not what the program writes. Arguments: the program and that file.
set -euo pipefail

if ! difference=$(diff "$2" <("$1" operations --format=markdown)); then
  echo "$difference"
  echo "docs/operations.md tells of another table of operations. To write it anew:"
  echo "  bazel run //tools:dovetail -- operations --format=markdown > docs/operations.md"
  exit 1
fi
