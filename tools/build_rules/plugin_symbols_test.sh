#!/bin/bash
# Checks that a shared plugin shows its manifest and nothing else. The argument is the plugin.
set -euo pipefail

symbols=$(nm --dynamic --defined-only --format=posix "$1" | cut -d ' ' -f 1)
if [[ "$symbols" != dovetail_plugin_manifest ]]; then
  echo "$1 shows these symbols, instead of dovetail_plugin_manifest alone:"
  echo "${symbols:-none}"
  exit 1
fi
