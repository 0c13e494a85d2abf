#!/bin/bash
# Runs test programs, the arguments, with the OpenCL drivers of a folder that tools/setup.sh --intel-opencl has made,
# in place of the system's: DOVETAIL_SECOND_OPENCL names it; without that it is the one that the script makes. Where
# that is not there, there is nothing to run.
set -uo pipefail

folder=${DOVETAIL_SECOND_OPENCL-}
if [[ -z "$folder" ]]; then
  # HOME is the test's own.
  folder="$(getent passwd "$(id -u)" | cut -d: -f6)/.cache/dovetail/intel-opencl"
  if [[ ! -d "$folder/vendors" ]]; then
    echo "second_driver_test: skipped, as no second OpenCL driver is in $folder (tools/setup.sh --intel-opencl)," \
      "and DOVETAIL_SECOND_OPENCL names no other folder"
    exit 0
  fi
fi
if [[ ! -d "$folder/vendors" ]]; then
  echo "second_driver_test: DOVETAIL_SECOND_OPENCL is '$folder', which has no folder 'vendors'" >&2
  exit 1
fi
export OCL_ICD_VENDORS="$folder/vendors" LD_LIBRARY_PATH="$folder/lib"

log="$TEST_TMPDIR/log"
failed=0
for program in "$@"; do
  # Each writes a report of its own, which is not this test's.
  if ! XML_OUTPUT_FILE= "./$program" >"$log" 2>&1; then
    echo "$program failed with the drivers of $folder:"
    cat "$log"
    failed=1
  elif ! grep -q '\[  PASSED  \] [1-9]' "$log"; then
    echo "$program found no device, or has no tests for it:"
    cat "$log"
    failed=1
  else
    echo "$program passed"
  fi
done
exit $failed
