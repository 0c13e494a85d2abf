"""The one table of backends. Adding one is a row here and a folder //backends/<name>.

The folder provides :registration, an alwayslink library that registers the plugin when a program that
links it starts. Everything else follows from the row, see targets.bzl:

    //backends:<name>_plugin          the library to link
    //backends:with_<name>            flag, --//backends:with_<name>=false leaves it out
    //backends:preset                 flag, --//backends:preset=<name>_only leaves all other devices out
    //backends:all_plugins            those that the flags leave in
"""

def _backend(devices, default = True, virtual = False, test_env = {}):
    """A row of the table.

    Args:
      devices: the names that a user gives to the device.
      default: whether it is in a build without any flag.
      virtual: whether it runs models on other devices; it then stays in under "<name>_only" presets.
      test_env: the environment of its tests, such as defaults of properties, DOVETAIL_<property>.
    """
    return struct(default = default, devices = devices, test_env = test_env, virtual = virtual)

BACKENDS = {
    "auto": _backend(devices = ["AUTO"], virtual = True),
    "batch": _backend(devices = ["BATCH"], virtual = True),
    "cpu": _backend(devices = ["CPU"]),
    # Drivers take tens of milliseconds to build a kernel, or to find that they have built it before; many of the
    # models of a suite have the same ones.
    "gpu": _backend(
        devices = ["GPU"],
        test_env = {"DOVETAIL_GPU_KEPT_PROGRAMS": "8192"},
    ),
    "hetero": _backend(devices = ["HETERO"], virtual = True),
    "multi": _backend(devices = ["MULTI"], virtual = True),
    "interpreter": _backend(devices = ["REFERENCE", "TEMPLATE"]),
    "null": _backend(devices = ["NULL"]),
    "vpu": _backend(devices = ["VPU", "MYRIAD"]),
}

def backend_of_package(package):
    """The name of the backend that a package belongs to, or None."""
    parts = package.split("/")
    if len(parts) > 1 and parts[0] == "backends" and parts[1] in BACKENDS:
        return parts[1]
    return None

def only_with_backend(name):
    """For target_compatible_with: skips the target in builds that leave the backend out."""
    return select({
        "//backends:%s_is_in" % name: [],
        "//conditions:default": ["//backends:%s_is_left_out" % name],
    })
