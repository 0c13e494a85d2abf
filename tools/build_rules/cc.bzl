"""The C++ rules of this repository: every C++ target but those of third_party goes through them.

What they add to Bazel's own rules:
  * headers are included by "dovetail/<package>/<header>", here and in a workspace that embeds Dovetail;
  * warnings, which are errors when this repository is built on its own;
  * a default build that is optimised a little and checks the standard library's preconditions;
  * the headers that most sources include are precompiled, see precompiled_header.bzl;
  * static linking, so that no shared object is made for each library;
  * a dependency that goes up the layers of layers.bzl stops the build;
  * what belongs to a backend that the flags leave out is skipped, and what only it needs is not downloaded;
  * tests run in random order, and a test without a single TEST in it fails;
  * those of the CPU backend run once more at each level of instructions that the processor has.
"""

load("//backends:backends.bzl", "backend_of_package", "only_with_backend")
load("//backends/cpu/testing/levels:levels.bzl", "at_each_level")
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

# The headers of precompiled/ that are compiled, for targets with these options of their own.
PRECOMPILED = {
    "common": ("common", []),
    "common_O2": ("common", ["-O2"]),
    "common_O3": ("common", ["-O3"]),
    "tests": ("tests", []),
}

def compile_options(extra = []):
    """The compiler options of every C++ target.

    Args:
      extra: the target's own, which come last, so that they win.

    Returns:
      A list, or select().
    """
    # An embedding workspace may use a compiler with warnings that nobody here has seen: there they
    # must not stop the build.
    strict = ["-Werror"] if native.repository_name() == "@" else []
    mode = select({
        "//tools/build_rules:fastbuild": ["-O1", "-D_GLIBCXX_ASSERTIONS"],
        "//conditions:default": [],
    })
    plain = [option for option in extra if not option.startswith("-O")]
    optimised = [option for option in extra if option.startswith("-O")]

    # Vector code takes the sanitizers of gcc 12 seven times as long to compile with -O2 as without.
    return _WARNINGS + strict + mode + plain + (select({
        "//tools/build_rules:sanitizes": [],
        "//conditions:default": optimised,
    }) if optimised else [])

# target_compatible_with of what says nothing of a sanitized build: bounds on memory, builds of their own.
NOT_SANITIZED = select({
    "//tools/build_rules:sanitizes": ["//tools/build_rules:not_sanitized"],
    "//conditions:default": [],
})

def _precompiled(header, copts):
    """The compiler options and the dependencies of a target for which a header is precompiled."""
    variant = "_".join([header] + [option[1:] for option in copts])
    if native.repository_name() != "@" or variant not in PRECOMPILED:
        return [], []
    folder = "tools/build_rules/precompiled/" + variant
    return select({
        "//tools/build_rules:precompiles": ["-include", "$(BINDIR)/%s/%s.h" % (folder, header)],
        "//conditions:default": [],
    }), select({
        "//tools/build_rules:precompiles": ["//tools/build_rules:precompiled_" + variant],
        "//conditions:default": [],
    })

def _compatible_with(kwargs):
    """Where a target can be built: one in the folder of a backend, only in builds that have it."""
    asked = kwargs.pop("target_compatible_with", [])
    backend = backend_of_package(native.package_name())
    return asked + only_with_backend(backend) if backend else asked

# Repositories that are downloaded.
_DOWNLOADED = ["@onednn"]

def _needed(deps):
    """Dependencies, those that are downloaded only in builds that have the backend of this package.

    Bazel looks at the dependencies of a target even where it then skips the target.
    """
    backend = backend_of_package(native.package_name())
    if not backend or type(deps) != "list":
        return deps
    downloaded = [dep for dep in deps if dep.split("//")[0] in _DOWNLOADED]
    if not downloaded:
        return deps
    return [dep for dep in deps if dep not in downloaded] + select({
        "//backends:%s_is_in" % backend: downloaded,
        "//conditions:default": [],
    })

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
    include, precompiled = _precompiled("common", copts)
    native.cc_library(
        name = name,
        copts = compile_options(copts) + include,
        include_prefix = "dovetail/" + native.package_name(),
        linkstatic = linkstatic,
        target_compatible_with = _compatible_with(kwargs),
        testonly = testonly,
        visibility = visibility,
        deps = _needed(deps) + precompiled,
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
    include, precompiled = _precompiled("common", copts)
    native.cc_binary(
        name = name,
        copts = compile_options(copts) + include,
        linkstatic = linkstatic,
        target_compatible_with = _compatible_with(kwargs),
        testonly = testonly,
        visibility = visibility,
        deps = _needed(deps) + precompiled,
        **kwargs
    )

# Limits vector code to what every processor runs, so that levels make no difference.
_BASELINE = "//backends/common/kernels/simd:baseline_only"

def dovetail_cc_test(
        name,
        copts = [],
        deps = [],
        linkstatic = True,
        main = "//testing:main",
        size = "small",
        levels = None,
        **kwargs):
    """A cc_test of GoogleTest tests; deps need neither GoogleTest nor a main().

    Args:
      name: of the target.
      copts: compiler options that follow, and so override, the defaults.
      deps: what is tested.
      linkstatic: as in cc_test.
      main: the library with main(), or None for a test with a main() of its own.
      size: as in cc_test.
      levels: whether there is <name>_at_levels, the same at each level of instructions; by default for tests of
        the CPU backend that set no environment.
      **kwargs: as in cc_test.
    """
    check_layers(name, deps, testonly = True)
    include, precompiled = _precompiled("tests", copts)
    compatible_with = _compatible_with(kwargs)
    if levels == None:
        levels = backend_of_package(native.package_name()) == "cpu" and "env" not in kwargs and _BASELINE not in deps
    if levels:
        at_each_level(
            name = name + "_at_levels",
            program = ":" + name,
            size = "medium",
            tags = kwargs.get("tags", []),
            target_compatible_with = compatible_with,
        )
    native.cc_test(
        name = name,
        size = size,
        copts = compile_options(copts) + include,
        linkstatic = linkstatic,
        target_compatible_with = compatible_with,
        deps = _needed(deps) + precompiled + ["@googletest//:gtest", main or "//testing:tsan_suppressions"],
        **kwargs
    )
