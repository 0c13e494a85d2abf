#!/bin/bash
# Every case of the developers' shared sets passes on the reference device: shared_cases_test.sh WORKSPACE
# SET [MODELS], both below the shared folder.
set -uo pipefail
workspace=$1 set=$2 models=${3-}

shared=${DOVETAIL_SHARED:-$(dirname "$(realpath "$workspace")")/../shared}
if [[ ! -e $shared/$set/index.tsv ]]; then
  echo "skipped: needs $set of the shared folder, which DOVETAIL_SHARED names"
  exit 0
fi
# The reference device is what others are compared with: it is f32 that is right here, whatever the
# environment asks for.
arguments=("$shared/$set" --device=REFERENCE --precision=f32 --list-failures)
[[ -z $models ]] || arguments+=(--models="$shared/$models")
output=$(tools/dovetail conformance "${arguments[@]}")
status=$?
echo "$output"
# A case that is skipped is one that the reference device does not know yet.
((status == 0)) && [[ $output == *" 0 failed, 0 skipped" ]]
