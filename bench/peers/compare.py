#!/usr/bin/env python3
"""Times Dovetail beside OpenVINO, model by model in turns, and writes a page with the figures and a plot.

    bench/peers/setup.sh /tmp/peers
    bazel build //tools:dovetail
    bench/peers/compare.py --peer=/tmp/peers/openvino_peer --models=LIST.tsv --page=docs/performance.md

LIST.tsv has one model a line: a name, the path of its .xml and perhaps inputs as I=FILE.npy, separated by tabs;
paths are relative to the list. Each figure is the median of the rounds, because one that was lucky says little where
other machines share the processor, and each ratio the median of the rounds' ratios, because what slows one side of a
round down for longer slows the other one too. Nothing else should run meanwhile.

With --busy=0 another program keeps processor 0 busy meanwhile: what is left when a machine is shared.

The page has a section for each kind of processor and each setting that was measured: this one's is added or replaced,
the others stay. With --results=FILE figures are kept, and models that the file has are not measured again; so a long
list can be measured in portions, with --stop-after=SECONDS.
"""
import argparse
import contextlib
import datetime
import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import time

# Key in the programs' JSON, heading, whether a greater figure is better.
FIGURES = [
    ("latency_median_ms", "latency, ms", False),
    ("throughput_ips", "inferences/s", True),
    ("load_ms", "load, ms", False),
    ("rss_mb", "memory, MB", False),
]


def read_list(path):
    folder = os.path.dirname(os.path.abspath(path))
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) < 2 or line.startswith("#"):
                continue
            inputs = []
            for field in fields[2:]:
                index, _, name = field.partition("=")
                inputs.append("--input=%s=%s" % (index, os.path.join(folder, name)))
            yield fields[0], os.path.join(folder, fields[1]), inputs


def measure(command):
    """The last line that the command prints, as JSON; the end of its messages when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise RuntimeError(words[-1] if words else "exit status %d" % done.returncode)
    return json.loads(done.stdout.strip().splitlines()[-1])


@contextlib.contextmanager
def busy(processors):
    """Keeps each of the processors busy with a program of its own, as they are where others compute as well."""
    programs = []
    try:
        for number in processors:
            program = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            programs.append(program)
            os.sched_setaffinity(program.pid, {number})
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def compare(options, model, inputs):
    """Ratios by figure, above 1 where Dovetail is ahead, and both sides' figures."""
    flags = [
        "--threads=%d" % options.threads,
        "--streams=%d" % options.streams,
        "--precision=%s" % options.precision,
        "--seconds=%g" % options.seconds,
    ]
    peer = [options.peer, model] + flags + options.peer_flag + inputs
    own = [options.dovetail, "benchmark", model, "--device=" + options.device, "--format=json"] + flags + inputs
    figures = {}
    turns = [("peer", peer), ("own", own)]
    for _ in range(options.rounds):
        turns.reverse()  # so that neither always comes first
        for side, command in turns:
            result = measure(command)
            for key, _, _ in FIGURES:
                figures.setdefault((side, key), []).append(result[key])
    rows = {}
    for key, _, more in FIGURES:
        ours, theirs = figures["own", key], figures["peer", key]
        over, under = (ours, theirs) if more else (theirs, ours)
        ratio = statistics.median(a / max(b, 1e-9) for a, b in zip(over, under))
        rows[key] = (statistics.median(ours), statistics.median(theirs), ratio)
    return rows


def geometric_mean(values):
    return math.exp(sum(math.log(max(value, 1e-9)) for value in values) / len(values))


# What decides which kernels there are, by the flags of /proc/cpuinfo: the last ones count most.
LEVELS = [
    ("avx2", "AVX2"),
    ("avx_vnni", "AVX2 with VNNI"),
    ("avx512bw", "AVX-512"),
    ("avx512_vnni", "AVX-512 with VNNI"),
    ("avx512_bf16", "AVX-512 with VNNI and bf16"),
    ("amx_tile", "AVX-512 with VNNI, bf16 and AMX"),
]


def processor():
    """The processor's name and the instructions that it has; its family too, as hosts hide which one it is in the name."""
    name, family, flags = platform.machine(), "", set()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key.strip() == "model name":
                    name = value.strip()
                elif key.strip() == "cpu family":
                    family = " (family %s)" % value.strip()
                elif key.strip() == "flags":
                    flags = set(value.split())
                    break
    except OSError:
        pass
    levels = [level for flag, level in LEVELS if flag in flags]
    return "%s%s, %s" % (name, family, levels[-1]) if levels else name


def plot(results, path):
    """Bars of the latency ratios, in SVG."""
    bar, left, scale = 18, 230, 150
    height = bar * len(results) + 40
    top = max(2.0, *(rows["latency_median_ms"][2] for _, rows in results))
    width = left + int(scale * min(top, 4)) + 60
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">'
        % (width, height),
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, (name, rows) in enumerate(results):
        ratio = rows["latency_median_ms"][2]
        y = 10 + bar * number
        color = "#2a7f62" if ratio >= 1 else "#b5651d"
        length = int(scale * min(ratio, 4))
        lines.append('<text x="%d" y="%d" text-anchor="end">%s</text>' % (left - 8, y + 12, name))
        lines.append('<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>' % (left, y, length, bar - 5, color))
        lines.append('<text x="%d" y="%d">%.2f</text>' % (left + length + 5, y + 12, ratio))
    lines.append('<line x1="%d" y1="5" x2="%d" y2="%d" stroke="black"/>' % (left + scale, left + scale, height - 25))
    lines.append('<text x="%d" y="%d" text-anchor="middle">as fast as OpenVINO</text>' % (left + scale, height - 10))
    lines.append("</svg>")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def counted(number, what):
    return "%d %s%s" % (number, what, "" if number == 1 else "s")


def title(options):
    """Of the section: what the figures depend on, so that a later run replaces it."""
    device = "" if options.device == "CPU" else options.device + ", "
    which = options.which + ", " if options.which else ""
    beside = ", beside %s" % counted(len(options.busy), "other program") if options.busy else ""
    return "%s: %s%s%s, %s, %s%s" % (
        processor(), which, device, options.precision, counted(options.threads, "thread"),
        counted(options.streams, "stream"), beside)


def latency_ratio(result):
    return result[1]["latency_median_ms"][2]


def worst(options, results):
    """The results that a section shows one by one."""
    return sorted(results, key=latency_ratio)[: options.worst] if options.worst else results


def spread(results):
    """How the ratios of latency lie, where not every model is shown."""
    ratios = [latency_ratio(result) for result in results]
    ahead = sum(ratio >= 0.95 for ratio in ratios)
    return "Of %d, %d (%.0f %%) have a latency ratio of at least 0.95, and %d one under 0.8. The means are of all." % (
        len(ratios), ahead, 100 * ahead / len(ratios), sum(ratio < 0.8 for ratio in ratios))


def section(options, results, failures, picture):
    """The section's text, in Markdown."""
    command = "bench/peers/compare.py --device=%s --threads=%d --streams=%d --precision=%s --seconds=%g --rounds=%d" % (
        options.device, options.threads, options.streams, options.precision, options.seconds, options.rounds)
    command += "".join(" --busy=%d" % number for number in options.busy)
    lines = [
        "## " + title(options),
        "",
        "`%s` on %s: %d processors, Linux %s." % (
            command, datetime.date.today().isoformat(), os.cpu_count() or 1, platform.release()),
        "",
        "![Latency of OpenVINO divided by that of Dovetail, model by model](%s)" % picture,
        "",
    ]
    if options.worst:
        lines += ["%s Those of least ratio:" % spread(results), ""]
    lines += [
        "| model | " + " | ".join("%s | ratio" % heading for _, heading, _ in FIGURES) + " |",
        "|---|" + "--:|--:|" * len(FIGURES),
    ]
    for name, rows in worst(options, results):
        cells = ["%.4g / %.4g | %.2f" % tuple(rows[key]) for key, _, _ in FIGURES]
        lines.append("| %s | %s |" % (name, " | ".join(cells)))
    means = [" | %.2f" % geometric_mean([rows[key][2] for _, rows in results]) for key, _, _ in FIGURES]
    lines.append("| geometric mean | %s |" % " | ".join(means))
    for name, reason in failures:
        lines += ["", "%s failed: %s" % (name, reason)]
    return "\n".join(lines) + "\n"


INTRODUCTION = """# Performance

Written by `bench/peers/compare.py`, a section for each kind of processor. Dovetail and OpenVINO ran in turns,
Dovetail's figures come first. They are medians of the rounds, and ratios medians of the rounds' ratios; in sections of
two rounds, which are older, they are the better ones. Ratios above 1 mean that Dovetail is ahead. EPYC of family 25 is
Zen 3, or with AVX-512 Zen 4, that of 26 Zen 5.
"""


def page(old, new):
    """The page with the section `new` in place of the one of its title, or at its end."""
    sections = [text.rstrip("\n") + "\n" for text in re.split(r"^(?=## )", old, flags=re.MULTILINE)[1:]]
    heading = new.splitlines()[0]
    headings = [text.splitlines()[0] for text in sections]
    if heading in headings:
        sections[headings.index(heading)] = new
    else:
        sections.append(new)
    return "\n".join([INTRODUCTION] + sections)


def read_text(path):
    try:
        with open(path, encoding="utf-8") as text:
            return text.read()
    except FileNotFoundError:
        return ""


def write_page(options, results, failures):
    slug = re.sub("[^a-z0-9]+", "_", title(options).lower()).strip("_")
    picture = "images/performance_%s.svg" % slug
    plot(worst(options, results), os.path.join(os.path.dirname(options.page), picture))
    text = page(read_text(options.page), section(options, results, failures, picture))
    with open(options.page, "w", encoding="utf-8") as out:
        out.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="the program that setup.sh makes")
    parser.add_argument("--dovetail", default="bazel-bin/tools/dovetail")
    parser.add_argument("--models", required=True, help="a list as described above")
    parser.add_argument("--which", default="", help="what the list holds, for headings: such as \"int8 models\"")
    parser.add_argument("--device", default="CPU", help="Dovetail's; OpenVINO's is the CPU or --peer-flag=--device=...")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--streams", type=int, default=1)
    parser.add_argument("--precision", default="f32", help="f32, bf16 or default")
    parser.add_argument("--seconds", type=float, default=2, help="for each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--busy", type=int, action="append", default=[], metavar="PROCESSOR",
                        choices=sorted(os.sched_getaffinity(0)), help="another program computes there all the while")
    parser.add_argument("--peer-flag", action="append", default=[], help="such as --peer-flag=--pin=0")
    parser.add_argument("--page", help="a Markdown file to write; its plots go to images/ beside it")
    parser.add_argument("--worst", type=int, default=0, help="the page shows only so many models, of least latency ratio")
    parser.add_argument("--results", help="a JSON file of figures, to go on with and to add to")
    parser.add_argument("--stop-after", type=float, default=math.inf, help="seconds, to go on with another time")
    options = parser.parse_args()

    begin = time.monotonic()
    known = json.loads((options.results and read_text(options.results)) or "{}")
    results, failures = [], []
    for name, model, inputs in read_list(options.models):
        if name in known:
            results.append((name, known[name]))
            continue
        if time.monotonic() - begin > options.stop_after:
            continue
        try:
            with busy(options.busy):
                rows = compare(options, model, inputs)
        except (RuntimeError, OSError, ValueError) as error:
            failures.append((name, error))
            print("%s: failed: %s" % (name, error), file=sys.stderr)
            continue
        results.append((name, rows))
        known[name] = rows
        if options.results:
            with open(options.results, "w", encoding="utf-8") as out:
                json.dump(known, out)
        print(name, *("%s %.4g/%.4g = %.2f" % ((key,) + tuple(rows[key])) for key, _, _ in FIGURES), sep="\t", flush=True)
    if not results:
        sys.exit("compare: no model could be measured")
    for key, heading, _ in FIGURES:
        print("geometric mean, %s: %.2f" % (heading, geometric_mean([rows[key][2] for _, rows in results])))
    if options.page:
        write_page(options, results, failures)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
