"""Which folder may depend on which: the one table, and its check at the moment a target is declared.

Dependencies point one way; docs/architecture.md has the picture and the reasons. Every C++ rule of cc.bzl
asks check_layers(), so a wrong dependency stops the build with its name before anything is compiled.
Because each target answers for its direct dependencies, no path through several of them gets round it.
//testing/layering looks at whole paths too, and for targets that go round cc.bzl.
"""

load("//backends:backends.bzl", "BACKENDS")

# Within core, each folder and those it may depend on besides itself. A core folder that is not listed
# may depend on any other.
_TENSOR = ["core/base", "core/tensor"]
_GRAPH = _TENSOR + ["core/graph"]
_OPS = _GRAPH + ["core/blob", "core/ops"]
_REFERENCE = _OPS + ["core/executor", "core/reference"]
_PLUGIN = _REFERENCE + ["core/pass", "core/properties", "core/plugin"]
_REQUEST = _PLUGIN + ["core/preprocess", "core/request"]

_CORE = {
    "core/base": [],
    "core/blob": _TENSOR,
    "core/cache": _TENSOR + ["core/blob"],
    "core/executor": ["core/base"],
    "core/extension": _PLUGIN,
    "core/graph": _TENSOR,
    "core/ops": _GRAPH + ["core/blob"],
    "core/pass": _REFERENCE,
    "core/plugin": _PLUGIN,
    "core/preprocess": _REFERENCE + ["core/pass"],
    "core/properties": _TENSOR,
    "core/reference": _REFERENCE,
    "core/request": _REQUEST,
    "core/tensor": ["core/base"],
}

# The layers above core. A folder that is not listed here (tools, examples, testing) may depend on all of
# them; backends only by the names that //backends gives them, which visibility sees to.
_ABOVE_CORE = {
    "backends": ["core", "transformations", "backends/common"],
    "core": ["core"],
    "extensions": ["core", "extensions", "transformations/common"],
    "transformations": ["core", "transformations"],
}

# What single backends may see of the extensions: plain structs of what users configure a device with, which
# the reader of their file format fills and the backend takes.
_EXTENSIONS_IN_BACKENDS = {
    "backends/gpu": ["extensions/custom_kernels"],
    "backends/vpu": ["extensions/custom_kernels"],
}

# What tests of these layers may depend on besides.
_IN_TESTS = ["core", "testing", "transformations"]

# Outside libraries that only some folders may see. Abseil is for all, the others for all but core.
_OUTSIDE = {
    "highway": ["backends"],
    "onednn": ["backends/cpu"],
    "opencl": ["backends/common/opencl", "backends/gpu", "backends/vpu"],
    "pugixml": ["extensions"],
    "xxhash": ["core/blob"],
}

# Outside libraries that a folder of core may see beside Abseil. xxHash is one header that is compiled in: core
# needs no more to run for it.
_OUTSIDE_IN_CORE = {
    "core/blob": ["xxhash"],
}
_OUTSIDE_OF_CORE = ["abseil"]
_OUTSIDE_OF_TESTS = ["abseil", "benchmark", "googletest"]

# Folders of the build itself, which anything may use.
_BUILD = ["third_party", "tools/build_rules"]

def _is_under(package, folder):
    return package == folder or package.startswith(folder + "/")

def _is_under_any(package, folders):
    for folder in folders:
        if _is_under(package, folder):
            return True
    return False

def _row(package, table):
    for folder in table:
        if _is_under(package, folder):
            return folder
    return None

def _backend_of(package):
    """The name of the backend a package belongs to, or None."""
    parts = package.split("/")
    if len(parts) < 2 or parts[0] != "backends" or parts[1] == "common":
        return None
    return parts[1]

def _is_virtual(backend):
    return backend in BACKENDS and BACKENDS[backend].virtual

def _outside_problem(package, repository, in_test):
    if _is_under(package, "core"):
        allowed = _OUTSIDE_OF_TESTS if in_test else _OUTSIDE_OF_CORE
        allowed = allowed + _OUTSIDE_IN_CORE.get(_row(package, _OUTSIDE_IN_CORE), [])
        if repository not in allowed:
            return "core knows no outside library but " + ", ".join(allowed)
    if repository in _OUTSIDE and not _is_under_any(package, _OUTSIDE[repository]):
        return "only %s may see it" % " and ".join(_OUTSIDE[repository])
    return None

def _inside_problem(package, other, in_test):
    layer = _row(package, _ABOVE_CORE)
    if layer == None or package == other or _is_under_any(other, _BUILD):
        return None
    if package == "backends":
        return None  # the list of all of them
    if in_test and _is_under_any(other, _IN_TESTS):
        return None

    backend = _backend_of(package)
    if backend != None:
        if _is_under_any(other, _EXTENSIONS_IN_BACKENDS.get("backends/" + backend, [])):
            return None
        if _is_under(other, "backends/" + backend):
            return None
        if _is_virtual(backend) and in_test and other == "backends":
            return None
        if _is_under_any(other, ["core/runtime"]) and not _is_virtual(backend):
            return "a backend is below the runtime"

    if not _is_under_any(other, _ABOVE_CORE[layer]):
        return "%s may depend on %s only" % (layer, ", ".join(_ABOVE_CORE[layer]))

    folder = _row(package, _CORE)
    if folder != None and not _is_under_any(other, _CORE[folder] + [folder]):
        return "%s may depend on %s only" % (folder, ", ".join(_CORE[folder] or ["itself"]))
    return None

def layer_problem(package, label, in_test = False):
    """Says what is wrong with a dependency.

    Args:
      package: of the target that depends.
      label: what it depends on, as written in a BUILD file.
      in_test: whether the target is a test or for tests only.

    Returns:
      The rule that is broken, or None.
    """
    if label.startswith("@"):
        return _outside_problem(package, label[1:].partition("//")[0], in_test)
    if label.startswith("//"):
        return _inside_problem(package, label[2:].partition(":")[0], in_test)
    return None

def _labels(deps):
    """The labels in a list, or in all the branches of a select()."""
    if type(deps) == "list":
        return deps

    # A select() can only be looked at as text: every label in it stands between quotes.
    return [
        piece
        for piece in repr(deps).split("\"")
        if piece.startswith("//") or piece.startswith("@")
    ]

def check_layers(name, deps, testonly):
    """Stops the build when a target of the current package may not depend on one of deps.

    Args:
      name: of the target.
      deps: its dependencies, a list or a select().
      testonly: whether it is a test or for tests only.
    """
    package = native.package_name()
    in_test = testonly or "testing" in package.split("/")
    for label in _labels(deps):
        problem = layer_problem(package, label, in_test)
        if problem != None:
            fail("//%s:%s must not depend on %s: %s. See tools/build_rules/layers.bzl." %
                 (package, name, label, problem))
