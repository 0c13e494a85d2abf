#!/bin/bash
# Checks that a shared library shows the C function of its manifest and nothing else. The arguments are the library
# and the function.
set -euo pipefail

symbols=$(nm --dynamic --defined-only --format=posix "$1" | cut -d ' ' -f 1)
if [[ "$symbols" != "$2" ]]; then
  echo "$1 shows these symbols, instead of $2 alone:"
  echo "${symbols:-none}"
  exit 1
fi
