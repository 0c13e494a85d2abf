"""Operations of one's own in both forms: linked into a program, or a library that a program loads.

For workspaces that embed Dovetail, too: the labels are those of this repository wherever it is.
"""

load(":cc.bzl", "compile_options")
load(":shared_plugin.bzl", "HIDING_LINK_OPTIONS", "SYMBOLS_SCRIPT", "SYMBOLS_TEST")
load(":source_hash.bzl", "source_hash")

# The options of this repository's own sources; a user's workspace has its own.
def _own_options():
    is_here = Label("//tools/build_rules:op_library.bzl").workspace_name == ""
    return compile_options() if is_here else []

def _build_header(name):
    """Where the generated header is when the compiler runs."""
    repository = native.repository_name()
    parts = ["$(BINDIR)"]
    if repository != "@":
        parts += ["external", repository[1:]]
    if native.package_name():
        parts.append(native.package_name())
    return "/".join(parts + [name])

def dovetail_op_library(name, srcs, hdrs = [], deps = [], testonly = None, visibility = None, **kwargs):
    """:<name>, which a program links, and <name>.so, which it loads, both compiled from the same sources.

    One of the sources has a DOVETAIL_OP_LIBRARY (extensions/custom_op/custom_op.h). It is given a hash over
    all sources of this workspace that the library is made of, by which caches and exports know what an older
    build has made. <name>_symbols_test checks that the file shows one C function and nothing else.

    Args:
      name: of the library, best also that of the extension.
      srcs: as in cc_library.
      hdrs: as in cc_library; one declares the function that DOVETAIL_OP_LIBRARY defines.
      deps: as in cc_library; //extensions/custom_op is among them anyway.
      testonly: as in cc_library.
      visibility: of both forms.
      **kwargs: for the linked form, as in cc_library.
    """
    custom_op = Label("//extensions/custom_op")
    header = name + "_build.h"
    copts = _own_options() + kwargs.pop("copts", []) + ["-include", _build_header(header)]
    source_hash(
        name = name + "_build_header",
        srcs = srcs + hdrs,
        macro = "DOVETAIL_OP_LIBRARY_BUILD",
        out = header,
        testonly = testonly,
        visibility = ["//visibility:private"],
        deps = deps,
    )
    native.cc_library(
        name = name,
        srcs = srcs + [":" + header],
        hdrs = hdrs,
        copts = copts,
        linkstatic = True,
        testonly = testonly,
        visibility = visibility,
        deps = deps + [custom_op],
        **kwargs
    )
    native.cc_binary(
        name = name + ".so",
        srcs = srcs + hdrs + [":" + header],
        additional_linker_inputs = [SYMBOLS_SCRIPT],
        copts = copts,
        features = ["-supports_start_end_lib"],
        linkopts = HIDING_LINK_OPTIONS,
        linkshared = True,
        local_defines = ["DOVETAIL_OP_LIBRARY_SHARED"],
        testonly = testonly,
        visibility = visibility,
        deps = deps + [custom_op],
    )
    native.sh_test(
        name = name + "_symbols_test",
        size = "small",
        srcs = [SYMBOLS_TEST],
        args = [
            "$(rootpath :%s.so)" % name,
            "dovetail_op_library",
        ],
        data = [":" + name + ".so"],
    )
