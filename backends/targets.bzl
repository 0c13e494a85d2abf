"""Makes the targets of //backends out of the table in backends.bzl."""

load("@bazel_skylib//lib:selects.bzl", "selects")
load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo", "bool_flag", "string_flag")
load(":backends.bzl", "BACKENDS")

# Values of the flag //backends:preset, besides "<name>_only": each backend's own flag decides, or all of
# them are in whatever their flags say.
_BY_FLAGS = "by_flags"
_ALL = "all"

def _only(name):
    return name + "_only"

def left_out_source_impl(ctx):
    repository = ctx.label.workspace_name
    flags = "--" + ("@" + repository if repository else "") + "//" + ctx.label.package + ":"
    preset = ctx.attr.preset[BuildSettingInfo].value

    rows = []
    for name in ctx.attr.left_out:
        # A preset decides for all of them, so that with_<name> would change nothing there.
        flag = flags + ("with_%s=true" % name if preset == _BY_FLAGS else "preset=" + _ALL)
        rows += ["    {\"%s\", \"%s\"},\n" % (device, flag) for device in BACKENDS[name].devices]
    ctx.actions.expand_template(
        template = ctx.file.template,
        output = ctx.outputs.out,
        substitutions = {"@ROWS@": "".join(rows)},
    )

left_out_source = rule(
    doc = "Writes the source file that lists the devices left out, each with the flag that brings it in.",
    implementation = left_out_source_impl,
    attrs = {
        "left_out": attr.string_list(doc = "Names of backends."),
        "out": attr.output(mandatory = True),
        "preset": attr.label(mandatory = True, providers = [BuildSettingInfo]),
        "template": attr.label(mandatory = True, allow_single_file = True),
    },
)

def _plugin_impl(ctx):
    files = depset(transitive = [
        ctx.attr.library[DefaultInfo].files,
        ctx.attr.shared[DefaultInfo].files,
    ])
    return [ctx.attr.library[CcInfo], DefaultInfo(files = files)]

_plugin = rule(
    doc = "A plugin to link, for deps; building it by its name builds the loadable one too.",
    implementation = _plugin_impl,
    attrs = {
        "library": attr.label(mandatory = True, providers = [CcInfo]),
        "shared": attr.label(mandatory = True),
    },
    provides = [CcInfo],
)

def _is_in_setting(name, backend):
    """Declares <name>_is_in, true in builds that have the backend; no platform has <name>_is_left_out."""
    native.constraint_setting(name = "_%s_left_out" % name)
    native.constraint_value(
        name = name + "_is_left_out",
        constraint_setting = ":_%s_left_out" % name,
        visibility = ["//:__subpackages__"],
    )
    native.config_setting(
        name = "_%s_by_flag" % name,
        flag_values = {
            ":preset": _BY_FLAGS,
            ":with_" + name: "True",
        },
    )
    ways_in = [":_%s_by_flag" % name]

    presets = [_ALL, _only(name)]
    if backend.virtual:
        presets = [_ALL] + [_only(other) for other in BACKENDS if not BACKENDS[other].virtual]
    for preset in presets:
        native.config_setting(
            name = "_%s_by_%s" % (name, preset),
            flag_values = {":preset": preset},
        )
        ways_in.append(":_%s_by_%s" % (name, preset))

    selects.config_setting_group(
        name = name + "_is_in",
        match_any = ways_in,
        visibility = ["//:__subpackages__"],
    )

def backend_targets(name):
    """Declares the flags, the library of each plugin, and the sources of the list of those left out.

    Args:
      name: of the cc_library of all the plugins that the flags leave in.
    """
    string_flag(
        name = "preset",
        build_setting_default = _BY_FLAGS,
        values = [_BY_FLAGS, _ALL] +
                 [_only(backend) for backend in BACKENDS if not BACKENDS[backend].virtual],
        visibility = ["//visibility:public"],
    )

    plugins = []
    left_out = []
    for backend in BACKENDS:
        bool_flag(
            name = "with_" + backend,
            build_setting_default = BACKENDS[backend].default,
            visibility = ["//visibility:public"],
        )
        _is_in_setting(backend, BACKENDS[backend])
        _plugin(
            name = backend + "_plugin",
            library = "//backends/%s:registration" % backend,
            shared = "//backends/{0}:{0}_plugin.so".format(backend),
            visibility = ["//visibility:public"],
        )
        plugins += select({
            ":%s_is_in" % backend: [":%s_plugin" % backend],
            "//conditions:default": [],
        })
        left_out += select({
            ":%s_is_in" % backend: [],
            "//conditions:default": [backend],
        })

    left_out_source(
        name = "left_out_source",
        left_out = left_out,
        out = "left_out.cc",
        preset = ":preset",
        template = "left_out.cc.in",
    )
    native.cc_library(
        name = name,
        visibility = ["//visibility:public"],
        deps = plugins + [":left_out_registration"],
    )
