#!/bin/bash
# Runs the commands of docs/custom_gpu_kernels.md. The argument is the program.
set -euo pipefail

dovetail=$1
if ! message=$("$dovetail" query examples/data/models/digit_classifier.xml --device=GPU 2>&1); then
  [[ "$message" == *"no OpenCL device"* ]] || { echo "$message"; exit 1; }
  echo "skipped: $message"
  exit 0
fi
expect() { # what is printed, what has to be in it
  [[ "$1" == *"$2"* ]] || { echo "$1"; echo "That has no '$2'."; exit 1; }
}

model=examples/data/models/digit_classifier.xml
kernels=--config=CONFIG_FILE=examples/custom_gpu_kernel/kernels.xml
expect "$("$dovetail" query $model --device=GPU $kernels)" "custom kernel examples/custom_gpu_kernel/kernels.xml:2"
expect "$("$dovetail" query $model --device=GPU $kernels)" "custom kernel 'ReLU' computes "
expect "$("$dovetail" profile $model --device=GPU $kernels)" "custom relu"
picture=--input=0=examples/data/pictures/digit_7.png
own=$("$dovetail" run $model $picture --top=1 --device=GPU)
custom=$("$dovetail" run $model $picture --top=1 --device=GPU $kernels)
label() { grep -oP '^ *\d+ ' <<<"$1" | tail -1; }
[[ -n "$(label "$own")" && "$(label "$own")" == "$(label "$custom")" ]] || {
  echo "$own"
  echo "$custom"
  exit 1
}
if message=$("$dovetail" run $model $picture --device=GPU --config=CONFIG_FILE=nowhere.xml 2>&1); then exit 1; fi
expect "$message" "nowhere.xml"
