#!/bin/bash
# Fails when README.md or a text in docs names a class, function, macro or property that no source declares.
# The arguments are a file in the root of the source tree and undeclared_names.pl.
set -euo pipefail

root=$(dirname "$(realpath "$1")")
undeclared=$(realpath "$2")
cd "$root"

# First that the check finds what is wrong, and nothing else.
sample=$TEST_TMPDIR/sample.md
cat >"$sample" <<'END'
There are Core::Compile, dovetail::Tensor, ProfilingRecord::Kind::kLayer, HostPlugin::CacheIdentity of its base,
properties::kNumStreams, `PluginCall`, `PropertySchema::AddAlias`, `DOVETAIL_PLUGIN`, `NUM_STREAMS`, `Gelu` and std::move.
There are no Core::MadeUp, MadeUpClass::Compile, Plugin::params (a parameter), properties::kMadeUp, `MadeUpClass`,
`DOVETAIL_MADE_UP` and `MADE_UP_KEY`.

| OpenVINO 2.0 | Dovetail |
|---|---|
| `ElsewhereOnly`, Core::ElsewhereToo | Core::MadeUpInTable |
END
expected="Core::MadeUp
Core::MadeUpInTable
DOVETAIL_MADE_UP
MADE_UP_KEY
MadeUpClass
MadeUpClass::Compile
Plugin::params
properties::kMadeUp"
found=$(perl "$undeclared" . "$sample" | sed 's/^[^ ]*: //; s/ is declared nowhere$//')
[[ $found == "$expected" ]] || { echo "in the sample were found: $found"; exit 1; }

problems=$(perl "$undeclared" . README.md docs/*.md)
[[ -z $problems ]] || { echo "$problems"; exit 1; }
