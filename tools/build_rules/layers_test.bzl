"""Tests of layers.bzl, run while the package is loaded: a wrong answer stops it with the case."""

load(":layers.bzl", "layer_problem")

# (package, dependency, whether in a test) and whether it is allowed.
_CASES = [
    ("core/tensor", "//core/base:status", False, True),
    ("core/tensor", ":shape", False, True),
    ("core/tensor", "@abseil//:status", False, True),
    ("core/tensor", "//core/graph:model", False, False),
    ("core/tensor", "@pugixml//:pugixml", False, False),
    ("core/blob", "@xxhash//:xxhash", False, True),
    ("core/blob", "//core/graph:model", False, False),
    ("core/tensor", "@xxhash//:xxhash", False, False),
    ("core/tensor", "@googletest//:gtest", False, False),
    ("core/tensor", "@googletest//:gtest", True, True),
    ("core/ops/activation", "//core/ops/common", False, True),
    ("core/graph", "//core/ops:op_table", False, False),
    ("core/graph", "//core/ops:op_table", True, True),
    ("core/runtime", "//core/plugin/registry", False, True),
    ("core/runtime", "//backends/null", False, False),
    ("core/runtime", "//backends/null", True, False),
    ("core/runtime", "//backends:all_plugins", False, False),
    ("core/runtime", "//extensions/ir", False, False),
    ("core/runtime", "//extensions/ir", True, False),
    ("core/pass", "//transformations/simplify:pipeline", False, False),
    ("core/runtime", "//testing/fakes:plugin", False, False),
    ("core/runtime", "//testing/fakes:plugin", True, True),
    ("core", "//core/runtime", False, True),
    ("transformations/fusion", "//core/reference:evaluate", False, True),
    ("transformations/fusion", "//backends/common:layouts", False, False),
    ("backends/null", "//core/plugin", False, True),
    ("backends/null", "//core/runtime", False, False),
    ("backends/null", "//backends/common:planner", False, True),
    ("backends/null", "//backends/interpreter", False, False),
    ("backends/null", "//backends:interpreter_plugin", False, False),
    ("backends/interpreter/ops", "//backends/interpreter", False, True),
    ("backends/interpreter", "@onednn//:onednn", False, False),
    ("backends/cpu", "@onednn//:onednn", False, True),
    ("backends/common", "//backends/null", False, False),
    ("backends", "//backends/null:registration", False, True),
    ("extensions/ir", "//backends/null", False, False),
    ("extensions/ir", "@pugixml//:pugixml", False, True),
    ("tools/run", "@pugixml//:pugixml", False, False),
    ("tools/run", "//backends:all_plugins", False, True),
]

def check_layer_rules():
    """Fails with the first case that layer_problem() answers wrongly."""
    for package, label, in_test, allowed in _CASES:
        problem = layer_problem(package, label, in_test)
        if (problem == None) != allowed:
            fail("layer_problem(%r, %r, in_test = %r) answers %r" % (package, label, in_test, problem))
