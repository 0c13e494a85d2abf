#!/usr/bin/env python3
"""Two processes under one quota of processor time: what they share of it, and how many threads want a processor.

    bazel build -c opt //tools:dovetail
    sudo bench/executors/two_processes.py --quota=1.5 -- bazel-bin/tools/dovetail A.xml B.xml

Makes a control group (version 1 or 2) for the time of the run, with that many processors, and benchmarks each model
in it alone, then both beside each other. --flags=FLAGS go to `dovetail benchmark`. Nothing else should run meanwhile.
"""
import argparse
import json
import os
import subprocess
import sys
import threading
import time

PERIOD_US = 100000


class Group:
    """A control group with a quota, which is gone at the end."""

    def __init__(self, quota):
        version2 = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
        # Version 1 has the times of a group apart, as a rule under the same name.
        roots = ["/sys/fs/cgroup"] if version2 else ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpuacct"]
        self.paths = []
        for root in roots:
            path = "%s/dovetail_%d" % (os.path.realpath(root), os.getpid())
            if path not in self.paths and os.path.isdir(root):
                os.mkdir(path)
                self.paths.append(path)
        microseconds = int(quota * PERIOD_US)
        if version2:
            self.write("cpu.max", "%d %d" % (microseconds, PERIOD_US))
        else:
            self.write("cpu.cfs_period_us", str(PERIOD_US))
            self.write("cpu.cfs_quota_us", str(microseconds))

    def write(self, name, text):
        with open(os.path.join(self.paths[0], name), "w", encoding="ascii") as file:
            file.write(text)

    def enter(self):
        for path in self.paths:
            with open(os.path.join(path, "cgroup.procs"), "w", encoding="ascii") as file:
                file.write(str(os.getpid()))

    def end(self):
        for path in self.paths:
            os.rmdir(path)


def runnable_threads(pid):
    """Those of a process that run, or would on a free processor."""
    count = 0
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/stat" % (pid, task), encoding="utf-8") as file:
                count += file.read().rsplit(") ", 1)[1].startswith("R")
    except OSError:  # it has ended
        pass
    return count


def benchmark(group, options, models):
    """Inferences a second of each, all at the same time; the mean and the most of threads that want a processor."""
    command = [options.program, "benchmark", None, "--format=json", "--seconds=%g" % options.seconds]
    processes = []
    for model in models:
        command[2] = model
        processes.append(
            subprocess.Popen(command + options.flags.split(), stdout=subprocess.PIPE, text=True, preexec_fn=group.enter)
        )
    samples = []
    done = threading.Event()

    def sample():
        time.sleep(options.seconds * 0.3)  # past loading
        while not done.wait(0.01):
            samples.append(sum(runnable_threads(process.pid) for process in processes))

    sampler = threading.Thread(target=sample)
    sampler.start()
    outputs = [process.communicate()[0] for process in processes]
    done.set()
    sampler.join()
    if any(process.returncode for process in processes):
        sys.exit("%s failed" % options.program)
    speeds = [json.loads(output.strip().splitlines()[-1])["throughput_ips"] for output in outputs]
    return speeds, sum(samples) / max(1, len(samples)), max(samples, default=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quota", type=float, default=1, help="processors that both may use together")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--flags", default="", help="for dovetail benchmark, in one argument")
    parser.add_argument("program")
    parser.add_argument("models", nargs=2)
    options = parser.parse_args()
    group = Group(options.quota)
    try:
        alone = [benchmark(group, options, [model]) for model in options.models]
        speeds, mean, most = benchmark(group, options, options.models)
    finally:
        group.end()
    for name, (speed, threads, greatest) in zip("AB", alone):
        print("alone: %s %.1f/s; %.2f threads want a processor, at most %d" % (name, speed[0], threads, greatest))
    share = sum(both / one[0][0] for both, one in zip(speeds, alone))
    print("together: A %.1f/s, B %.1f/s: %.3f of what time alone gives" % (speeds[0], speeds[1], share))
    print("threads that want a processor: %.2f on average, at most %d" % (mean, most))


if __name__ == "__main__":
    main()
