#!/usr/bin/env python3
"""Writes tables of networks whose times are known as a whole only, for //bench/vpu:errors.

usage: DOVETAIL_SHARED=… whole_networks.py FOLDER && bazel run //bench/vpu:errors -- FOLDER/*.tsv

The layers are those of the standard architectures at 224x224; VGG has a mean over all pixels before its fully
connected layers, as nn-Meter's have. The time, of whole_network.tsv there, stands in the row of the input,
whose conversion, 138 us, it leaves out.
"""

import csv
import os
import sys

COLUMNS = ("network exec_order layer layer_type exec_type time_us in_h in_w in_c out_h out_w out_c k_h k_w "
           "stride pad_t pad_l pad_b pad_r pool macs").split()
INPUT_CONVERSION_US = 138


class Network:
    """Rows of square planes, one layer after another."""

    def __init__(self, pixels=224, channels=3):
        self.rows = []
        self.pixels, self.channels = pixels, channels
        self._add("<Extra>", pixels, channels)

    def _add(self, kind, pixels, channels, kernel="", stride="", pad="", pool="", macs=""):
        self.rows.append([f"{kind}{len(self.rows)}", kind, "", 0, self.pixels, self.pixels, self.channels,
                          pixels, pixels, channels, kernel, kernel, stride, pad, pad, pad, pad, pool, macs])
        self.pixels, self.channels = pixels, channels

    def convolution(self, channels, kernel, stride=1, pad=None):
        pad = kernel // 2 if pad is None else pad
        pixels = (self.pixels + 2 * pad - kernel) // stride + 1
        macs = pixels**2 * channels * self.channels * kernel**2
        self._add("Convolution", pixels, channels, kernel, stride, pad, macs=macs)

    def max_pool(self, kernel, stride, pad=0, pixels=None):
        pixels = pixels or -(-(self.pixels + 2 * pad - kernel) // stride) + 1
        self._add("Pooling", pixels, self.channels, kernel, stride, pad, "MAX")

    def mean(self):
        self._add("Pooling", 1, self.channels, self.pixels, 1, 0, "AVG")

    def fully_connected(self, channels):
        self._add("FullyConnected", 1, channels, self.pixels, 1, 0, macs=channels * self.channels)

    def same(self, kind):
        self._add(kind, self.pixels, self.channels)

    def classes(self, *channels):
        for one in channels:
            self.fully_connected(one)
        self.same("SoftMax")


def vgg(*convolutions):
    network = Network()
    for count, channels in zip(convolutions, (64, 128, 256, 512, 512)):
        for _ in range(count):
            network.convolution(channels, 3)
        network.max_pool(2, 2)
    network.mean()
    network.classes(4096, 4096, 1000)
    return network


def alexnet():
    network = Network()
    network.convolution(64, 11, 4, 2)
    network.max_pool(3, 2)
    network.convolution(192, 5)
    network.max_pool(3, 2)
    for channels in (384, 256, 256):
        network.convolution(channels, 3)
    network.max_pool(3, 2)
    network.mean()
    network.classes(4096, 4096, 1000)
    return network


def resnet18():
    network = Network()
    network.convolution(64, 7, 2)
    network.max_pool(3, 2, 1, 56)
    for channels in (64, 128, 256, 512):
        for unit in range(2):
            before = network.pixels, network.channels
            stride = 2 if channels > network.channels else 1
            if stride == 2:
                network.convolution(channels, 1, 2)
                network.pixels, network.channels = before
            network.convolution(channels, 3, stride)
            network.convolution(channels, 3)
            network.same("Eltwise")
            network.same("ReLU")  # a stage of its own behind 13 of ResNet-50's 16 sums
    network.mean()
    network.classes(1000)
    return network


def resnet50():
    network = Network()
    network.convolution(64, 7, 2)
    network.max_pool(3, 2, 1, 56)
    for channels, units in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for unit in range(units):
            before = network.pixels, network.channels
            stride = 2 if unit == 0 and channels > 64 else 1
            if unit == 0:
                network.convolution(4 * channels, 1, stride)
                network.pixels, network.channels = before
            network.convolution(channels, 1)
            network.convolution(channels, 3, stride)
            network.convolution(4 * channels, 1)
            network.same("Eltwise")
            network.same("ReLU")
    network.mean()
    network.classes(1000)
    return network


def squeezenet():
    network = Network()

    def fire(squeezed, expanded):
        network.convolution(squeezed, 1)
        network.convolution(expanded, 1)
        network.channels = squeezed
        network.convolution(expanded, 3)
        network.channels = 2 * expanded
        network.same("Concat")

    network.convolution(96, 7, 2, 0)
    network.max_pool(3, 2)
    for squeezed, expanded in ((16, 64), (16, 64), (32, 128)):
        fire(squeezed, expanded)
    network.max_pool(3, 2)
    for squeezed, expanded in ((32, 128), (48, 192), (48, 192), (64, 256)):
        fire(squeezed, expanded)
    network.max_pool(3, 2)
    fire(64, 256)
    network.convolution(1000, 1)
    network.mean()
    network.same("SoftMax")
    return network


NETWORKS = {
    "alexnet": alexnet(),
    "resnet18": resnet18(),
    "resnet50": resnet50(),
    "squeezenet": squeezenet(),
    "vgg11": vgg(1, 1, 2, 2, 2),
    "vgg16": vgg(2, 2, 3, 3, 3),
    "vgg19": vgg(2, 2, 4, 4, 4),
}


def measured_us():
    """{network: time} of nn-Meter's own models."""
    times = {}
    with open(os.path.join(os.environ["DOVETAIL_SHARED"], "vpu", "whole_network.tsv"), newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if "nn-Meter" in row["source"]:
                times[row["network"].split()[0]] = 1000 * float(row["value"])
    return times


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    times = measured_us()
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, network in NETWORKS.items():
        network.rows[0][3] = round(times[name]) + INPUT_CONVERSION_US
        with open(os.path.join(sys.argv[1], name + ".tsv"), "w", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(COLUMNS)
            for order, row in enumerate(network.rows):
                writer.writerow([name, order] + row)


if __name__ == "__main__":
    main()
