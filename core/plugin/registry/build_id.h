// Identity of a build, which decides whether a program and a plugin agree on
// the classes that cross the boundary between them: the headers that they were
// made from, and what they were made with.
#ifndef DOVETAIL_CORE_PLUGIN_REGISTRY_BUILD_ID_H_
#define DOVETAIL_CORE_PLUGIN_REGISTRY_BUILD_ID_H_

#include "absl/strings/string_view.h"

namespace dovetail {

// A hash over core's headers, and over the sources of those folders whose
// objects several copies of core use at a time (core/base/process_wide.h): 16
// hexadecimal digits. Made by the build.
absl::string_view AbiHash();

// Compiler, standard library, Abseil and sanitizer: "gcc 12, libstdc++ 12,
// abseil 20220623".
absl::string_view Toolchain();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_REGISTRY_BUILD_ID_H_
