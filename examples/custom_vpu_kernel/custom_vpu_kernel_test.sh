#!/bin/bash
# Runs the commands of docs/custom_vpu_kernels.md. The argument is the program.
set -euo pipefail

dovetail=$1
folder=examples/custom_vpu_kernel
model=examples/data/models/digit_classifier.xml
kernels=--config=CUSTOM_LAYERS=$folder/kernels.xml
expect() { # what is printed, what has to be in it
  [[ "$1" == *"$2"* ]] || { echo "$1"; echo "That has no '$2'."; exit 1; }
}

# A query needs no driver.
expect "$("$dovetail" query $model --device=VPU $kernels)" "custom kernel $folder/kernels.xml:2"
expect "$("$dovetail" query $model --device=VPU $kernels)" "custom layer 'ReLU' computes "
if ! message=$("$dovetail" profile $model --device=VPU $kernels 2>&1); then
  [[ "$message" == *"custom kernels "* || "$message" == *"no OpenCL library"* ]] || { echo "$message"; exit 1; }
  echo "skipped: $message"
  exit 0
fi
expect "$message" "shave_custom"

picture=--input=0=examples/data/pictures/digit_7.png
own=$("$dovetail" run $model $picture --top=1 --device=VPU)
custom=$("$dovetail" run $model $picture --top=1 --device=VPU $kernels)
label() { grep -oP '^ *\d+ ' <<<"$1" | tail -1; }
[[ -n "$(label "$own")" && "$(label "$own")" == "$(label "$custom")" ]] || {
  echo "$own"
  echo "$custom"
  exit 1
}

# The stages of an export are those of the kernels.
"$dovetail" compile $model --device=VPU $kernels -o "$TEST_TMPDIR/digits.blob" >/dev/null
expect "$("$dovetail" estimate "$TEST_TMPDIR/digits.blob")" "custom kernel $folder/kernels.xml:2; "

# A compiled kernel stands in place of its source.
expect "$("$dovetail" compile-kernel $folder/relu.cl -o "$TEST_TMPDIR/relu.bin")" "kernel relu(input, output, width, row)"
sed 's/relu\.cl/relu.bin/' $folder/kernels.xml >"$TEST_TMPDIR/kernels.xml"
again=$("$dovetail" run $model $picture --top=1 --device=VPU --config=CUSTOM_LAYERS="$TEST_TMPDIR/kernels.xml")
[[ "$(label "$again")" == "$(label "$custom")" ]] || { echo "$again"; exit 1; }

refuse() { # what has to be in the message, words
  local want=$1
  shift
  if message=$("$dovetail" "$@" 2>&1); then echo "$* is taken"; exit 1; fi
  expect "$message" "$want"
}
refuse "nowhere.xml" run $model $picture --device=VPU --config=CUSTOM_LAYERS=nowhere.xml
sed 's/width; ++x/wide; ++x/' $folder/relu.cl >"$TEST_TMPDIR/wrong.cl"
refuse "wrong.cl:24" compile-kernel "$TEST_TMPDIR/wrong.cl" -o "$TEST_TMPDIR/wrong.bin"
refuse "no -o FILE" compile-kernel $folder/relu.cl
refuse "nowhere.cl" compile-kernel nowhere.cl -o "$TEST_TMPDIR/wrong.bin"
refuse "has several kernels, line_sums, scale; give --entry" \
  compile-kernel testing/shave_kernels/mvn.cl -o "$TEST_TMPDIR/wrong.bin"
