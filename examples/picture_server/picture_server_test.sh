#!/bin/bash
# Each picture of a digit is answered once, whatever the threads and the device; a file that is none gets its reason
# and harms no other.
set -euo pipefail
program=examples/picture_server/picture_server
model=examples/data/models/digit_classifier.xml
pictures=(examples/data/pictures/digit_*.png)
((${#pictures[@]} == 10)) || { echo "${#pictures[@]} pictures"; exit 1; }

for device in AUTO:REFERENCE REFERENCE; do
  answers=$(for i in 1 2 3 4 5; do printf '%s\n' "${pictures[@]}"; done | "$program" $model $device 8)
  (($(wc -l <<<"$answers") == 50)) || { echo "on $device: $answers"; exit 1; }
  for digit in 0 1 2 3 4 5 6 7 8 9; do
    (($(grep -c "digit_$digit.png: class $digit, .* by REFERENCE" <<<"$answers") == 5)) ||
      { echo "digit $digit on $device: $answers"; exit 1; }
  done
done

if answers=$(printf 'no_such_file.png\n%s\n' "${pictures[3]}" | "$program" $model AUTO:REFERENCE 2); then
  echo "a picture that is not there was read: $answers"
  exit 1
fi
[[ $answers == *"no_such_file.png: NOT_FOUND"* && $answers == *"digit_3.png: class 3"* ]] || { echo "$answers"; exit 1; }

if message=$("$program" $model AUTO:NONE </dev/null 2>&1); then exit 1; fi
[[ $message == *"'NONE'"* ]] || { echo "$message"; exit 1; }
