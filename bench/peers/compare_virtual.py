#!/usr/bin/env python3
"""What devices made of devices cost over the CPU alone, Dovetail's and OpenVINO's in turns, as a Markdown table.

    bench/peers/setup.sh /tmp/peers
    bazel build //tools:dovetail
    bench/peers/compare_virtual.py --peer=/tmp/peers/openvino_peer --models=LIST.tsv

LIST.tsv is as in compare.py. Each figure is the median of the rounds. Nothing else should run meanwhile.
"""
import argparse
import os
import statistics
import sys

from compare import FIGURES, measure, processor, read_list

# Requests at a time: as many as fill the device in the last column.
DEVICES = [("CPU", 2), ("HETERO:CPU", 2), ("MULTI:CPU", 2), ("CPU", 8), ("BATCH:CPU(4)", 8)]


def medians_of(options, model, inputs):
    values = {}
    for _ in range(options.rounds):
        for device, requests in DEVICES:
            flags = [
                "--threads=%d" % options.threads,
                "--streams=%d" % options.streams,
                "--precision=f32",
                "--seconds=%g" % options.seconds,
                "--device=" + device,
                "--requests=%d" % requests,
            ] + inputs
            sides = (("own", [options.dovetail, "benchmark", model, "--format=json"]), ("peer", [options.peer, model]))
            for side, command in sides:
                try:
                    result = measure(command + flags)
                except RuntimeError as error:
                    print("%s %s %s: %s" % (side, device, model, error), file=sys.stderr)
                    continue
                for key, _, _ in FIGURES:
                    values.setdefault((side, device, requests, key), []).append(result[key])
    return {at: statistics.median(found) for at, found in values.items()}


def row(name, device, requests, medians):
    cells = [name, "%s, %d requests" % (device, requests)]
    for key, _, _ in FIGURES:
        for side in ("own", "peer"):
            value = medians.get((side, device, requests, key))
            alone = medians.get((side, "CPU", requests, key))
            if value is None:
                cells.append("fails")
            elif device == "CPU":
                cells.append("%.4g" % value)
            else:
                cells.append("%.4g (%.2f)" % (value, value / alone))
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="the program that setup.sh makes")
    parser.add_argument("--dovetail", default="bazel-bin/tools/dovetail")
    parser.add_argument("--models", required=True, help="a list as compare.py reads it")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--streams", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1, help="for each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("%s, %d threads, %d streams; in parentheses: over the CPU alone" % (processor(), options.threads, options.streams))
    print()
    sides = ["%s, %s" % (heading, side) for _, heading, _ in FIGURES for side in ("ours", "OpenVINO")]
    print("| model | device | " + " | ".join(sides) + " |")
    print("|---" * (2 + len(sides)) + "|")
    for name, model, inputs in read_list(options.models):
        medians = medians_of(options, model, inputs)
        for device, requests in DEVICES:
            print(row(name, device, requests, medians), flush=True)


if __name__ == "__main__":
    main()
