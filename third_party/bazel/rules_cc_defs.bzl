"""Stand-in for @rules_cc//cc:defs.bzl: the C++ rules that are built into Bazel.

Debian's own copy of rules_cc does not load in the Bazel of the same Debian: its private rules import
a function that Bazel 4.2.3 does not have. All that is needed of it is the names below.
"""

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
objc_import = native.objc_import
objc_library = native.objc_library
