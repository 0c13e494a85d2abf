#!/bin/bash
# The example reads its digit, and says what is wrong with a wrong input.
set -euo pipefail
program=examples/digit_classifier/digit_classifier

answer=$("$program")
[[ $answer == "digit 0 with probability 0.9"* ]] || { echo "got: $answer"; exit 1; }

if message=$("$program" no_such_file.npy 2>&1); then
  echo "a picture that is not there was read: $message"
  exit 1
fi
[[ $message == *"no_such_file.npy"* ]] || { echo "got: $message"; exit 1; }
