"""One line of BUILD for a family of operations.

A family is a folder in core/ops, with what its operations mean, and one of the same name in
core/reference, with their kernels. Each is one library of all its sources and one test of all its
tests: adding an operation to a family changes no BUILD file.
"""

load("//tools/build_rules:cc.bzl", "dovetail_cc_library", "dovetail_cc_test")

_EVERYONE = ["//:__subpackages__"]

_OP_DEPS = [
    "//core/base:checked_math",
    "//core/base:status",
    "//core/graph:attributes",
    "//core/graph:infer_context",
    "//core/graph:node",
    "//core/graph:op_info",
    "//core/graph:value_range",
    "//core/tensor/types:element_type",
    "//core/tensor/types:element_type_set",
    "//core/tensor/shapes:partial_shape",
    "//core/tensor/shapes:shape",
    "//core/tensor:tensor",
    "@abseil//:span",
    "@abseil//:status",
    "@abseil//:statusor",
    "@abseil//:strings",
]

_KERNEL_DEPS = [
    "//core/base:checked_math",
    "//core/base:status",
    "//core/executor:parallel_for",
    "//core/graph:node",
    "//core/reference:dispatch",
    "//core/reference:kernel",
    "//core/reference/common",
    "//core/tensor/types:element_type",
    "//core/tensor/types:narrow_float",
    "//core/tensor/shapes:shape",
    "//core/tensor:tensor",
    "@abseil//:span",
    "@abseil//:status",
    "@abseil//:statusor",
    "@abseil//:strings",
]

def _family(name, deps, test_deps, copts):
    dovetail_cc_library(
        name = name,
        srcs = native.glob(["**/*.cc"], exclude = ["**/*_test.cc"]),
        hdrs = native.glob(["**/*.h"]),
        copts = copts,
        visibility = _EVERYONE,
        deps = deps,
    )
    tests = native.glob(["**/*_test.cc"])
    if tests:
        dovetail_cc_test(
            name = name + "_test",
            srcs = tests,
            deps = [":" + name] + deps + test_deps,
        )

def op_library(name, deps = [], test_deps = []):
    """The meaning of a family of operations: attributes, inference, table. For core/ops/<name>.

    Args:
      name: of the family and of its folder.
      deps: what this family needs besides what all do.
      test_deps: what its tests need besides the family and core/ops/testing.
    """
    _family(
        name,
        deps = _OP_DEPS + ["//core/ops/common"] + deps,
        test_deps = [
            "//core/ops/testing:infer",
            "//core/ops/testing:infer_cases",
        ] + test_deps,
        copts = [],
    )

def kernel_library(name, deps = [], test_deps = [], copts = ["-O2"]):
    """The reference kernels of a family of operations and their table. For core/reference/<name>.

    Args:
      name: of the family and of its folder.
      deps: what this family needs besides what all do and its own core/ops/<name>.
      test_deps: what its tests need besides the family and core/reference/testing.
      copts: options for the kernels; "-O3" where a loop is worth it.
    """
    _family(
        name,
        deps = _KERNEL_DEPS + ["//core/ops/" + name] + deps,
        test_deps = ["//core/reference/testing:run_op"] + test_deps,
        copts = copts,
    )
