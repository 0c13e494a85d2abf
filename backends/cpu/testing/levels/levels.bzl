"""Tests of the CPU backend at each level of instructions, not at the processor's greatest alone.

Plans differ by instructions: layouts, kernels, types of what is multiplied. Every test of backends/cpu runs once
more at each level that the processor has (cc.bzl sees to it), and others of the device by at_each_level().
"""

def at_each_level(name, program, arguments = [], own = False, data = [], tags = [], **kwargs):
    """A test that runs a program once at each level, and says in one line which levels the processor lacks.

    Args:
      name: of the test.
      program: the label of what runs: a test, or a program that fails by its exit status.
      arguments: of the program.
      own: whether it runs at the processor's greatest level, too, where the program itself is no test.
      data: what the program reads.
      tags: of the test.
      **kwargs: as in sh_test.
    """
    levels = "//backends/cpu/testing/levels"
    native.sh_test(
        name = name,
        srcs = [levels + ":at_each_level.sh"],
        args = [
            "$(rootpath %s:print_levels)" % levels,
        ] + (["--own"] if own else []) + ["$(rootpath %s)" % program] + arguments,
        data = [program, levels + ":print_levels"] + data,
        tags = tags + ["levels"],
        **kwargs
    )
