#!/usr/bin/env python3
"""What preprocessing inside a model costs, beside OpenVINO with the same steps in the same run.

    bench/peers/setup.sh /tmp/peers
    bazel build //tools:dovetail
    bench/peers/compare_preprocessing.py --peer=/tmp/peers/openvino_peer resnet50.xml

The model's one input is f32[1,3,H,W]. It is timed alone, then with u8 NHWC pictures of its own size, mean and scale,
then with larger pictures that are resized, too: both programs in turns, round after round. Prints medians over the
rounds in ms and their ratios as a table in Markdown. Nothing else should run meanwhile.
"""
import argparse
import os
import random
import statistics
import struct
import sys
import tempfile

from compare import measure, processor

CASES = ["alone", "steps", "resize"]


def write_npy(path, descr, shape, data):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, tuple(shape))
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin1") + data)


def write_inputs(folder, size, picture_size):
    """A file for each case, the same for both programs."""
    numbers = random.Random(1)
    paths = {case: os.path.join(folder, case + ".npy") for case in CASES}
    count = 3 * size[0] * size[1]
    floats = struct.pack("<%df" % count, *(numbers.uniform(-2, 2) for _ in range(count)))
    write_npy(paths["alone"], "<f4", [1, 3] + size, floats)
    for case, (height, width) in (("steps", size), ("resize", picture_size)):
        write_npy(paths[case], "|u1", [1, height, width, 3], numbers.randbytes(height * width * 3))
    return paths


def flags_of(case, options):
    if case == "alone":
        return []
    size = options.size if case == "steps" else options.picture_size
    mode = "none" if case == "steps" else options.mode
    return [
        "--resize=" + mode,
        "--picture-size=%dx%d" % tuple(size),
        "--rgb",
        "--mean=" + options.mean,
        "--scale=" + options.scale,
    ]


def compare(options, inputs, threads, precision):
    """Milliseconds by program and case, one for each round."""
    setting = ["--threads=%d" % threads, "--streams=1", "--precision=" + precision, "--seconds=%g" % options.seconds]
    programs = {"own": [options.dovetail, "benchmark", "--device=CPU", "--format=json"], "peer": [options.peer]}
    times = {(name, case): [] for name in programs for case in CASES}
    for _ in range(options.rounds):
        for case in CASES:
            for name, program in programs.items():
                flags = setting + flags_of(case, options) + ["--input=0=" + inputs[case]]
                result = measure(program + [options.model] + flags)
                times[name, case].append(result["latency_median_ms"])
    return times


def ratio(times, over, under):
    """The median of the rounds' ratios, as what disturbs a round disturbs both sides of it."""
    return statistics.median(a / b for a, b in zip(times[over], times[under]))


def row(threads, precision, times):
    cells = ["%d, %s" % (threads, precision)]
    for name in ("own", "peer"):
        cells += ["%.2f" % statistics.median(times[name, case]) for case in CASES]
    cells.append("%.3f" % ratio(times, ("own", "steps"), ("own", "alone")))
    cells += ["%.3f" % ratio(times, ("own", case), ("peer", case)) for case in CASES[1:]]
    return "| " + " | ".join(cells) + " |"


def two_numbers(text):
    sides = [int(side) for side in text.split("x")]
    if len(sides) != 2:
        raise argparse.ArgumentTypeError("want height and width, as in 480x640")
    return sides


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="the program that setup.sh makes")
    parser.add_argument("--dovetail", default="bazel-bin/tools/dovetail")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--precisions", default="f32,default")
    parser.add_argument("--size", type=two_numbers, default=[224, 224], help="of the model's input")
    parser.add_argument("--picture-size", type=two_numbers, default=[480, 640])
    parser.add_argument("--mode", default="linear", help="how pictures are resized")
    parser.add_argument("--mean", default="123.7,116.3,103.5")
    parser.add_argument("--scale", default="58.4,57.1,57.4")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each measurement")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("model")
    options = parser.parse_args()
    print(processor())
    print("| threads, precision | alone | steps | resized | OpenVINO alone | steps | resized "
          "| steps/alone | steps/OpenVINO | resized/OpenVINO |")
    print("|---|" + "--:|" * 9, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        inputs = write_inputs(folder, options.size, options.picture_size)
        for threads in options.threads.split(","):
            for precision in options.precisions.split(","):
                times = compare(options, inputs, int(threads), precision)
                print(row(int(threads), precision, times), flush=True)


if __name__ == "__main__":
    sys.exit(main())
