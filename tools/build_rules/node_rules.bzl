"""One line of BUILD for a folder of rules that rewrite operations (transformations/common/node_rules.h).

Each family is a file with its rules and a test beside it: adding one changes no BUILD file.
"""

load("//tools/build_rules:cc.bzl", "dovetail_cc_library", "dovetail_cc_test")

def rules_library(
        name,
        deps = [],
        test_deps = [],
        visibility = ["//transformations:__subpackages__"]):
    """One library of all sources of a folder and one test of all its tests.

    Args:
      name: of the folder.
      deps: what these rules need besides what all do: the attributes of the operations they know.
      test_deps: what their tests need besides.
      visibility: of the library.
    """
    all_deps = deps + [
        "//core/graph:model",
        "//core/graph:node",
        "//core/tensor:tensor",
        "//core/tensor/shapes:axis_order",
        "//core/tensor/shapes:partial_shape",
        "//core/tensor/types:element_type",
        "//transformations/common:constants",
        "//transformations/common:node_builder",
        "//transformations/common:node_rules",
        "@abseil//:span",
        "@abseil//:strings",
    ]
    dovetail_cc_library(
        name = name,
        srcs = native.glob(["*.cc"], exclude = ["*_test.cc"]),
        hdrs = native.glob(["*.h"]),
        visibility = visibility,
        deps = all_deps,
    )
    dovetail_cc_test(
        name = name + "_test",
        srcs = native.glob(["*_test.cc"]),
        deps = all_deps + test_deps + [
            ":" + name,
            "//transformations/testing:check_rules",
        ],
    )
