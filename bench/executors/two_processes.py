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


def runnable_seconds(pid):
    """Of each thread of a process: how long it ran or could have, by the kernel's schedstat."""
    seconds = {}
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/schedstat" % (pid, task), encoding="ascii") as file:
                ran, waited = file.read().split()[:2]
                seconds[task] = 1e-9 * (int(ran) + int(waited))
    except OSError:  # it has ended
        pass
    return seconds


class Sampler(threading.Thread):
    """How many threads of some processes wanted a processor at a time, from `delay` on until stop()."""

    def __init__(self, processes, delay):
        super().__init__()
        self.pids = [process.pid for process in processes]
        self.delay = delay
        self.done = threading.Event()
        self.wanted = 0
        self.time = 0

    def run(self):
        if self.done.wait(self.delay):
            return
        before, since = self.sample(), time.monotonic()
        while not self.done.wait(0.1):
            after, now = self.sample(), time.monotonic()
            if not all(any(pid == owner for owner, _ in after) for pid in self.pids):
                return  # one has ended
            self.wanted += sum(seconds - before.get(thread, 0) for thread, seconds in after.items())
            self.time += now - since
            before, since = after, now

    def sample(self):
        return {(pid, task): seconds for pid in self.pids for task, seconds in runnable_seconds(pid).items()}

    def stop(self):
        self.done.set()
        self.join()
        return self.wanted / self.time if self.time else 0


def benchmark(group, options, models):
    """Inferences a second of each, all at the same time; the mean of threads that want a processor."""
    command = [options.program, "benchmark", None, "--format=json", "--seconds=%g" % options.seconds]
    processes = []
    for model in models:
        command[2] = model
        processes.append(
            subprocess.Popen(command + options.flags.split(), stdout=subprocess.PIPE, text=True, preexec_fn=group.enter)
        )
    sampler = Sampler(processes, options.seconds * 0.3)  # past loading
    sampler.start()
    outputs = [process.communicate()[0] for process in processes]
    wanted = sampler.stop()
    if any(process.returncode for process in processes):
        sys.exit("%s failed" % options.program)
    speeds = [json.loads(output.strip().splitlines()[-1])["throughput_ips"] for output in outputs]
    return speeds, wanted


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
        speeds, wanted = benchmark(group, options, options.models)
    finally:
        group.end()
    for name, (speed, threads) in zip("AB", alone):
        print("alone: %s %.1f/s; %.3f threads want a processor" % (name, speed[0], threads))
    share = sum(both / one[0][0] for both, one in zip(speeds, alone))
    print("together: A %.1f/s, B %.1f/s: %.3f of what time alone gives" % (speeds[0], speeds[1], share))
    print("threads that want a processor: %.3f" % wanted)


if __name__ == "__main__":
    main()
