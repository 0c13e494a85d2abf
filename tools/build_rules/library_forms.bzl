"""Sources of a user's in two forms: a library that a program links, and one that it loads when it runs.

For workspaces that embed Dovetail, too: the labels are those of this repository wherever it is.
"""

load(":cc.bzl", "compile_options")
load(":shared_plugin.bzl", "HIDING_LINK_OPTIONS", "SYMBOLS_SCRIPT", "SYMBOLS_TEST")
load(":source_hash.bzl", "source_hash")

# The options of this repository's own sources; a user's workspace has its own.
def _own_options():
    is_here = Label("//tools/build_rules:library_forms.bzl").workspace_name == ""
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

def library_forms(name, form, srcs, hdrs, deps, copts = [], testonly = None, visibility = None, **kwargs):
    """:<name>, which a program links, and <name>.so, which it loads, both compiled from the same sources.

    They are given a hash over all sources of this workspace that the library is made of, by which caches and
    exports know what an older build has made. <name>_symbols_test checks that the file shows one C function
    and nothing else.

    Args:
      name: of the library.
      form: a struct of the macro that is the hash, `build_macro`; the one that says that it is the library to
        load, `shared_macro`; and the function that this shows, `symbol`.
      srcs: as in cc_library.
      hdrs: as in cc_library.
      deps: as in cc_library.
      copts: as in cc_library.
      testonly: as in cc_library.
      visibility: of both forms.
      **kwargs: for the linked form, as in cc_library.
    """
    header = name + "_build.h"
    options = _own_options() + copts + ["-include", _build_header(header)]
    source_hash(
        name = name + "_build_header",
        srcs = srcs + hdrs,
        macro = form.build_macro,
        out = header,
        testonly = testonly,
        visibility = ["//visibility:private"],
        deps = deps,
    )
    native.cc_library(
        name = name,
        srcs = srcs + [":" + header],
        hdrs = hdrs,
        copts = options,
        linkstatic = True,
        testonly = testonly,
        visibility = visibility,
        deps = deps,
        **kwargs
    )
    native.cc_binary(
        name = name + ".so",
        srcs = srcs + hdrs + [":" + header],
        additional_linker_inputs = [SYMBOLS_SCRIPT],
        copts = options,
        features = ["-supports_start_end_lib"],
        linkopts = HIDING_LINK_OPTIONS,
        linkshared = True,
        local_defines = [form.shared_macro],
        testonly = testonly,
        visibility = visibility,
        deps = deps,
    )
    native.sh_test(
        name = name + "_symbols_test",
        size = "small",
        srcs = [SYMBOLS_TEST],
        args = [
            "$(rootpath :%s.so)" % name,
            form.symbol,
        ],
        data = [":" + name + ".so"],
    )
