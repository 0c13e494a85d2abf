#!/bin/bash
# The program with devices that it is built without: every command that takes a device, on plugins that it loads.
# And the commands of docs/plugins.md, with the plugins.xml that stands there. Arguments: the program without devices,
# the library of REFERENCE, and one of operations.
set -uo pipefail
dovetail=$1
library=$2
operations=$3
classifier=examples/data/models/digit_classifier.xml
picture=examples/data/pictures/digit_7.png
work=$TEST_TMPDIR/plugins
failures=0

# expect CODE 'PATTERN' WORDS...: the program's exit code, and a glob that its whole output matches.
expect() {
  local code=$1 pattern=$2 output status
  shift 2
  output=$("$dovetail" "$@" 2>&1)
  status=$?
  # shellcheck disable=SC2053
  [[ $status == "$code" && $output == $pattern ]] && return
  echo "FAILED: $*: want $code, $pattern; got $status: $output"
  failures=$((failures + 1))
}

# ---- Without any plugin ------------------------------------------------------------------------------

expect 0 '' devices
expect 2 'dovetail: *no device*' run $classifier --input=0=$picture
expect 2 "dovetail: there is no device 'REFERENCE'*none*" run $classifier --input=0=$picture --device=REFERENCE

# ---- A file, a folder, a name ------------------------------------------------------------------------

mkdir -p "$work/lib"
ln -sf "$PWD/$library" "$work/lib/interpreter_plugin.so"
expect 0 "REFERENCE  *plugin: reference interpreter; build *; from $library*" devices --plugin="$library"
expect 0 '*REFERENCE*' devices --plugin="$work/lib"
DOVETAIL_PLUGIN_PATH=$work/nothing:$work/lib expect 0 '*REFERENCE*' devices --plugin=interpreter
expect 0 "*$work/none.so  not available: *no plugin library*" devices --plugin="$work/none.so"
expect 2 "dovetail: --plugin=$work/none.so: *" run $classifier --input=0=$picture --plugin="$work/none.so"
expect 2 "dovetail: --plugin=nobody: *DOVETAIL_PLUGIN_PATH*" run $classifier --input=0=$picture --plugin=nobody

# ---- Every command -----------------------------------------------------------------------------------

loaded=--plugin=$library
expect 0 'probabilities*   7  0.*' run $classifier --input=0=$picture --top=1 "$loaded"
expect 0 'probabilities*   7  0.*' run $classifier --input=0=$picture --top=1 "$loaded" --device=TEMPLATE
expect 0 'probabilities*   7  0.*' run $classifier --input=0=$picture --top=1 "$loaded" "$loaded"
expect 0 '*throughput *' benchmark $classifier --seconds=0.05 "$loaded"
expect 0 '*Convolution*' profile $classifier --seconds=0.05 "$loaded"
expect 0 '*Convolution-1*REFERENCE*' query $classifier "$loaded"
expect 0 '*operations*' inspect $classifier --device=REFERENCE "$loaded"
expect 0 '*Softmax-8 *REFERENCE*' operations "$loaded"
export=$work/classifier.exported
expect 0 "$export * for REFERENCE *" compile $classifier -o "$export" "$loaded"
expect 0 'probabilities*   7  0.*' run "$export" --input=0=$picture --top=1 "$loaded"
expect 0 'probabilities*   7  0.*' run "$export" --input=0=$picture --top=1 "$loaded" --device=TEMPLATE
expect 2 "dovetail: '$export': there is no device 'REFERENCE'*none*" run "$export" --input=0=$picture
mkdir -p "$work/set/right"
printf 'case\tmodel\ttolerance\nright\tdigit_classifier.xml\t1e-4\n' >"$work/set/index.tsv"
cp examples/data/expected/inputs/digit_0.npy "$work/set/right/in0.npy"
cp examples/data/expected/digit_classifier/digit_0.npy "$work/set/right/out0.npy"
expect 0 '*1 passed, 0 failed, 0 skipped' conformance "$work/set" --models=examples/data/models "$loaded"

# ---- Operations of one's own -------------------------------------------------------------------------

cat >"$work/squash.xml" <<'XML'
<net name="squash" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="1,1,32,32" element_type="f32"/>
      <output><port id="0" precision="FP32" names="x"/></output>
    </layer>
    <layer id="1" name="squash" type="Squash" version="test"><data scale="2"/>
      <input><port id="0"/></input>
      <output><port id="1" precision="FP32" names="y"/></output>
    </layer>
    <layer id="2" name="y/result" type="Result" version="opset1"><input><port id="0"/></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
  </edges>
</net>
XML
squash=$work/squash.xml
added=--extension=$operations
expect 2 "dovetail: *layer 'squash'*'test'*" inspect "$squash" "$loaded"
expect 2 "dovetail: --extension=$library: '$library' is no Dovetail extension*" inspect "$squash" "--extension=$library"
expect 0 "$library  not available: *no Dovetail extension*" devices "--extension=$library"
expect 0 "REFERENCE*extension test_operations *from $operations*test.Squash*" devices "$loaded" "$added"
expect 0 'y *' run "$squash" --input=0=examples/data/expected/inputs/digit_0.npy "$loaded" "$added"
expect 0 '*throughput *' benchmark "$squash" --seconds=0.05 "$loaded" "$added"
expect 0 '*Squash*' profile "$squash" --seconds=0.05 "$loaded" "$added"
expect 0 '*Squash-1*REFERENCE*' query "$squash" "$loaded" "$added"
expect 0 '*Squash*' inspect "$squash" "$loaded" "$added"
expect 0 '*Softmax-8 *REFERENCE*' operations "$loaded" "$added"
expect 0 "$work/squash.exported * for REFERENCE *" compile "$squash" -o "$work/squash.exported" "$loaded" "$added"
expect 0 '*throughput *' benchmark "$work/squash.exported" --seconds=0.05 "$loaded" "$added"
expect 2 "dovetail: *extension 'test_operations', which is not there*" benchmark "$work/squash.exported" "$loaded"
expect 0 '*1 passed, 0 failed, 0 skipped' conformance "$work/set" --models=examples/data/models "$loaded" "$added"

# ---- plugins.xml -------------------------------------------------------------------------------------

cat >"$work/plugins.xml" <<'XML'
<ie>
  <plugins>
    <plugin name="REFERENCE" location="lib/interpreter_plugin.so">
      <properties>
        <property key="NUM_STREAMS" value="3"/>
      </properties>
    </plugin>
  </plugins>
</ie>
XML
expect 0 '*NUM_STREAMS *3  (device)*' devices --plugin="$work/plugins.xml"
expect 0 'probabilities*   7  0.*' run $classifier --input=0=$picture --top=1 --plugin="$work/plugins.xml"
expect 0 '*1 passed*' conformance "$work/set" --models=examples/data/models --plugin="$work/plugins.xml"
echo '<ie><plugins><plugin location="x"/></plugins></ie>' >"$work/wrong.xml"
expect 2 "dovetail: --plugin=$work/wrong.xml: '$work/wrong.xml': <plugin> at byte *name*" \
  query $classifier --plugin="$work/wrong.xml"
expect 0 "$work/wrong.xml  not available: *<plugin>*name*" devices --plugin="$work/wrong.xml"

# ---- docs/plugins.md ---------------------------------------------------------------------------------

text=$PWD/docs/plugins.md
sed -n '/^```xml$/,/^```$/{/^```/!p}' "$text" >"$work/plugins.xml"
ln -sfn "$PWD/examples" "$work/examples"
dovetail=$PWD/$dovetail
cd "$work" || exit 1
commands=0
while read -r -a words; do
  expect 0 '*' "${words[@]:1}"
  commands=$((commands + 1))
done < <(grep -P '^    dovetail ' "$text")
((commands == 3)) || { echo "$commands commands are in $text"; exit 1; }

((failures == 0)) || { echo "$failures failures"; exit 1; }
