#!/bin/bash
# Fails when a query found a path of dependencies, and prints it. Arguments: the query's answer, a graph in
# the language of Graphviz, and the reason why there must be none.
set -euo pipefail

[[ -s "$1" ]] || { echo "$1 is missing or empty: the query did not run"; exit 1; }
if edges=$(grep -e '->' "$1"); then
  echo "$2. These dependencies break it:"
  echo "$edges"
  exit 1
fi
