"""The C++ rules of this repository: every C++ target but those of third_party goes through them.

What they add to Bazel's own rules:
  * headers are included by "dovetail/<package>/<header>", here and in a workspace that embeds Dovetail;
  * warnings, which are errors when this repository is built on its own;
  * a default build that is optimised a little and checks the standard library's preconditions;
  * static linking, so that no shared object is made for each library;
  * a dependency that goes up the layers of layers.bzl stops the build;
  * what belongs to a backend that the flags leave out is skipped;
  * tests run in random order, and a test without a single TEST in it fails.
"""

load("//backends:backends.bzl", "backend_of_package", "only_with_backend")
load(":layers.bzl", "check_layers")

# Warnings that gcc 12 and clang 14 both take. A "-Wno-..." that only the other compiler knows is silent in
# gcc by itself, and in clang by --config=clang.
_WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wextra-semi",
    "-Wimplicit-fallthrough",
    "-Wnon-virtual-dtor",
    "-Woverloaded-virtual",
    "-Wvla",
    # Designated initializers leave out what has a default, on purpose.
    "-Wno-missing-field-initializers",
    # gcc 12 reports these in correct uses of std::string and std::vector.
    "-Wno-restrict",
    "-Wno-stringop-overflow",
    "-Wno-stringop-overread",
    "-Wno-array-bounds",
    "-Wno-maybe-uninitialized",
    "-Wno-dangling-pointer",
]

def _copts(extra):
    # An embedding workspace may use a compiler with warnings that nobody here has seen: there they
    # must not stop the build.
    strict = ["-Werror"] if native.repository_name() == "@" else []
    mode = select({
        "//tools/build_rules:fastbuild": ["-O1", "-D_GLIBCXX_ASSERTIONS"],
        "//conditions:default": [],
    })

    # The target's own come last, so that they win.
    return _WARNINGS + strict + mode + extra

def _compatible_with(kwargs):
    """Where a target can be built: one in the folder of a backend, only in builds that have it."""
    asked = kwargs.pop("target_compatible_with", [])
    backend = backend_of_package(native.package_name())
    return asked + only_with_backend(backend) if backend else asked

def dovetail_cc_library(
        name,
        copts = [],
        deps = [],
        linkstatic = True,
        testonly = None,
        visibility = None,
        **kwargs):
    """A cc_library whose headers are included as "dovetail/<package>/<header>".

    Put every header that is included by that name into hdrs. A header in srcs can only be included by
    its plain path, so give a header that should be private a library with private visibility instead.

    Args:
      name: of the target.
      copts: compiler options that follow, and so override, the defaults, such as ["-O2"].
      deps: as in cc_library.
      linkstatic: as in cc_library.
      testonly: as in cc_library.
      visibility: private unless given here or by the package's default_visibility.
      **kwargs: as in cc_library.
    """
    check_layers(name, deps, testonly)
    native.cc_library(
        name = name,
        copts = _copts(copts),
        include_prefix = "dovetail/" + native.package_name(),
        linkstatic = linkstatic,
        target_compatible_with = _compatible_with(kwargs),
        testonly = testonly,
        visibility = visibility,
        deps = deps,
        **kwargs
    )

def dovetail_cc_binary(
        name,
        copts = [],
        deps = [],
        linkstatic = True,
        testonly = None,
        visibility = None,
        **kwargs):
    """A cc_binary with this repository's options.

    Args:
      name: of the target.
      copts: compiler options that follow, and so override, the defaults.
      deps: as in cc_binary.
      linkstatic: as in cc_binary.
      testonly: as in cc_binary.
      visibility: private unless given here or by the package's default_visibility.
      **kwargs: as in cc_binary.
    """
    check_layers(name, deps, testonly)
    native.cc_binary(
        name = name,
        copts = _copts(copts),
        linkstatic = linkstatic,
        target_compatible_with = _compatible_with(kwargs),
        testonly = testonly,
        visibility = visibility,
        deps = deps,
        **kwargs
    )

def dovetail_cc_test(
        name,
        copts = [],
        deps = [],
        linkstatic = True,
        main = "//testing:main",
        size = "small",
        **kwargs):
    """A cc_test of GoogleTest tests; deps need neither GoogleTest nor a main().

    Args:
      name: of the target.
      copts: compiler options that follow, and so override, the defaults.
      deps: what is tested.
      linkstatic: as in cc_test.
      main: the library with main(), or None for a test with a main() of its own.
      size: as in cc_test.
      **kwargs: as in cc_test.
    """
    check_layers(name, deps, testonly = True)
    native.cc_test(
        name = name,
        size = size,
        copts = _copts(copts),
        linkstatic = linkstatic,
        target_compatible_with = _compatible_with(kwargs),
        deps = deps + ["@googletest//:gtest"] + ([main] if main else []),
        **kwargs
    )
