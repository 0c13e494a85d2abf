#!/bin/bash
# Every case of the developers' shared sets passes on a device: shared_cases_test.sh DEVICE WORKSPACE SET
# [MODELS], both below the shared folder. On the reference device in f32, on others in what they prefer.
set -uo pipefail
device=$1 workspace=$2 set=$3 models=${4-}

# Or nothing would be found beside it, and everything skipped.
[[ -e $workspace ]] || { echo "there is no file '$workspace': want DEVICE WORKSPACE SET [MODELS]"; exit 1; }
shared=${DOVETAIL_SHARED:-$(dirname "$(realpath "$workspace")")/../shared}
if [[ ! -e $shared/$set/index.tsv ]]; then
  echo "skipped: needs $set of the shared folder, which DOVETAIL_SHARED names"
  exit 0
fi
# The reference device is what others are compared with: it is f32 that is right there, whatever the
# environment asks for.
[[ $device == REFERENCE ]] && precision=f32 || precision=default
arguments=("$shared/$set" --device="$device" --precision="$precision" --list-failures)
[[ -z $models ]] || arguments+=(--models="$shared/$models")
output=$(tools/dovetail conformance "${arguments[@]}")
status=$?
echo "$output"
# A case that is skipped is one that the reference device does not know yet.
((status == 0)) && [[ $output == *" 0 failed, 0 skipped" ]]
