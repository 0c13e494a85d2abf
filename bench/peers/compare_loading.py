#!/usr/bin/env python3
"""Times how Dovetail and OpenVINO come to a first result, model by model in turns: from IR, from an export of their
own, and from a cache that has the model.

    bench/peers/setup.sh /tmp/peers
    bazel build //tools:dovetail
    bench/peers/compare_loading.py --peer=/tmp/peers/openvino_peer --models=LIST.tsv

LIST.tsv is compare.py's. Each figure is the least of the rounds, a process each, in ms: loading, the first inference,
and both together. "/ IR" is that sum divided by the one from IR on the same side; "ahead" is OpenVINO's sum divided by
Dovetail's. Memory is what loading and one inference added. Nothing else should run meanwhile.
"""
import argparse
import os
import platform
import subprocess
import sys
import tempfile

from compare import measure, processor, read_list

WAYS = ["IR", "export", "cache hit"]


class Side:
    """One of the two programs on one model: the commands by which it is loaded."""

    def __init__(self, program, model, flags, cache_flag, folder):
        self.program, self.model, self.flags = program, model, flags
        self.blob = os.path.join(folder, "exported.blob")
        self.with_cache = [cache_flag + os.path.join(folder, "cache")]
        os.makedirs(folder)

    def command(self, way):
        model = self.blob if way == "export" else self.model
        return self.program + [model] + self.flags + (self.with_cache if way == "cache hit" else [])

    def prepare(self, export):
        subprocess.run(export, check=True, capture_output=True)
        measure(self.command("cache hit"))


def sides(options, model, inputs, folder):
    """Both sides with their exports written and their caches filled."""
    flags = ["--threads=%d" % options.threads, "--precision=%s" % options.precision]
    timed = flags + ["--seconds=0.01"] + inputs
    own = Side([options.dovetail, "benchmark"], model, timed + ["--device=CPU", "--format=json", "--requests=1"],
               "--config=CACHE_DIR=", os.path.join(folder, "own"))
    peer = Side([options.peer], model, timed, "--cache-dir=", os.path.join(folder, "peer"))
    own.prepare([options.dovetail, "compile", model, "--device=CPU", "-o", own.blob] + flags)
    peer.prepare([options.peer, model, "--export=" + peer.blob] + flags)
    return {"own": own, "peer": peer}


def least(options, both):
    """By way and side: the least of load, first inference, their sum, and memory."""
    best = {}
    for _ in range(options.rounds):
        for way in WAYS:
            for name, side in both.items():
                result = measure(side.command(way))
                load, first = result["load_ms"], result["first_ms"]
                figures = (load, first, load + first, result["rss_mb"])
                best[way, name] = tuple(map(min, figures, best.get((way, name), figures)))
    return best


def rows(name, best):
    for way in WAYS:
        cells = [name, way]
        for side in ("own", "peer"):
            load, first, both, memory = best[way, side]
            cells += ["%.1f + %.1f = %.1f" % (load, first, both), "%.2f" % (both / best["IR", side][2]),
                      "%.0f" % memory]
        yield "| %s | %.2f |" % (" | ".join(cells), best[way, "peer"][2] / best[way, "own"][2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="the program that setup.sh makes")
    parser.add_argument("--dovetail", default="bazel-bin/tools/dovetail")
    parser.add_argument("--models", required=True, help="a list as compare.py takes")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--precision", default="f32", help="f32, bf16 or default")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    print("%s, %d processors, Linux %s; %s, %d threads" % (
        processor(), os.cpu_count() or 1, platform.release(), options.precision, options.threads))
    print("| model | from | Dovetail, ms | / IR | MB | OpenVINO, ms | / IR | MB | ahead |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    failed = False
    for name, model, inputs in read_list(options.models):
        with tempfile.TemporaryDirectory() as folder:
            try:
                best = least(options, sides(options, model, inputs, folder))
            except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
                print("%s: failed: %s" % (name, error), file=sys.stderr)
                failed = True
                continue
        print(*rows(name, best), sep="\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
