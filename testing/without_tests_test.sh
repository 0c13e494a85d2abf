#!/bin/bash
# Checks that a test program without a test fails. The argument is such a program.
if "$1"; then
  echo "$1 passed"
  exit 1
fi
