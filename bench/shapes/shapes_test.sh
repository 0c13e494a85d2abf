#!/bin/bash
# A model of unknown lengths, two of them, and what is no list of shapes. Argument: the program.
set -uo pipefail
shapes=$PWD/$1
cd "$TEST_TMPDIR" || exit 1

dims() { printf '<port id="%s" precision="FP32"><dim>-1</dim><dim>4</dim></port>' "$1"; }
cat > model.xml <<XML
<?xml version="1.0"?>
<net name="lengths" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="?,4" element_type="f32"/><output>$(dims 0)</output>
    </layer>
    <layer id="1" name="relu" type="ReLU" version="opset1">
      <input>$(dims 0)</input><output>$(dims 1)</output>
    </layer>
    <layer id="2" name="y" type="Result" version="opset1"><input>$(dims 0)</input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
  </edges>
</net>
XML

# What is printed for a list matches a pattern.
expect() {
  local list=$1 pattern=$2
  shift 2
  printf '%b' "$list" > list
  local output
  output=$("$shapes" model.xml list "$@" 2>&1)
  [[ $output =~ $pattern ]] || { echo "FAILED: '$list' $*: $output"; exit 1; }
}

expect '3,4\n5,4\n' '^ms of a new shape: [0-9.]+, of one seen before: [0-9.]+$' NUM_STREAMS=1
expect '3,0\n' 'extent "0" of shape "3,0" is no number from 1 on'
expect '3,4 3,4\n' 'more shapes than the 1 inputs'
expect '\n' 'fewer shapes than the 1 inputs'
expect '' 'has no lines'
expect '3,5\n' '^shapes: .*5'
expect '3,4\n' 'argument "NUM_STREAMS" is no property' NUM_STREAMS
rm list
output=$("$shapes" model.xml list 2>&1)
[[ $output == *'no list "list"'* ]] || { echo "FAILED: a list that is not there: $output"; exit 1; }
