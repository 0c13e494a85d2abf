#!/bin/bash
# The program as a user has it: every command on models of examples/, and wrong uses, each one line and
# exit code 2.
set -uo pipefail
dovetail=tools/dovetail
data=examples/data
models=$data/models
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# expect CODE 'PATTERN' WORDS...: the program's exit code, and a glob that its whole output matches.
expect() {
  local code=$1 pattern=$2
  shift 2
  local output status
  output=$("$dovetail" "$@" 2>&1)
  status=$?
  ((status == code)) || fail "$*: exit code $status, want $code: $output"
  # shellcheck disable=SC2053
  [[ $output == $pattern ]] || fail "$*: want $pattern, got: $output"
}

# expect_error 'PATTERN' WORDS...: wrong use is one line on stderr, nothing on stdout, and exit code 2.
expect_error() {
  local pattern=$1
  shift
  expect 2 "dovetail: $pattern" "$@"
  [[ -z $("$dovetail" "$@" 2>/dev/null) ]] || fail "$*: writes to stdout"
  (($("$dovetail" "$@" 2>&1 >/dev/null | wc -l) == 1)) || fail "$*: more than one line"
}

# ---- What it does ------------------------------------------------------------------------------------

expect 0 '*usage: dovetail COMMAND*conformance*' --help
expect 0 '*--input=INPUT=FILE*' run --help
expect 0 '*usage: dovetail compile MODEL*-o FILE, --output=FILE*' compile --help
expect 0 '*REFERENCE*FULL_DEVICE_NAME*' devices
expect 0 '{"devices":*"name":"REFERENCE"*"unavailable":*' devices --format=json

expect 0 '*Softmax-8 *REFERENCE*' operations
expect 0 '*Softmax-8 *REFERENCE*' operations --device=REFERENCE
expect 0 '*| Softmax-8 | SoftMax | 8-17 | * | reference |*' operations --format=markdown
expect 0 '{"operations":*"type":"Softmax","version":8,"ir_type":"SoftMax"*' operations --format=json

classifier=$models/digit_classifier.xml
expect 0 'probabilities  f32?1,10?*   0  0.9*' \
  run $classifier --input=0=$data/expected/inputs/digit_0.npy --top=1
expect 0 'probabilities*min*max*mean*first*' run $classifier --input=picture=$data/pictures/digit_7.png
expect 0 'probabilities*   7  0.8*' run $classifier --input=0=$data/pictures/digit_7.png --resize=linear --top=1
expect 0 '*u8?1,?,?,1?*Interpolate*' inspect $classifier --resize=area
expect_error "*--resize=big: want linear, cubic*" run $classifier --resize=big
expect_error "*--picture-size needs --resize*" inspect $classifier --picture-size=4x4
expect 0 '*u8?1,?,?,1?*u8?1,?,?,2?*NV12toRGB*' inspect $classifier --color=NV12_TWO_PLANES
expect_error "*--color=NV21: want NV12_SINGLE_PLANE*" inspect $classifier --color=NV21
expect_error "*digit_7.png*pictures are .npy or raw files*" \
  run $classifier --color=I420_SINGLE_PLANE --input=0=$data/pictures/digit_7.png
expect 0 '*f32?1,32,32,1?*Transpose*' inspect $classifier --layout=picture=NHWC:NCHW
expect_error "*--layout=0=NHWC: want --layout=INPUT=GIVEN:MODEL*" inspect $classifier --layout=0=NHWC
expect 0 'boxes*   9  *1.000*' run $models/digit_detector.xml --input=0=$data/pictures/scene_0.png --boxes=0.5
expect 0 '*"boxes":?{"label":9.0,*' \
  run $models/digit_detector.xml --input=0=$data/pictures/scene_0.png --resize=nearest --rgb --boxes=0.9 --format=json
expect 0 '*no layer has to stay in f32*' compare $classifier --devices=REFERENCE,REFERENCE --find-sensitive=1e-3
expect 0 '{"layers":*"candidates":5,*' compare $classifier --devices=REFERENCE --find-sensitive=0 --format=json
expect_error "*cannot write none/x.xml: there is no folder none*" \
  compare $classifier --devices=REFERENCE --find-sensitive=0 --write=none/x.xml
expect_error "*flag --html needs the name of a file*" compare $classifier --html=
expect_error "*--write needs --find-sensitive*" compare $classifier --write=x.xml
printf '%s\n' zero one two three four five six seven eight nine >"$TEST_TMPDIR/labels.txt"
expect 0 '*7  *seven*' run $classifier --input=0=$data/pictures/digit_7.png \
  --labels="$TEST_TMPDIR/labels.txt"
expect 0 '{"device":"REFERENCE","outputs":?{"name":"probabilities","type":"f32","shape":?1,10?*"top":*' \
  run $classifier --device=REFERENCE --input=0=$data/pictures/digit_7.png --top=2 --format=json
expect 0 'probabilities  f32?2,10?*' run $classifier --batch=2 --input=0=$data/pictures/digit_7.png

expect 0 '*' run $classifier --input=0=$data/pictures/digit_1.png --output-dir="$TEST_TMPDIR/out"
[[ -s $TEST_TMPDIR/out/out0.npy ]] || fail "no out0.npy was written"

expect 0 '*load *latency *throughput *' benchmark $classifier --seconds=0.05
expect 0 '*"load_ms":*"latency_median_ms":*"throughput_ips":*"iterations":*' \
  benchmark $classifier --seconds=0.05 --requests=2 --format=json

expect 0 '*Convolution-1*REFERENCE  reference*layers can run*' query $classifier --device=REFERENCE
if grep -q "^VPU  Simulator" <<<"$("$dovetail" devices)"; then
  expect 0 '*compute NCE*us in * stages of * layers*clock_mhz = 900*' \
    estimate $classifier --sweep=clock_mhz=900 --csv="$TEST_TMPDIR/stages.csv"
  grep -q '^"[^"]*","Convolution",.*,NCE,' "$TEST_TMPDIR/stages.csv" || fail 'estimate --csv has no convolution'
  expect 0 '{"microseconds":*"stages":*' estimate $classifier --format=json
  echo 'clock_mhz = 1 GHz' >"$TEST_TMPDIR/chip.txt"
  expect_error '*chip.txt, line 1: *its unit, MHz*' estimate $classifier --machine="$TEST_TMPDIR/chip.txt"
  expect_error "a machine has no 'clock_mh'; did you mean 'clock_mhz'?" estimate $classifier --sweep=clock_mh=1
  # Programs as bytes and as text are the same.
  program=$TEST_TMPDIR/program
  expect 0 '*memory: CMX *KiB*by unit: *NCE *by bound: *' estimate $classifier --program="$program.vpu"
  expect 0 '*' estimate "$program.vpu" --program="$program.txt"
  expect 0 '*by unit: *NCE *' estimate "$program.txt" --program="$program.again"
  cmp "$program.vpu" "$program.again" || fail 'a program that went through text is another'
  expect 0 '*requests *1/s *device; DDR*    4 *' estimate "$program.vpu" --requests=1,4
  expect 0 '*"loops":*"requests":2,*"device_us":*' estimate $classifier --requests=2 --format=json
  expect 0 '*' estimate $classifier --requests=2 --html="$TEST_TMPDIR/vpu.html" --trace="$TEST_TMPDIR/vpu.json"
  grep -q '"roofline":' "$TEST_TMPDIR/vpu.html" || fail 'estimate --html has no roofline'
  grep -q '"NCE 1"' "$TEST_TMPDIR/vpu.json" || fail 'estimate --trace has no second engine'
  expect_error "*cannot write*" estimate $classifier --html="$TEST_TMPDIR/no/such/folder"
  expect_error "*--requests: 'two' is no number*" estimate $classifier --requests=two
  expect_error '*a closed loop of 0 requests: want 1 to 64*' estimate $classifier --requests=0
  expect_error '*--sweep: *is a program, compiled already*' estimate "$program.txt" --sweep=clock_mhz=1
  sed 's/kind=convolution/kind=konvolution/' "$program.txt" >"$TEST_TMPDIR/wrong.txt"
  expect_error '*wrong.txt, line *kind=konvolution, want one of input, convolution*' estimate "$TEST_TMPDIR/wrong.txt"
  head -c 300 "$program.vpu" >"$TEST_TMPDIR/short.vpu"
  expect_error '*short.vpu*cut short*' estimate "$TEST_TMPDIR/short.vpu"
  expect 0 '*' compile $classifier --device=VPU --output="$TEST_TMPDIR/vpu.blob"
  expect 0 '*by unit: *NCE *' estimate "$TEST_TMPDIR/vpu.blob"
else
  expect_error '*is left out of this build*' estimate $classifier
  expect_error '*is left out of this build*' compile-kernel kernel.cl
fi
expect 0 '*input *picture*f32*operations*Convolution-1*' inspect $classifier
expect 0 '*"macs":*' inspect $classifier --format=json
expect 0 '*' inspect $classifier --dot="$TEST_TMPDIR/graph.dot"
grep -q 'digraph model' "$TEST_TMPDIR/graph.dot" || fail "no graph was written"
expect 0 '*operations*' inspect $classifier --device=REFERENCE
expect 0 '*operations*' inspect $classifier --device=REFERENCE --precision=f32 --execution="$TEST_TMPDIR/execution.tsv"
grep -q $'Convolution\treference_f32\tf32\tf32\tplain\tREFERENCE' "$TEST_TMPDIR/execution.tsv" ||
  fail "inspect wrote no table of how layers run"
expect 0 '*by operation and kernel*' profile $classifier --device=REFERENCE --seconds=0.05 \
  --execution="$TEST_TMPDIR/execution.xml"
grep -q 'name="execTimeMcs" version="" value="[0-9]' "$TEST_TMPDIR/execution.xml" ||
  fail "profile wrote no times of layers"
expect_error '*cannot write*' inspect $classifier --device=REFERENCE --execution="$TEST_TMPDIR/no/such/folder"

# ---- Exported models ---------------------------------------------------------------------------------

# flip FILE OFFSET: turns every bit of one byte.
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf %b "\\x$(printf %02x $((byte ^ 255)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

digit_7=--input=0=$data/pictures/digit_7.png

# numbers FILE: the f32 of an .npy file, each on a line.
numbers() {
  local header
  read -r -a header < <(od -An -tu1 -j 8 -N 2 "$1")
  od -An -v -tf4 -w4 -j $((10 + header[0] + 256 * header[1])) "$1"
}

# same_outputs FILE RIGHT: the same bytes; of the default device also numbers that are as close as roundings, as each
# process measures the machine, and chooses kernels by that.
same_outputs() {
  cmp -s "$1" "$2" && return 0
  [[ $device == default ]] || return 1
  paste <(numbers "$1") <(numbers "$2") |
    awk 'NF != 2 || /nan|inf/ || ($1 - $2) ^ 2 > 1e-4 { wrong = 1 } END { exit wrong || NR == 0 }'
}

# expect_never_wrong FILE RIGHT: run gives the outputs in the folder RIGHT, or one line on stderr and exit code 2,
# which counts in `refused`.
refused=0
expect_never_wrong() {
  local out=$TEST_TMPDIR/out_damaged status
  rm -rf "$out"
  "$dovetail" run "$1" $digit_7 --output-dir="$out" >"$TEST_TMPDIR/stdout" 2>"$TEST_TMPDIR/stderr"
  status=$?
  if ((status == 0)); then
    same_outputs "$out/out0.npy" "$2/out0.npy" || fail "a damaged model gives other outputs: $1"
  else
    ((status == 2)) || fail "a damaged model: exit code $status: $1"
    [[ ! -s $TEST_TMPDIR/stdout ]] || fail "a damaged model: writes to stdout: $1"
    (($(wc -l <"$TEST_TMPDIR/stderr") == 1)) || fail "a damaged model: not one line on stderr: $1"
    refused=$((refused + 1))
  fi
}

# For REFERENCE, and for the device that is the default.
for device in REFERENCE default; do
  choice=()
  [[ $device == default ]] || choice=("--device=$device")
  export=$TEST_TMPDIR/$device.exported
  expect 0 "$export  * MB  for * ms" compile $classifier "${choice[@]}" -o "$export"
  [[ -s $export ]] || fail "no exported model was written"
  # The second file may be of another size: what kernels are chosen by is measured in each process.
  told=$("$dovetail" compile $classifier "${choice[@]}" --output="$export" --format=json)
  # shellcheck disable=SC2053
  [[ $told == "{\"file\":\"$export\",\"bytes\":$(stat -c %s "$export"),\"device\":\""*"\",\"compile_ms\":"*",\"export_ms\":"*"}" ]] ||
    fail "compile --format=json: $told"

  right=$TEST_TMPDIR/out_$device
  expect 0 '*' run $classifier "${choice[@]}" $digit_7 --output-dir="$right"
  refused=0
  expect_never_wrong "$export" "$right"
  ((refused == 0)) || fail "an exported model is refused: $(cat "$TEST_TMPDIR/stderr")"
  expect 0 'probabilities  f32?1,10?*   7  *' run "$export" $digit_7 --top=1
  expect 0 '*load *latency *throughput *' benchmark "$export" --seconds=0.05
  expect 0 '*by operation and kernel*' profile "$export" --seconds=0.05
  expect 0 '*input *picture*f32*operations*' inspect "$export"
  expect 0 "*against $export on *Convolution *as it is *probabilities*no layer is off by itself*" \
    compare $classifier "${choice[@]}" --exported="$export"

  size=$(stat -c %s "$export")
  damaged=$TEST_TMPDIR/damaged.exported
  for ((i = 0; i < 24; ++i)); do
    cp "$export" "$damaged"
    flip "$damaged" $((i * size / 24))
    expect_never_wrong "$damaged" "$right"
  done
  head -c $((size / 2)) "$export" >"$damaged"
  expect_never_wrong "$damaged" "$right"
  ((refused > 1)) || fail "damaged exports for $device are hardly ever noticed: $refused"
  expect_error "*damaged.exported*" run "$damaged" $digit_7
  expect_error "*damaged.exported*" inspect "$damaged"
done

# What passes move from one layer to the next, as they do with quantized numbers, is no error.
quantized=$models/digit_classifier_int8.xml
expect 0 '*' compile $quantized -o "$TEST_TMPDIR/int8.exported"
expect 0 '*no layer is off by itself*' compare $quantized --exported="$TEST_TMPDIR/int8.exported"

export=$TEST_TMPDIR/REFERENCE.exported
expect 0 '{"device":"REFERENCE",*' run "$export" $digit_7 --format=json
expect 0 '{"device":"REFERENCE",*' benchmark "$export" --seconds=0.05 --format=json
expect 0 'probabilities  f32?1,10?*' run "$export" --device=REFERENCE --threads=1 $digit_7
expect_error "*REFERENCE.exported*REFERENSE*REFERENCE*" run "$export" --device=REFERENSE $digit_7
default=$("$dovetail" run "$TEST_TMPDIR/default.exported" $digit_7 --format=json | sed 's/{"device":"\([^"]*\)".*/\1/')
if [[ $default != REFERENCE ]]; then
  expect_error "*REFERENCE.exported*exported for device REFERENCE, not for $default*" \
    benchmark "$export" --device="$default"
fi
for flag in --shape=0=2,1,28,28 --batch=2 --weights=x.bin --color=RGBX --layout=0=NHWC:NCHW; do
  for command in run benchmark profile inspect; do
    expect_error "${flag%%=*}: '$export' is an exported model, compiled already; *" $command "$export" "$flag"
  done
done
expect_error "*is an exported model, which is no model's source: *" query "$export"
expect_error "*is an exported model, which is no model's source: *" compile "$export" -o "$TEST_TMPDIR/again"
expect_error "*is an exported model, which is no model's source: *" conformance "$export"
mkdir -p "$TEST_TMPDIR/exported_set/case"
printf 'case\tmodel\ttolerance\ncase\tREFERENCE.exported\t1\n' >"$TEST_TMPDIR/exported_set/index.tsv"
expect_error "*is an exported model, which is no model's source: *" \
  conformance "$TEST_TMPDIR/exported_set" --models="$TEST_TMPDIR"

expect_error "no -o FILE, *" compile $classifier
expect_error "want one model, got 0" compile -o "$TEST_TMPDIR/x"
expect_error "*no_such.xml*" compile no_such.xml -o "$TEST_TMPDIR/x"
expect_error "*REFERENSE*REFERENCE*" compile $classifier --device=REFERENSE -o "$TEST_TMPDIR/x"
if [[ $("$dovetail" devices --format=json) == *'"name":"NULL"'* ]]; then
  expect_error "device NULL: *cannot export*" compile $classifier --device=NULL -o "$TEST_TMPDIR/x"
fi
expect_error "*does_not_exist/x*" compile $classifier -o "$TEST_TMPDIR/does_not_exist/x"
expect_error "*/proc/x*" compile $classifier -o /proc/x
expect_error "*no regular file*" compile $classifier -o "$TEST_TMPDIR"
[[ ! -e $TEST_TMPDIR/x ]] || fail "a model that was not compiled is written"
cp $models/digit_classifier.{xml,bin} "$TEST_TMPDIR"
for ending in xml bin; do
  expect_error "-o *.$ending would replace *.$ending, *" \
    compile "$TEST_TMPDIR/digit_classifier.xml" -o "$TEST_TMPDIR/digit_classifier.$ending"
  cmp $models/digit_classifier.$ending "$TEST_TMPDIR/digit_classifier.$ending" || fail "the model was replaced"
done
mkdir -p "$TEST_TMPDIR/read_only"
chmod a-w "$TEST_TMPDIR/read_only"
if [[ ! -w $TEST_TMPDIR/read_only ]]; then  # the superuser may write there
  expect_error "*read_only/x*" compile $classifier -o "$TEST_TMPDIR/read_only/x"
fi

# ---- Sets of cases -----------------------------------------------------------------------------------

# A set of one case that passes, one that does not and one that there is no model for.
set=$TEST_TMPDIR/set
mkdir -p "$set"/{right,wrong,missing}
printf 'case\tmodel\ttolerance\nright\tdigit_classifier.xml\t1e-4\n' >"$set/index.tsv"
cp $data/expected/inputs/digit_0.npy "$set/right/in0.npy"
cp $data/expected/digit_classifier/digit_0.npy "$set/right/out0.npy"
expect 0 'held to the bounds of f32 (1)'$'\n''1 passed, 0 failed, 0 skipped' \
  conformance "$set" --models=$models --device=REFERENCE --precision=f32
expect 0 '{"passed":1,"failed":0,"skipped":0,"bounds":{"f32":1}}' \
  conformance "$set" --models=$models --device=REFERENCE --precision=f32 --format=json
printf 'wrong\tdigit_classifier.xml\t1e-4\nmissing\tnone.xml\t1\n' >>"$set/index.tsv"
cp $data/expected/inputs/digit_0.npy "$set/wrong/in0.npy"
cp $data/expected/digit_classifier/digit_1.npy "$set/wrong/out0.npy"
expect 1 '*FAILED *wrong: output 0: * elements wrong, the worst at*1 passed, 2 failed, 0 skipped' \
  conformance "$set" --models=$models --device=REFERENCE --precision=f32 --junit="$TEST_TMPDIR/junit.xml"
grep -q 'tests="3" failures="2"' "$TEST_TMPDIR/junit.xml" || fail "no JUnit file was written"
expect 1 '*FAILED *wrong: request 0 of 3: output 0: *1 passed, 2 failed, 0 skipped' \
  conformance "$set" --models=$models --device=REFERENCE --precision=f32 --requests=3
# On the default device, in the precision that it takes by default.
expect 0 'held to the bounds of *f* (1)'$'\n''1 passed, 0 failed, 0 skipped' \
  conformance "$set" --models=$models --filter='righ?'

# ---- Wrong uses --------------------------------------------------------------------------------------

expect_error "unknown command 'runn'; did you mean 'run'?" runn
expect_error '*unknown flag --inptu; did you mean --input?' run $classifier --inptu=x
expect_error '*no_such.xml*' run no_such.xml
expect_error "*digit_0.png*" run $data/pictures/digit_0.png --input=0=x
expect_error "no --input=INPUT=FILE for picture*" run $classifier
expect_error "*no input 'x'; there are: picture*" run $classifier --input=x=y.npy
expect_error "*does_not_exist.npy*" run $classifier --input=0=does_not_exist.npy
expect_error "*labels*none.txt*" run $classifier --input=0=$data/pictures/digit_1.png --labels=none.txt
expect_error "*REFERENSE*REFERENCE*" run $classifier --device=REFERENSE --input=0=x
expect_error "*PREF_COUNT*PERF_COUNT*" query $classifier --device=REFERENCE --config=PREF_COUNT=YES
expect_error "*--format=yaml*" inspect $classifier --format=yaml
expect_error "*--format=yaml*markdown*" operations --format=yaml
expect_error "*REFERENSE*REFERENCE*" operations --device=REFERENSE
expect 0 '*by operation and kernel*Convolution*' profile $classifier --seconds=0.05
expect 0 '*"kernel":*"types":*' profile $classifier --seconds=0.05 --format=json
expect 0 '*by type*Convolution*stage*execut*(3. execution time)*' profile $classifier --seconds=0.05 \
  --trace="$TEST_TMPDIR/trace.json"
grep -q '{"traceEvents":.*"thread_name".*"name":"inferences".*"ph":"X"' "$TEST_TMPDIR/trace.json" ||
  fail "profile wrote no trace"
expect 0 '*by type*' profile $classifier --device=REFERENCE --seconds=0.05 --html="$TEST_TMPDIR/profile.html"
grep -q '"title":"Profile of digit_classifier on REFERENCE".*"graph":.*"kernel":"reference_f32".*"memory":.*"bytes":' \
  "$TEST_TMPDIR/profile.html" || fail "profile wrote no page"
expect_error '*cannot write /no/such/folder/trace.json*' profile $classifier --seconds=0.05 \
  --trace=/no/such/folder/trace.json
expect 0 '*REFERENCE against REFERENCE*Convolution convolution_0*as it is*probabilities*no layer is off*' \
  compare $classifier --devices=REFERENCE --html="$TEST_TMPDIR/compare.html"
grep -q '"first_off":-1.*"name":"convolution_0"' "$TEST_TMPDIR/compare.html" || fail "compare wrote no page"
expect 0 '*{"tolerance":0.5,"first_off":-1,"outputs":*"layers":*' \
  compare $classifier --devices=REFERENCE,REFERENCE --tolerance=0.5 --format=json
expect 1 '*first layer that is off: *' compare $classifier --devices=REFERENCE --precisions=f32,bf16 --tolerance=0
expect 0 '*REFERENCE against REFERENCE, one and the same: *' compare $classifier --devices=REFERENCE
expect_error "*--devices=A,B,C*" compare $classifier --devices=A,B,C
expect_error "*none.blob*" compare $classifier --exported=none.blob
expect_error "*NOWHERE*" compare $classifier --devices=REFERENCE,NOWHERE
expect_error '*flag --svg needs the name of a file*' query $classifier --device=REFERENCE --svg=
expect 0 '*layers can run*' query $classifier --device=REFERENCE --dot="$TEST_TMPDIR/query.dot" \
  --svg="$TEST_TMPDIR/query.svg"
grep -q 'digraph' "$TEST_TMPDIR/query.dot" || fail "query wrote no graph"
grep -q '^<svg .*' "$TEST_TMPDIR/query.svg" && grep -q '<title>convolution_0' "$TEST_TMPDIR/query.svg" ||
  fail "query drew no graph"
expect_error "*--seconds=-1*" benchmark $classifier --seconds=-1
expect_error "*--shape*" inspect $classifier --shape=nonsense
expect_error "*--shape=0=2,1,32,32*twice*" inspect $classifier --shape=picture=1,1,32,32 --shape=0=2,1,32,32
expect_error "*picture*" inspect $classifier --shape=nobody=1,1,32,32
expect_error "*no set of cases*" conformance "$TEST_TMPDIR/nothing"
expect_error "*no case*--filter=nothing" conformance "$set" --models=$models --filter=nothing

((failures == 0)) || { echo "$failures failures"; exit 1; }
