"""Tests of devices made of others: the suites of every backend, on some lists of parts."""

load("//backends:backends.bzl", "only_with_backend")
load("//testing/backend:backend_test.bzl", "device_test")

_REGISTRATIONS = {
    "CPU": "//backends:cpu_plugin",
    "FAKE": "//testing/fakes:registration",
    "FAKES": "//testing/fakes:registration_two",
    "GPU": "//backends:gpu_plugin",
    "REFERENCE": "//backends:interpreter_plugin",
}
_BACKENDS = {"CPU": "cpu", "GPU": "gpu", "REFERENCE": "interpreter"}

def virtual_device_test(name, backend, parts, deps, devices = None, **kwargs):
    """A test of one virtual device.

    Args:
      name: of the test.
      backend: the virtual one, "hetero".
      parts: names of the devices that it is made of: CPU, FAKE, FAKES (two), GPU, REFERENCE.
      deps: the libraries with tests.
      devices: the list of devices as a user writes it, where it is not `parts` by commas.
      **kwargs: as in cc_test.
    """
    needs = [_BACKENDS[part] for part in parts if part in _BACKENDS] + [backend]
    compatible = []
    for need in needs:
        compatible += only_with_backend(need)
    device_test(
        name = name,
        device = backend.upper() + ":" + (devices or ",".join(parts)),
        plugins = ["//backends:%s_plugin" % backend] + [_REGISTRATIONS[part] for part in parts],
        exceptions = "//backends/%s:conformance.txt" % backend,
        target_compatible_with = compatible,
        tags = ["backend:" + need for need in needs],
        deps = deps,
        **kwargs
    )
