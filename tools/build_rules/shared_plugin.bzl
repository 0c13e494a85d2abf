"""A backend or extension as a shared library that a program loads when it runs."""

load(":cc.bzl", "dovetail_cc_binary")

# What a library shows, how it is linked so, and the test of that.
SYMBOLS_SCRIPT = Label("//tools/build_rules:plugin_symbols.lds")
SYMBOLS_TEST = Label("//tools/build_rules:plugin_symbols_test.sh")
HIDING_LINK_OPTIONS = [
    # gold, which Bazel prefers, also shows what another shared library happens to define as well,
    # whatever the script says.
    "-fuse-ld=bfd",
    "-Wl,--version-script=$(execpath %s)" % SYMBOLS_SCRIPT,
    # A megabyte less to read when oneDNN's tables of functions are relocated.
    "-Wl,-z,pack-relative-relocs",
]

def dovetail_shared_plugin(name, deps, testonly = None, visibility = None):
    """Links <name>_plugin.so, which shows one C symbol, dovetail_plugin_manifest, and nothing else.

    Everything else that is linked in stays hidden, so that host and plugin, which each have their own
    copy of it, cannot pick up each other's. <name>_plugin_symbols_test checks that.

    Args:
      name: of the device, in lower case. The file is <name>_plugin.so, and on purpose not
        lib<something>.so: Bazel gives that name to the output of the library of that name.
      deps: what defines the symbol, alwayslink so that the linker keeps it.
      testonly: as in cc_binary.
      visibility: private unless given here or by the package's default_visibility.
    """
    plugin = name + "_plugin.so"
    dovetail_cc_binary(
        name = plugin,
        additional_linker_inputs = [SYMBOLS_SCRIPT],
        # An option of gold's that the linker below lacks.
        features = ["-supports_start_end_lib"],
        linkopts = HIDING_LINK_OPTIONS,
        linkshared = True,
        testonly = testonly,
        visibility = visibility,
        deps = deps,
    )
    native.sh_test(
        name = name + "_plugin_symbols_test",
        size = "small",
        srcs = [SYMBOLS_TEST],
        args = [
            "$(rootpath :%s)" % plugin,
            "dovetail_plugin_manifest",
        ],
        data = [":" + plugin],
    )
