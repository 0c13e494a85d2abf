"""A backend's plugin in both its forms: linked into a program, or a library that a program loads."""

load("//backends:backends.bzl", "backend_of_package", "only_with_backend")
load(":cc.bzl", "dovetail_cc_library")
load(":shared_plugin.bzl", "dovetail_shared_plugin")
load(":source_hash.bzl", "source_hash")

def dovetail_plugin(name, plugin, src = "registration.cc"):
    """:registration, which a program links, and <name>_plugin.so, both compiled from one source.

    The source has one DOVETAIL_PLUGIN (core/plugin/registry/manifest.h) and includes plugin_build.h, which is
    generated here: a hash over all the sources that the plugin is made of, by which a cache knows what an
    older one has compiled.

    Args:
      name: of the folder in backends, in lower case.
      plugin: the library with the function that makes the plugin.
      src: the source.
    """
    backend = backend_of_package(native.package_name())
    source_hash(
        name = "plugin_build_header",
        macro = "DOVETAIL_PLUGIN_BUILD",
        out = "plugin_build.h",
        target_compatible_with = only_with_backend(backend) if backend else [],
        deps = [plugin],
    )
    dovetail_cc_library(
        name = "plugin_build",
        hdrs = [":plugin_build.h"],
        visibility = ["//visibility:private"],
    )
    dovetail_cc_library(
        name = "registration",
        srcs = [src],
        visibility = ["//backends:__pkg__"],
        deps = [
            plugin,
            ":plugin_build",
            "//core/plugin/registry:manifest",
            "//core/plugin/registry",
        ],
        alwayslink = True,
    )
    dovetail_cc_library(
        name = "manifest",
        srcs = [src],
        local_defines = ["DOVETAIL_PLUGIN_LIBRARY"],
        visibility = ["//visibility:private"],
        deps = [
            plugin,
            ":plugin_build",
            "//core/plugin/registry:manifest",
        ],
        alwayslink = True,
    )
    dovetail_shared_plugin(
        name = name,
        visibility = [
            "//:testing",
            "//backends:__pkg__",
            "//docs:__pkg__",
            "//extensions/plugins_xml:__pkg__",
            "//tools:__subpackages__",
        ],
        deps = [":manifest"],
    )
