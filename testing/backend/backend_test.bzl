"""Tests of what every backend must do: written once, compiled once, run on each.

The tests are plain GoogleTest in alwayslink libraries that ask GetDeviceUnderTest() (see
device_under_test.h) which device they are about. A row in //backends:backends.bzl is all that a new backend
needs to be tested; a build that leaves a backend out skips its tests.
"""

load("//backends:backends.bzl", "BACKENDS", "only_with_backend")
load("//tools/build_rules:cc.bzl", "dovetail_cc_test")

def _path(label):
    return label[2:].replace(":", "/")

def device_test(name, device, deps, plugins = [], loaded = None, exceptions = None, **kwargs):
    """A test of one device.

    For a virtual device say which others it is made of:
    device = "HETERO:REFERENCE,NULL", plugins = ["//backends:hetero_plugin", …].

    Args:
      name: of the test.
      device: as a user names it.
      deps: the libraries with tests.
      plugins: the registrations to link.
      loaded: a plugin library that the test loads, such as "//backends/cpu:cpu_plugin.so".
      exceptions: its conformance.txt (tools/conformance/cases/device_exceptions.h), as a label.
      **kwargs: as in cc_test.
    """
    libraries = [loaded] if loaded else []
    paths = [_path(label) for label in libraries]
    dovetail_cc_test(
        name = name,
        srcs = ["//testing/backend:device_under_test.cc"],
        data = libraries + ([exceptions] if exceptions else []),
        local_defines = [
            "DOVETAIL_TEST_DEVICE=\\\"%s\\\"" % device,
            "DOVETAIL_TEST_EXCEPTIONS=\\\"%s\\\"" % (_path(exceptions) if exceptions else ""),
            "DOVETAIL_TEST_LIBRARY=\\\"%s\\\"" % "".join(paths),
        ],
        deps = deps + plugins + [
            "//core/plugin/registry",
            "//testing:shared_files",
            "//testing/backend:device_under_test",
        ],
        **kwargs
    )

def backend_test(name, deps, tags = [], with_fake = True, with_f16 = False, with_loaded = True, **kwargs):
    """All tests of a suite, as <name>.

    <name>_<backend> for each backend that is no virtual device, <name>_<backend>_loaded for the same in a
    library that the test loads, and <name>_fake.

    Args:
      name: of the suite.
      deps: the libraries with tests.
      tags: of each test, besides "backend:<backend>".
      with_fake: whether there is <name>_fake.
      with_f16: whether there is <name>_fake_f16, the fake accelerator that computes in f16.
      with_loaded: whether there is <name>_<backend>_loaded.
      **kwargs: as in cc_test.
    """
    tests = []
    if with_fake:
        device_test(
            name = name + "_fake",
            device = "FAKE",
            plugins = ["//testing/fakes:registration"],
            deps = deps,
            tags = tags + ["backend:fake"],
            **kwargs
        )
        tests.append(name + "_fake")
    if with_f16:
        device_test(
            name = name + "_fake_f16",
            device = "FAKE_F16",
            plugins = ["//testing/fakes:registration_f16"],
            exceptions = "//testing/fakes:conformance_f16.txt",
            deps = deps,
            tags = tags + ["backend:fake"],
            **kwargs
        )
        tests.append(name + "_fake_f16")
    for backend in BACKENDS:
        if BACKENDS[backend].virtual:
            continue
        variants = {"": {"plugins": ["//backends:%s_plugin" % backend]}}
        if with_loaded:
            variants["_loaded"] = {"loaded": "//backends/{0}:{0}_plugin.so".format(backend)}
        for suffix, variant in variants.items():
            test = name + "_" + backend + suffix
            device_test(
                name = test,
                device = BACKENDS[backend].devices[0],
                deps = deps,
                env = BACKENDS[backend].test_env,
                exceptions = "//backends/%s:conformance.txt" % backend,
                tags = tags + ["backend:" + backend],
                target_compatible_with = only_with_backend(backend),
                **dict(variant, **kwargs)
            )
            tests.append(test)
    native.test_suite(
        name = name,
        tests = tests,
    )
