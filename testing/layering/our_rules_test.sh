#!/bin/bash
# Fails when a BUILD file declares a C++ target without the rules of tools/build_rules, which check what it
# depends on. The argument is a file in the root of the source tree: all BUILD files below it are read, so
# that a new package cannot be forgotten.
set -euo pipefail

root=$(dirname "$(realpath "$1")")
mapfile -t files < <(cd "$root" && find backends core extensions testing tools transformations \
  -name BUILD.bazel -o -name BUILD 2>/dev/null)
((${#files[@]} > 5)) || { echo "no BUILD files below $root"; exit 1; }

cd "$root"
if grep -nE '^[^#]*\b(native\.)?cc_(library|binary|test|import)\(' "${files[@]}" | grep -vE '\bdovetail_cc_\w+\('; then
  echo "These use Bazel's own C++ rules. Please use those of tools/build_rules/cc.bzl."
  exit 1
fi
