"""What Dovetail needs from outside, for its own WORKSPACE and for those that embed it.

    load("@dovetail//:deps.bzl", "dovetail_dependencies")

    dovetail_dependencies()

A repository that the workspace has already defined under the same name is kept, so that an
application can bring its own Abseil or GoogleTest.
"""

load("//third_party/onednn:repository.bzl", "onednn_repository")
load("//tools/build_rules:repositories.bzl", "overlay_repository", "system_library")

# One folder of //third_party each, with a BUILD overlay of the same name in it.
_SYSTEM_LIBRARIES = [
    "abseil",
    "benchmark",
    "googletest",
    "highway",
    "libpng",
    "nlohmann_json",
    "opencl",
    "pugixml",
    "turbojpeg",
    "xxhash",
]

# Where Debian's packages bazel-rules-java and bazel-skylib put their files.
_DEBIAN_RULES_JAVA = "/usr/share/bazel/rules/java"
_DEBIAN_SKYLIB = "/usr/share/bazel/tools/skylib"

def dovetail_dependencies():
    """Defines every repository that Dovetail's own targets refer to.

    Only one is downloaded, @onednn, and only when a target of the CPU backend is built.
    """
    known = native.existing_rules()

    for name in _SYSTEM_LIBRARIES:
        if name not in known:
            system_library(
                name = name,
                build_file = Label("//third_party/%s:%s.BUILD" % (name, name)),
            )

    if "onednn" not in known:
        onednn_repository(name = "onednn")

    # Bazel's own tools load the next three, even in a build without a line of Java.
    if "rules_cc" not in known:
        overlay_repository(
            name = "rules_cc",
            files = {
                Label("//third_party/bazel:rules_cc.BUILD"): "cc/BUILD",
                Label("//third_party/bazel:rules_cc_defs.bzl"): "cc/defs.bzl",
            },
        )
    if "rules_java" not in known:
        native.local_repository(name = "rules_java", path = _DEBIAN_RULES_JAVA)
    if "remote_coverage_tools" not in known:
        overlay_repository(
            name = "remote_coverage_tools",
            files = {Label("//third_party/bazel:remote_coverage_tools.BUILD"): "BUILD"},
        )

    if "bazel_skylib" not in known:
        native.local_repository(name = "bazel_skylib", path = _DEBIAN_SKYLIB)
